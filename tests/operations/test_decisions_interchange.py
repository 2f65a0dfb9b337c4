"""Loading and dumping as a client of the API notices them: who wins, what is cleared, what stays, what comes back."""

from __future__ import annotations

import io
from typing import Any

import pytest

from interchange.dump import dump
from tests.builders import (
    ALICE,
    APES,
    BOB,
    CAROL,
    START,
    Line,
    ask,
    contract,
    load_lines,
    nft,
    rate,
    transfer,
)
from tests.conftest import Api
from tests.operations.promises import EDITIONS, EVERY_ORDER, MINT, NOW, OTHER_MINT, given, ids, only, walked
from tokens.models import Ask, Contract, Nft, Rate
from transfers.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_of_the_same_identity_the_later_line_wins_for_the_keys_it_holds(api: Api) -> None:
    given(nft("1", uri="ipfs://old", rarity=1), nft("1", uri="ipfs://new"), nft("1", rank=7))
    record = only(api.nfts())
    assert (record["uri"], record["rarity"], record["rank"]) == ("ipfs://new", 1, 7)


def test_null_clears_a_key(api: Api) -> None:
    given(nft("1", uri="ipfs://old", rarity=1, metadata={"name": "x"}, native={"a": 1}))
    given(nft("1", uri=None, rarity=None, metadata=None, native=None))
    assert not {"uri", "rarity", "metadata", "native"} & set(only(api.nfts()))


def test_metadata_and_owners_are_replaced_whole(api: Api) -> None:
    given(nft("1", metadata={"name": "x", "description": "y"}, owners=[{"address": ALICE, "amount": "5"}]))
    given(nft("1", metadata={"name": "z"}, owners=[{"address": BOB, "amount": "2"}]))
    record = only(api.nfts())
    assert {name for name, value in record["metadata"].items() if value} == {"name"}
    assert record["owners"] == [{"address": BOB, "amount": "2"}]


def test_an_ask_once_filled_or_cancelled_is_not_reopened(api: Api) -> None:
    for order, status in (("0xf1", "filled"), ("0xc2", "cancelled")):
        given(ask("1", order=order, status=status))
        given(ask("1", order=order, status="open"))
        assert "orderbook" not in only(api.nfts())


def test_loading_the_same_lines_again_changes_nothing(api: Api) -> None:
    lines = [
        contract(),
        nft("1", traits=[("Hat", "Cap")], owner=BOB),
        transfer("1", block=1),
        transfer("1", block=2, sender=ALICE, receiver=CAROL, markets=["blur"]),
        ask("1", maker=CAROL),
        rate("ETH", "2000"),
    ]
    given(*lines)
    before = api.get(f"{api.base}/nfts/by-token", {"includeLastTransfer": "1"}).content
    given(*lines)
    assert api.get(f"{api.base}/nfts/by-token", {"includeLastTransfer": "1"}).content == before


def test_lines_of_different_identities_come_in_any_order(api: Api) -> None:
    lines = [
        ask("1", maker=BOB),
        transfer("1", block=2, sender=ALICE, receiver=BOB),
        transfer("1", block=1),
        contract(),
        nft("1", traits=[("Hat", "Cap")]),
    ]
    given(*lines)
    shown = only(api.nfts(includeLastTransfer="true"))
    for model in (Nft, Contract):
        model.objects.all().delete()
    given(*reversed(lines))
    assert only(api.nfts(includeLastTransfer="true")) == shown


def test_stated_owners_are_the_state_of_their_moment_and_later_transfers_apply_on_top(api: Api) -> None:
    held = [{"address": ALICE, "amount": "10"}]
    moved: dict[str, Any] = {"sender": ALICE, "receiver": BOB, "amount": "3"}
    given(
        contract(EDITIONS, standard="ERC1155"),
        nft("1", EDITIONS, owners=held, asOfBlock=5),
        transfer("1", EDITIONS, block=5, **moved),
        transfer("1", EDITIONS, block=6, **moved),
    )
    shown = {owner["address"]: owner["amount"] for owner in only(api.nfts())["owners"]}
    assert shown == {ALICE: "7", BOB: "3"}


