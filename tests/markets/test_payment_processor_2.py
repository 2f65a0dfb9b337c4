"""Limit Break's Payment Processor 2: listings and offers as they are published, and fees on top of them."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import NATIVE, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, words
from tests.markets.building import (
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    sold,
    weth,
)
from tests.markets.looksrare_events import taker_bid_1
from tests.markets.payment_processor_events import PROCESSOR_2, accepted, bought

FORWARDER = "0x5ebc127fae83ed5bdd91fc6a5f5767e259df5642"
FEES = "0x" + "fe" * 20


def two_offers(*more: tuple[int, int]) -> list[RawLog]:
    """Two items at 100 and 200 in a token, and what else the buyer sends: at which log, how much."""
    return [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        bought(ALICE, BOB, 100, coin=WETH, index=3),
        erc721(APES, 8, CAROL, ALICE, index=4),
        erc20(WETH, 200, ALICE, CAROL, index=5),
        bought(ALICE, CAROL, 200, coin=WETH, token_id=8, index=6),
        *(erc20(WETH, amount, ALICE, FEES, index=index) for index, amount in more),
    ]


_sent = partial(Case, to=PROCESSOR_2)
CASES = {
    **{
        f"a listing costs what the event tells where no more was brought: {label}": Case(
            ape(BOB, ALICE), bought(ALICE, BOB, 100), to=target, value=100
        ).was(sold(100), at="magiceden", deal=(Side.ASK, BOB, ALICE))
        for label, target in enumerate([PROCESSOR_2, FORWARDER], 1)
    },
    "a sweep in ether has a price for each item": _sent(
        ape(BOB, ALICE),
        bought(ALICE, BOB, 100),
        erc1155(APES, 8, 5, CAROL, ALICE),
        bought(ALICE, CAROL, 250, token_id=8, units=5),
        value=350,
    ).was(sold(100), sold(250)),
    "the NFT may go to a beneficiary": _sent(ape(BOB, CAROL), bought(ALICE, BOB, 100), value=100).was(
        sold(100)
    ),
    "an offer names the seller first": _sent(
        ape(BOB, ALICE),
        weth(5, ALICE, FEES),
        weth(95, ALICE, BOB),
        accepted(BOB, ALICE, 100, coin=WETH),
        sender=BOB,
    ).was(sold(100, WETH), deal=(Side.BID, BOB, ALICE)),
    **{
        f"a fee on top in a token is a part of the price: {fee_index}": _sent(
            erc721(APES, 7, BOB, ALICE, index=2),
            erc20(WETH, 2, ALICE, FEES, index=fee_index),
            erc20(WETH, 100, ALICE, BOB, index=4),
            bought(ALICE, BOB, 100, coin=WETH, index=5),
        ).was(sold(102, WETH))
        for fee_index in [3, 6]
    },
    "items of a sweep in a token have prices where nothing came on top": _sent(two_offers()).was(
        sold(100, WETH), sold(200, WETH)
    ),
    "one fee on top of a whole sweep is not split": _sent(two_offers((7, 30))).was(
        *["sale"] * 2, faults=(3, 6)
    ),
    "what the buyer pays at another market is no fee on top": Case(
        weth(55, ALICE, CAROL),
        ape(CAROL, ALICE, 9),
        taker_bid_1(seller=CAROL, token_id=9, price=55),
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        bought(ALICE, BOB, 100, coin=WETH),
        to=CAROL,
    ).was(sold(55, WETH), sold(100, WETH)),
    "a sale at no price is none": _sent(ape(BOB, ALICE), accepted(BOB, ALICE, 0, coin=WETH)).was("transfer"),
    "more ether may be a fee on top or be handed back and no price is told": _sent(
        ape(BOB, ALICE), bought(ALICE, BOB, 100), value=105
    ).was(
        "sale",
        swaps=(Leg(APES, 7, BOB, ALICE, 1, "magiceden"), Leg(NATIVE, None, ALICE, BOB, 100, "magiceden")),
        faults=1,
    ),
    **{
        f"it has one address on several chains: {chain}": _sent(
            ape(BOB, ALICE), bought(ALICE, BOB, 100), value=100, chain=chain
        ).was(sold(100))
        for chain in (137, 8453, 42161)
    },
    "a cancelled order says nothing": _sent(
        log("OrderDigestInvalidated(bytes32,address,bool)", [5, BOB], words(1), contract=PROCESSOR_2),
        ape(BOB, ALICE),
        value=100,
    ).was("transfer", fills=0, markets=()),
}


test_payment_processor_2 = judged(CASES)

_GOOD = bought(ALICE, BOB, 100)
MALFORMED = {
    "without its last byte": _GOOD._replace(data=_GOOD.data[:-1]),
    "of no units": bought(ALICE, BOB, 100, units=0),
}
