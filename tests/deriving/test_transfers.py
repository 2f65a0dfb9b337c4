"""Transfers as lines state them, merged with what is stored."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from interchange.load import LoadReport
from tests.builders import ALICE, APES, BOB, CAROL, ZERO, Line, contract, load_lines, nft, transfer
from transfers.models import Transfer

pytestmark = pytest.mark.django_db
HASH = "0x" + "5e" * 32


def only_transfer() -> Transfer:
    return Transfer.objects.get()


def reasons(report: LoadReport) -> list[str]:
    return [fault.reason for fault in report.faults]


def test_a_later_line_wins_for_the_keys_it_holds_and_null_clears() -> None:
    first = transfer(value="5", markets=["opensea"], native={"a": 1}, usdValue=12.5)
    later = {name: first[name] for name in ("record", "chain", "transactionHash", "logIndex", "batchIndex")}
    load_lines([first, later | {"markets": None, "native": None, "transferType": "mint"}])
    row = only_transfer()
    assert (row.value, row.markets, row.native, row.transfer_type) == (5, "[]", None, "mint")
    assert (row.to_address, row.block_number, row.stated_usd_value) == (ALICE, 1, Decimal("12.5"))


@pytest.mark.parametrize("batch_lines", [1, 10])
def test_a_line_that_moves_a_transfer_to_another_nft_takes_it_from_the_first(batch_lines: int) -> None:
    line = transfer("1", receiver=BOB)
    load_lines([line, line | {"tokenId": "2"}], batch_lines=batch_lines)
    assert only_transfer().nft.token_id == "2"
    from tokens.models import NftRecent, Owner

    recents = {row.nft.token_id: row for row in NftRecent.objects.select_related("nft")}
    assert (recents["1"].last_transfer_id, recents["1"].owners_total) == (None, None)
    assert (recents["2"].last_transfer_id, recents["2"].owners_total) == (only_transfer().id, 1)
    assert [(owner.nft.token_id, owner.address) for owner in Owner.objects.all()] == [("2", BOB)]


@pytest.mark.parametrize("missing", ["blockNumber", "timestamp", "tokenId"])
def test_an_unknown_transfer_that_lacks_its_place_or_token_is_a_bad_line(missing: str) -> None:
    line = transfer()
    del line[missing]
    report = load_lines([line, transfer("2", block=2)])
    assert missing in reasons(report)[0]
    assert only_transfer().nft.token_id == "2"


def test_an_amount_that_is_not_stated_is_one() -> None:
    line = transfer()
    del line["amount"]
    assert load_lines([line]).fault_count == 0
    assert only_transfer().amount == 1


def last_transfer(token_id: str, **fields: Any) -> Line:
    """An NFT line with a last transfer that names no log index."""
    last = {
        "transactionHash": HASH,
        "blockNumber": 7,
        "timestamp": 1_600_000_084,
        "amount": "1",
        "fromAddress": ZERO,
        "toAddress": ALICE,
        "swaps": [],
        "markets": ["blur"],
    }
    return nft(token_id, lastTransfer=last | fields)


@pytest.mark.parametrize("first", [True, False])
def test_a_last_transfer_without_log_index_joins_that_of_its_transaction_and_nft(first: bool) -> None:
    lines = [last_transfer("1"), transfer("1", block=7, log=62, transactionHash=HASH, receiver=ALICE)]
    load_lines(lines if first else lines[::-1])
    assert (only_transfer().log_index, only_transfer().markets) == (62, '["blur"]')


def test_of_several_transfers_in_the_transaction_the_newest_is_joined() -> None:
    lines = [
        transfer("1", block=7, log=log, transactionHash=HASH, sender=sender, receiver=receiver)
        for log, sender, receiver in ((3, ZERO, BOB), (9, CAROL, ALICE), (5, BOB, CAROL))
    ]
    load_lines([*lines, last_transfer("1")])
    assert dict(Transfer.objects.values_list("log_index", "markets")) == {3: "[]", 5: "[]", 9: '["blur"]'}


def test_last_transfers_of_several_nfts_in_one_transaction_stay_apart() -> None:
    lines = [last_transfer("1"), last_transfer("2", toAddress=BOB), last_transfer("3", toAddress=CAROL)]
    for _ in range(2):
        assert load_lines(lines).fault_count == 0
        rows = Transfer.objects.order_by("id").values_list("nft__token_key", "log_index", "to_address")
        assert list(rows) == [("011", 0, ALICE), ("012", 0, BOB), ("013", 0, CAROL)]


def test_a_transaction_of_two_chains_is_two_transfers() -> None:
    load_lines([transfer(transactionHash=HASH), transfer(on="polygon", transactionHash=HASH)])
    assert Transfer.objects.count() == 2


def test_ids_follow_the_order_of_lines() -> None:
    load_lines([contract(), *(transfer(str(block), block=block) for block in (3, 1, 2))])
    assert list(Transfer.objects.order_by("id").values_list("block_number", flat=True)) == [3, 1, 2]
    assert set(Transfer.objects.values_list("contract__address", flat=True)) == {APES}