def test_stated_owners_without_a_moment_are_as_of_the_newest_transfer_of_the_file(api: Api) -> None:
    given(contract(), nft("1", owner=BOB), transfer("1", block=5, receiver=ALICE))
    assert only(api.nfts())["owner"] == BOB
    given(transfer("1", block=6, sender=BOB, receiver=CAROL))
    assert only(api.nfts())["owner"] == CAROL


def test_a_last_transfer_in_an_nft_line_is_a_transfer(api: Api) -> None:
    last = transfer("1", block=9, sender=ALICE, receiver=BOB, transferType="sale")
    without_log = {
        name: value for name, value in last.items() if name not in ("record", "logIndex", "batchIndex")
    }
    given(nft("1", lastTransfer=without_log))
    assert only(api.transfers(contractAddress=APES))["transferType"] == "sale"
    assert only(api.nfts())["owner"] == BOB


def test_a_last_transfer_joins_the_one_of_its_transaction(api: Api) -> None:
    whole = transfer("1", block=9, log=4, sender=ALICE, receiver=BOB)
    joined = {"transactionHash": whole["transactionHash"], "transferType": "sale", "tokenId": "1"}
    given(nft("1", lastTransfer=joined), whole)
    assert only(api.transfers(contractAddress=APES))["transferType"] == "sale"


def test_lines_of_transfers_and_asks_make_the_nfts_they_name(api: Api) -> None:
    given(transfer("1"), ask("2"))
    assert sorted(ids(api.nfts(contractAddress=APES))) == ["1", "2"]


@pytest.mark.parametrize(
    "bad",
    [
        {**transfer("1"), "timestamp": START * 1000},
        {**transfer("1"), "tokenId": str(2**256)},
        {**ask("1"), "price": "0.0000000000000000001"},
        {**ask("1"), "price": "-1"},
        {**nft("1"), "contractAddress": "0x12"},
        {**nft("1"), "chain": "nowhere"},
        {"record": "nonsense"},
        '{"record": "nft"',
        "[1]",
    ],
)
def test_a_bad_line_is_reported_by_its_number_and_skipped(api: Api, bad: Line | str) -> None:
    """Milliseconds are a bad line, not a date in the year 50,000; more than 18 places are no price."""
    report = load_lines([nft("7"), bad, nft("8")])
    (fault,) = report.faults
    assert fault.line == 2
    assert fault.reason
    assert sorted(ids(api.nfts())) == ["7", "8"]


def test_a_strict_load_takes_its_file_back(api: Api) -> None:
    given(nft("6"))
    load_lines([nft("7"), {"record": "nonsense"}, nft("8")], strict=True)
    assert ids(api.nfts()) == ["6"]


def test_a_dump_loaded_into_an_empty_database_answers_with_the_same_items_in_the_same_order(api: Api) -> None:
    """Ties too: nothing but the order in which things came tells these NFTs apart."""
    other = "0x" + "2b" * 20
    given(
        rate("ETH", "2000"),
        *(nft(str(number), address, rarity=1) for number in (5, 3, 9) for address in (other, APES)),
        *(transfer(str(number), batch=number, transactionHash="0x" + "ab" * 32) for number in (8, 2, 5)),
        *(
            transfer(str(number), log=7, batch=number, on="polygon", timestamp=START + 12)
            for number in (4, 1)
        ),
        *(ask(str(number), price="1", validUntil=NOW + 9) for number in (9, 2, 8)),
        ask("3", price="2000", currency="USDC"),
        nft(OTHER_MINT, None, "solana", traits=[("Hat", 1.0)]),
        nft(MINT, None, "solana", owner=OTHER_MINT, marked=True, markedReason="spam"),
    )
    queries = [
        (operation, {"sortBy": order, "limit": 4, **more})
        for order in EVERY_ORDER
        for operation, more in (
            ("nfts", {"includeLastTransfer": "true"}),
            ("nfts", {"priceFilter": "eth,,", "excludeMarkedNfts": ""}),
            ("transfers", {"contractAddress": APES}),
        )
    ]
    before = [walked(api, operation, **query) for operation, query in queries]
    assert all(before)
    text = io.StringIO()
    dump(text)
    for model in (Ask, Transfer, Nft, Contract, Rate):
        model.objects.all().delete()
    assert api.nfts() == {"data": []}
    given(*text.getvalue().splitlines())
    assert [walked(api, operation, **query) for operation, query in queries] == before
