"""LooksRare 1: asks and bids, by `TakerBid` and `TakerAsk` as they are published."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log
from tests.markets.building import (
    ONE_ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc1155,
    judged,
    sold,
    weth,
)
from tests.markets.looksrare_events import FEES, LOOKSRARE_1, taker_ask_1, taker_bid_1
from tests.markets.x2y2_events import ev_inventory

JOEPEGS, AVALANCHE, WAVAX = (
    "0xae079eda901f7727d0715aff8f82ba8295719977",
    43114,
    "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
)
AGGREGATOR = "0x00000000005228b791a99a61f36a130d50600106"
GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
SAND = "0x3845badade8e6dff049820680d1f14bd3903a5d0"


_sent = partial(Case, to=LOOKSRARE_1)
CASES = {
    "an ask paid in WETH is sold for what the seller and the fees get together": _sent(
        weth(5, ALICE, FEES), weth(245, ALICE, BOB), ape(BOB, ALICE), taker_bid_1(price=250)
    ).was(sold(250, WETH), at="looksrare", deal=(Side.ASK, BOB, ALICE), order_hashes=("0x" + "10" * 32,)),
    "an ask paid in ether is sold in WETH since the exchange wraps and pays it": _sent(
        log("Deposit(address,uint256)", [LOOKSRARE_1], f"{ONE_ETHER:064x}", contract=WETH),
        weth(ONE_ETHER // 50, LOOKSRARE_1, FEES),
        weth(ONE_ETHER - ONE_ETHER // 50, LOOKSRARE_1, BOB),
        ape(BOB, ALICE),
        taker_bid_1(price=ONE_ETHER),
        value=ONE_ETHER,
    ).was(sold(ONE_ETHER, WETH)),
    "an ask paid partly in ether and partly in WETH has the whole as its price": _sent(
        weth(400, ALICE, LOOKSRARE_1),
        weth(1000, LOOKSRARE_1, BOB),
        ape(BOB, ALICE),
        taker_bid_1(price=1000),
        value=600,
    ).was(sold(1000, WETH)),
    # a collection bid: the event names the token that was given
    "a bid that is accepted is sold by the taker for what the maker pays": _sent(
        ape(ALICE, BOB, 99),
        weth(20, BOB, FEES),
        weth(980, BOB, ALICE),
        taker_ask_1(seller=ALICE, buyer=BOB, price=1000, token_id=99),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB)),
    "a trade in another token has that currency": _sent(
        ape(BOB, ALICE), erc20(SAND, 1000, ALICE, BOB), taker_bid_1(price=1000, currency=SAND)
    ).was(sold(1000, SAND)),
    "through an aggregator the leg that leaves the seller is the sale": Case(
        weth(1000, LOOKSRARE_1, BOB),
        ape(BOB, GEM),
        taker_bid_1(buyer=GEM, price=1000),
        ape(GEM, ALICE),
        to=GEM,
        value=1300,
    ).was(sold(1000, WETH), "transfer", markets=("looksrare", "gem")),
    "several units of an ERC-1155 are one item with the whole price": _sent(
        weth(1000, ALICE, BOB), erc1155(APES, 7, 5, BOB, ALICE), taker_bid_1(price=1000, amount=5)
    ).was(sold(1000, WETH)),
    "an ERC-721 is sold whatever amount the order says since only one can move": _sent(
        weth(1000, ALICE, BOB), ape(BOB, ALICE), taker_bid_1(price=1000, amount=5)
    ).was(sold(1000, WETH)),
    "two sales of one NFT in one transaction each have their leg and price": Case(
        weth(40, CAROL, BOB),
        ape(BOB, CAROL),
        taker_bid_1(buyer=CAROL, price=40),
        ape(CAROL, ALICE),
        weth(65, ALICE, CAROL),
        taker_ask_1(seller=CAROL, price=65),
        to=CAROL,
    ).was(sold(40, WETH), sold(65, WETH)),
    "a copy of the exchange on another chain is read under its own name": Case(
        erc20(WAVAX, 1000, ALICE, BOB),
        ape(BOB, ALICE),
        taker_bid_1(price=1000, currency=WAVAX, contract=JOEPEGS),
        to=JOEPEGS,
        chain=AVALANCHE,
    ).was(sold(1000, WAVAX), markets=("joepegs",)),
    "an order filled for nothing is no sale": _sent(ape(BOB, ALICE), taker_bid_1(price=0)).was(
        "transfer", commercial=True
    ),
    "a price that nobody paid is not published": _sent(
        weth(10, ALICE, BOB), ape(BOB, ALICE), taker_bid_1(price=1000)
    ).was(
        "sale",
        also=lambda found: found.faults[0].protocol == "looksrare-1",
        faults=[(3, 1000)],
    ),
    "cancelled orders and look alike events of other contracts sell nothing": Case(
        log("CancelAllOrders(address,uint256)", [BOB], f"{9:064x}", contract=LOOKSRARE_1),
        ape(BOB, ALICE),
        taker_bid_1(price=1000, contract=CAROL),
        to=CAROL,
        value=1000,
    ).was("transfer", markets=(), commercial=False, fills=0),
    "its own aggregator is the same market": Case(
        weth(1000, LOOKSRARE_1, BOB), ape(BOB, ALICE), taker_bid_1(price=1000), to=AGGREGATOR, value=1000
    ).was(sold(1000, WETH), markets=("looksrare",)),
    "its own aggregator shows for the orders of others too": Case(
        ape(BOB, ALICE), ev_inventory(price=9), to=AGGREGATOR, value=9
    ).was(sold(9), markets=("x2y2", "looksrare")),
}


test_looksrare_1 = judged(CASES)

_BID = taker_bid_1(price=1)
MALFORMED = {
    "without its last byte": _BID._replace(data=_BID.data[:-1]),
    "without data": _BID._replace(data=b""),
    "of no address": _BID._replace(topics=(_BID.topics[0], "0x" + "ff" * 32, *_BID.topics[2:])),
    "of no units": _BID._replace(data=_BID.data[:160] + bytes(32) + _BID.data[192:]),
}
