"""The sale auctions of CryptoKitties: the kitty is in custody, and its move follows the event."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, BOB, CAROL, LATER, log, words
from tests.markets.building import Case, of_transaction, sold, verdict

KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
SALES = "0xb1690c08e213a35ed9bab7b318de14420fb57d8c"
SIRES = "0xc7af99fe5513eb6710e6d5f44f9989da40f27f26"


def _moved(kitty: int, sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    data = words(sender, receiver, kitty)
    return log("Transfer(address,address,uint256)", [], data, contract=KITTIES, index=index)


def _successful(kitty: int, price: int, winner: str, *, index: int = LATER, contract: str = SALES) -> RawLog:
    signature = "AuctionSuccessful(uint256,uint256,address)"
    return log(signature, [], words(kitty, price, winner), contract=contract, index=index)


CASES = {
    "a kitty is sold by the move that follows the event for the price without the change": Case(
        _successful(447760, 50, ALICE), _moved(447760, SALES, ALICE), to=SALES, value=60
    ).was(sold(50), at="cryptokitties-auction", deal=(Side.AUCTION, None, ALICE)),
    "several kitties bought by one contract each carry their price": Case(
        _successful(1, 50, BOB),
        _moved(1, SALES, BOB),
        _successful(2, 70, BOB),
        _moved(2, SALES, BOB),
        to=BOB,
        value=120,
    ).was(sold(50), sold(70)),
    "a price above what the transaction brought is not published": Case(
        _successful(1, 50, ALICE), _moved(1, SALES, ALICE), to=SALES, value=49
    ).was("sale", faults=1),
    "a clock that came to nothing gives the kitty away": Case(
        _successful(1, 0, ALICE), _moved(1, SALES, ALICE)
    ).was("transfer"),
    "a rented sire goes home and is no sale": Case(
        _successful(1, 50, ALICE, contract=SIRES), _moved(1, SIRES, BOB), to=SIRES, value=50
    ).was("transfer", fills=0),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_cryptokitties_auctions(case: Case) -> None:
    case.holds()


def test_putting_a_kitty_up_and_taking_it_back_is_custody() -> None:
    created = log(
        "AuctionCreated(uint256,uint256,uint256,uint256)", [], words(1, 3, 0, 9), contract=SALES, index=2
    )
    cancelled = log("AuctionCancelled(uint256)", [], words(1), contract=SALES, index=2)
    for logs in ([_moved(1, BOB, SALES, index=1), created], [_moved(1, SALES, BOB, index=1), cancelled]):
        found = verdict(of_transaction(logs, sender=BOB))
        assert ([one.transfer_type for one in found.judgements], found.is_commercial) == (["transfer"], False)


def test_an_event_whose_kitty_goes_elsewhere_is_a_fault() -> None:
    logs = [_successful(1, 50, ALICE), _moved(1, SALES, CAROL)]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [(one.log_index, one.price) for one in found.faults] == [(1, 50)]
