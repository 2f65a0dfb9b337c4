"""What a line says under keys that no record has is told by name: it is not taken, and a fault of a strict load."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from interchange.load import load_files
from interchange.unknown import MOST_NAMES, unknown_keys
from tests.builders import (
    ALICE,
    APES,
    BOB,
    Line,
    ask,
    chain,
    contract,
    ens,
    load_lines,
    nft,
    rate,
    transfer,
    write_lines,
)
from tests.files.lines import dumped, load
from tokens.models import Nft

pytestmark = pytest.mark.django_db

LEG = {"contractAddress": APES, "fromAddress": ALICE, "toAddress": BOB, "amount": "1"}
SALE = {"tokenAddress": "0x" + "0" * 40, "amount": "5"}

UNKNOWN: list[tuple[str, Line, dict[str, int]]] = [
    ("a letter in upper case", nft(Owner=ALICE), {"nft.Owner": 1}),
    (
        "a name of another API",
        nft(token_uri="ipfs://x", image="ipfs://y"),
        {"nft.token_uri": 1, "nft.image": 1},
    ),
    ("null under it", nft(ownner=None), {"nft.ownner": 1}),
    (
        "a raw document",
        nft(metadata={"name": "A", "image": "i", "attributes": []}),
        {"nft.metadata.image": 1, "nft.metadata.attributes": 1},
    ),
    (
        "a raw trait",
        nft(metadata={"traits": [{"trait_type": "Hat", "value": "Cap"}] * 3}),
        {"nft.metadata.traits.trait_type": 1, "nft.metadata.traits.value": 1},
    ),
    (
        "a trait of two kinds",
        nft(metadata={"traits": [{"traitType": "Hat", "traitValue": "Cap", "display_type": "x"}]}),
        {"nft.metadata.traits.display_type": 1},
    ),
    (
        "a path for a key",
        {**nft(metadata={"image": "j", "a.b": 1}), "metadata.image": "i", "": 1},
        {'nft."metadata.image"': 1, 'nft.""': 1, "nft.metadata.image": 1, 'nft.metadata."a.b"': 1},
    ),
    (
        "an owner's",
        nft(owners=[{"address": ALICE, "amount": "1", "balance": "1"}]),
        {"nft.owners.balance": 1},
    ),
    (
        "a last transfer's",
        nft(lastTransfer={**transfer(), "txHash": "0x1", "nftValue": {**SALE, "symbol": "ETH"}}),
        {"nft.lastTransfer.txHash": 1, "nft.lastTransfer.nftValue.symbol": 1},
    ),
    ("a transfer's", transfer(From=ALICE, type="mint"), {"transfer.From": 1, "transfer.type": 1}),
    ("a price's", transfer(nftValue={**SALE, "decimals": 18}), {"transfer.nftValue.decimals": 1}),
    ("a leg's", transfer(swaps=[LEG, {**LEG, "marketplace": "blur"}]), {"transfer.swaps.marketplace": 1}),
    ("an ask's", ask(expiry=5, isPrivate=True), {"ask.expiry": 1, "ask.isPrivate": 1}),
    ("a contract's", contract(standrad="ERC721"), {"contract.standrad": 1}),
    ("a chain's", chain("moon", networkId=5), {"chain.networkId": 1}),
    ("a rate's", {**rate(), "eur": "1"}, {"rate.eur": 1}),
    ("a name's", {**ens("a.eth", ALICE), "ttl": 5}, {"ens.ttl": 1}),
    ("a currency's", {"record": "currency", "currency": "XYZ", "decimals": 5}, {"currency.decimals": 1}),
    (
        "a currency's contract's",
        {
            "record": "currencyToken",
            "chain": "ethereum",
            "contractAddress": APES,
            "currency": "ETH",
            "name": "x",
        },
        {"currencyToken.name": 1},
    ),
    ("a market's", {"record": "market", "marketplace": "bazaar", "url": "x"}, {"market.url": 1}),
    (
        "a market's contract's",
        {
            "record": "marketContract",
            "chain": "ethereum",
            "contractAddress": APES,
            "marketplace": "bazaar",
            "name": "x",
        },
        {"marketContract.name": 1},
    ),
    (
        "a takedown's",
        {"record": "takedown", "chain": "ethereum", "contractAddress": APES, "reason": "x", "by": "me"},
        {"takedown.by": 1},
    ),
]


@pytest.mark.parametrize(("line", "names"), [case[1:] for case in UNKNOWN], ids=[case[0] for case in UNKNOWN])
def test_keys_that_are_not_known_are_told_and_the_line_stands(line: Line, names: dict[str, int]) -> None:
    report = load_lines([line])
    assert (report.fault_count, dict(report.unknown)) == (0, names)
    assert report.counts.total() == 1


@pytest.mark.parametrize(("line", "names"), [case[1:] for case in UNKNOWN], ids=[case[0] for case in UNKNOWN])
def test_a_strict_load_stops_at_a_key_that_is_not_known(line: Line, names: dict[str, int]) -> None:
    report = load_lines([nft("99"), line], strict=True)
    assert (report.fault_count, report.faults[0].line) == (1, 2)
    assert all(f"`{name}`" in report.faults[0].reason for name in names)
    assert not Nft.objects.exists()


def test_each_line_counts_once_however_often_it_is_read() -> None:
    """One waits for its chain, the second for its transfer, the third is taken at the end of the file too."""
    late = nft("1", on="moon", colour="red")
    joining = {**transfer("2"), "colour": "red"}
    del joining["logIndex"]
    lines = [
        late,
        {
            "record": "transfer",
            "chain": "ethereum",
            "transactionHash": transfer("3")["transactionHash"],
            "logIndex": 0,
            "colour": "red",
        },
        nft("2", lastTransfer=joining, colour="red"),
        transfer("3"),
        chain("moon", colour="red"),
    ]
    for batch_lines in (1, 100):
        report = load_lines(lines, batch_lines=batch_lines)
        assert report.fault_count == 0
        assert report.unknown == {
            "nft.colour": 2,
            "transfer.colour": 1,
            "nft.lastTransfer.colour": 1,
            "chain.colour": 1,
        }


def test_the_command_tells_of_them_at_the_end_and_what_may_be_meant(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "raw.jsonl", [nft("1", Owner=ALICE), nft("2", Owner=BOB), nft("3", qqq=1)])
    out, errors = io.StringIO(), io.StringIO()
    call_command("load", str(path), stdout=out, stderr=errors)
    assert errors.getvalue().splitlines() == [
        "Not known, and not taken: `nft.Owner` (`owner`?) in 2 lines.",
        "Not known, and not taken: `nft.qqq` in 1 line.",
    ]
    with pytest.raises(SystemExit):
        call_command("load", "--strict", str(path), stdout=out, stderr=errors)
    assert f"{path}:1: Has keys that are not known: `nft.Owner` (`owner`?)." in errors.getvalue()


def test_any_number_of_names_and_any_name_are_borne(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    names: dict[str, Any] = {f"k{number}": 1 for number in range(MOST_NAMES + 500)}
    odd: dict[str, Any] = {"\ud800": 1, "\x1b[31m": 1, "n" * 5_000: 1, "": 1, "a.b": 1}
    report = load_lines([nft("1", **odd), nft("2", **names)])
    assert len(report.unknown) == MOST_NAMES + 1
    assert report.unknown.total() == len(names) + len(odd)
    assert all(name.isprintable() and len(name) < 100 for name in report.unknown)
    call_command("load", str(write_lines(tmp_path / "odd.jsonl", [nft("1", **odd)])))
    assert "\x1b" not in capfd.readouterr().err


def test_what_the_api_answers_and_what_a_dump_says_is_all_known(client: Client, tmp_path: Path) -> None:
    load(
        contract(name="Apes", symbol="APE", ensName="apes.eth", marked=True, markedReason="spam"),
        *(
            nft(
                str(number),
                owners=[{"address": "0x" + f"{number:040x}", "amount": "1"}],
                rarity=1.5,
                rank=2,
                traits=[("Hat", "Cap")],
                native={"any": {"Thing": 1}},
                uri="ipfs://x",
            )
            for number in range(1, 4)
        ),
        transfer(
            "1",
            block=9,
            sender=ALICE,
            receiver=BOB,
            nftValue={**SALE, "tokenName": "ETH"},
            swaps=[{**LEG, "tokenId": "1", "market": "blur"}],
            native={"Other": 1},
            usdValue=1,
            ethValue=2,
            isCommercial=True,
            transferType="sale",
            value="5",
            transactionFrom=ALICE,
        ),
        ask("1", amount="1", validFrom=5, status="open"),
        rate(),
    )
    records = client.get(
        "/api/v1/nfts/by-token", {"contractAddress": APES, "includeLastTransfer": "true"}
    ).json()["data"]
    assert {"lastTransfer", "orderbook"} <= records[0].keys()
    path = tmp_path / "dump.jsonl"
    path.write_text(dumped())
    report = load_files([str(path)], strict=True)
    assert (report.fault_count, report.unknown) == (0, {})
    report = load_lines([{"record": "nft", **record} for record in records], strict=True)
    assert (report.fault_count, report.unknown) == (0, {})


def test_unknown_keys_are_told_in_the_order_of_the_line() -> None:
    names = [f"key{number}" for number in (7, 3, 9, 1, 8, 2)]
    line = {"record": "nft", **dict.fromkeys(names, 1), "metadata": dict.fromkeys(names, 1)}
    assert unknown_keys(line) == [f"nft.{one}" for one in names] + [f"nft.metadata.{one}" for one in names]
