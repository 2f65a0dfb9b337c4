"""The sale auctions of CryptoKitties: the kitty is in custody, and its move follows the event."""

from __future__ import annotations

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, BOB, CAROL, LATER, log, words
from tests.markets.building import Case, judged, sold
from tests.markets.order_logs import auction_cancelled, auction_created

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
    "putting a kitty up is custody": Case(
        _moved(1, BOB, SALES), auction_created(start=3, duration=9), sender=BOB
    ).was("transfer", commercial=False),
    "taking a kitty back is custody": Case(_moved(1, SALES, BOB), auction_cancelled(), sender=BOB).was(
        "transfer", commercial=False
    ),
    "an event whose kitty goes elsewhere is a fault": Case(
        _successful(1, 50, ALICE), _moved(1, SALES, CAROL)
    ).was("transfer", faults=[(1, 50)]),
}

test_cryptokitties_auctions = judged(CASES)
