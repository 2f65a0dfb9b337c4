"""Limit Break's Payment Processor 1: single sales, bundles and sweeps as they are published."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import (
    WETH,
    Case,
    ape,
    erc1155,
    judged,
    sold,
    weth,
)
from tests.markets.payment_processor_events import PROCESSOR_1, several_1, single_1


def _swept(sent: int) -> Case:
    sweep = several_1("SweepCollectionERC1155", [ALICE], [[0], [BOB], [7], [4], [100]], coin=WETH)
    return Case(erc1155(APES, 7, 4, BOB, ALICE), weth(sent, ALICE, BOB), sweep, to=PROCESSOR_1)


_sent = partial(Case, to=PROCESSOR_1)
CASES = {
    "a listing costs what the event tells": _sent(
        ape(BOB, ALICE), single_1(ALICE, BOB, 100), value=100, sender=ALICE
    ).was(sold(100), at="magiceden", deal=(Side.ASK, BOB, ALICE)),
    "an offer that the seller accepts has the same event": _sent(
        erc1155(APES, 7, 3, BOB, ALICE),
        weth(100, ALICE, BOB),
        single_1(ALICE, BOB, 100, coin=WETH, units=3),
        sender=BOB,
    ).was(sold(100, WETH), side=Side.BID),
    # 8 was not delivered, nor paid
    "the items of a bundle have the prices that were signed for each": _sent(
        ape(BOB, ALICE),
        ape(BOB, ALICE, 9),
        several_1("BuyBundledListingERC721", [ALICE, BOB], [[0, 1, 0], [7, 8, 9], [10, 20, 30]]),
        value=60,
    ).was(sold(10), sold(30)),
    "a bundle of ERC-1155 has units of each": _sent(
        erc1155(APES, 7, 2, BOB, ALICE),
        several_1("BuyBundledListingERC1155", [ALICE, BOB], [[0], [7], [2], [50]]),
        value=50,
    ).was(sold(50)),
    "a sweep has a seller and a price for each item": _sent(
        ape(BOB, ALICE),
        ape(CAROL, ALICE, 8),
        several_1("SweepCollectionERC721", [ALICE], [[0, 0], [BOB, CAROL], [7, 8], [10, 20]]),
        value=30,
    ).was(sold(10), sold(20), also=lambda found: [fill.seller for fill in found.fills] == [BOB, CAROL]),
    "a sale at no price is none": _sent(ape(BOB, ALICE), single_1(ALICE, BOB, 0)).was("transfer"),
    "a sweep of ERC-1155 in a token is held against what the buyer sent": _swept(100).was(sold(100, WETH)),
    "a sweep of ERC-1155 in a token that the buyer did not send is a fault": _swept(99).was("sale", faults=1),
}


test_payment_processor_1 = judged(CASES)

_GOOD, _ODD = single_1(ALICE, BOB, 100), "0x" + "ff" * 32
MALFORMED = {
    "without its last byte": _GOOD._replace(data=_GOOD.data[:-1]),
    "of no units": single_1(ALICE, BOB, 100, units=0),
    "a seller that is no address": several_1(
        "SweepCollectionERC721", [ALICE], [[0, 0], [BOB, _ODD], [7, 8], [10, 20]]
    ),
    "lists of unequal length": several_1("SweepCollectionERC721", [ALICE], [[0], [BOB], [7, 8], [10, 20]]),
}
