"""LooksRare 1: asks and bids, by `TakerBid` and `TakerAsk` as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.building import (
    ONE_ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.looksrare_events import FEES, LOOKSRARE_1, taker_ask_1, taker_bid_1
from tests.markets.x2y2_events import ev_inventory

JOEPEGS, AVALANCHE, WAVAX = (
    "0xae079eda901f7727d0715aff8f82ba8295719977",
    43114,
    "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
)
GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
SAND = "0x3845badade8e6dff049820680d1f14bd3903a5d0"


def test_its_own_aggregator_is_the_same_market_and_shows_for_the_orders_of_others_too() -> None:
    aggregator = "0x00000000005228b791a99a61f36a130d50600106"
    logs = [
        erc20(WETH, 1000, LOOKSRARE_1, BOB),
        erc721(APES, 7, BOB, ALICE),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000),
    ]
    assert verdict(of_transaction(logs, target=aggregator, value=1000)).markets == ("looksrare",)
    order = ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=9, index=2)
    x2y2 = [erc721(APES, 7, BOB, ALICE, index=1), order]
    assert verdict(of_transaction(x2y2, target=aggregator, value=9)).markets == ("x2y2", "looksrare")


def _cut(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:-1])


def _emptied(event: RawLog) -> RawLog:
    return event._replace(data=b"")


def _without_a_topic(event: RawLog) -> RawLog:
    return event._replace(topics=event.topics[:3])


def _of_no_address(event: RawLog) -> RawLog:
    return event._replace(topics=(event.topics[0], "0x" + "ff" * 32, *event.topics[2:]))


def _of_no_units(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:160] + bytes(32) + event.data[192:])


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
        also=lambda found: (
            [(fault.protocol, fault.price) for fault in found.faults] == [("looksrare-1", 1000)]
        ),
        faults=(3,),
    ),
    "cancelled orders and look alike events of other contracts sell nothing": Case(
        log("CancelAllOrders(address,uint256)", [BOB], f"{9:064x}", contract=LOOKSRARE_1),
        ape(BOB, ALICE),
        taker_bid_1(price=1000, contract=CAROL),
        to=CAROL,
        value=1000,
    ).was("transfer", markets=(), commercial=False, fills=0),
    **{
        f"a malformed trade is a fault and the others are still read: {label}": _sent(
            harm(taker_bid_1(price=1)), weth(1000, ALICE, BOB), ape(BOB, ALICE), taker_bid_1(price=1000)
        ).was(sold(1000, WETH), faults=[("looksrare-1", 1)])
        for label, harm in enumerate([_cut, _emptied, _without_a_topic, _of_no_address, _of_no_units], 1)
    },
}


test_looksrare_1 = judged(CASES)


@UNHURRIED
@given(st.binary(max_size=300), st.integers(1, 4))
def test_whatever_a_trade_holds_it_is_a_fill_or_a_fault(data: bytes, topics: int) -> None:
    event = taker_bid_1(buyer=ALICE, seller=BOB, price=1, index=1)
    found = verdict(of_transaction([event._replace(data=data, topics=event.topics[:topics])]))
    assert found.fills or found.faults
