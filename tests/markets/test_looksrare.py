"""LooksRare 1 and 2: asks, bids and bundles, by `TakerBid` and `TakerAsk` as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Payment, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.building import Case, ape, erc20, erc1155, judged, of_transaction, sold, verdict, weth
from tests.markets.currencies import ETHER, ONE_ETHER, WETH
from tests.markets.looksrare_events import FEES, LOOKSRARE_1, LOOKSRARE_2, taker_ask_1, taker_bid_1, trade_2
from tests.markets.x2y2_events import ev_inventory

JOEPEGS, AVALANCHE, WAVAX = (
    "0xae079eda901f7727d0715aff8f82ba8295719977",
    43114,
    "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
)
AGGREGATOR = "0x00000000005228b791a99a61f36a130d50600106"
GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
SAND = "0x3845badade8e6dff049820680d1f14bd3903a5d0"
CREATOR = "0x" + "c4" * 20
_at_1 = partial(Case, to=LOOKSRARE_1)
_at_2 = partial(Case, to=LOOKSRARE_2)
CASES = {
    "an ask paid in WETH is sold for what the seller and the fees get together": _at_1(
        weth(5, ALICE, FEES), weth(245, ALICE, BOB), ape(BOB, ALICE), taker_bid_1(price=250)
    ).was(sold(250, WETH), at="looksrare", deal=(Side.ASK, BOB, ALICE), order_hashes=("0x" + "10" * 32,)),
    "an ask paid in ether is sold in WETH since the exchange wraps and pays it": _at_1(
        log("Deposit(address,uint256)", [LOOKSRARE_1], f"{ONE_ETHER:064x}", contract=WETH),
        weth(ONE_ETHER // 50, LOOKSRARE_1, FEES),
        weth(ONE_ETHER - ONE_ETHER // 50, LOOKSRARE_1, BOB),
        ape(BOB, ALICE),
        taker_bid_1(price=ONE_ETHER),
        value=ONE_ETHER,
    ).was(sold(ONE_ETHER, WETH)),
    "an ask paid partly in ether and partly in WETH has the whole as its price": _at_1(
        weth(400, ALICE, LOOKSRARE_1),
        weth(1000, LOOKSRARE_1, BOB),
        ape(BOB, ALICE),
        taker_bid_1(price=1000),
        value=600,
    ).was(sold(1000, WETH)),
    # a collection bid: the event names the token that was given
    "a bid that is accepted is sold by the taker for what the maker pays": _at_1(
        ape(ALICE, BOB, 99),
        weth(20, BOB, FEES),
        weth(980, BOB, ALICE),
        taker_ask_1(seller=ALICE, buyer=BOB, price=1000, token_id=99),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB)),
    "a trade in another token has that currency": _at_1(
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
    "several units of an ERC-1155 are one item with the whole price": _at_1(
        weth(1000, ALICE, BOB), erc1155(APES, 7, 5, BOB, ALICE), taker_bid_1(price=1000, amount=5)
    ).was(sold(1000, WETH)),
    "an ERC-721 is sold whatever amount the order says since only one can move": _at_1(
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
    "an order filled for nothing is no sale": _at_1(ape(BOB, ALICE), taker_bid_1(price=0)).was(
        "transfer", commercial=True
    ),
    "a price that nobody paid is not published": _at_1(
        weth(10, ALICE, BOB), ape(BOB, ALICE), taker_bid_1(price=1000)
    ).was("sale", also=lambda found: found.faults[0].protocol == "looksrare-1", faults=[(3, 1000)]),
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
    "an ask in ether is sold for the proceeds the royalty and the fee together": _at_2(
        ape(BOB, ALICE),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 990), creator=(CREATOR, 5), fee=5),
        value=1000,
    ).was(
        sold(1000),
        at="looksrare",
        deal=(Side.ASK, BOB, ALICE),
        currency=ETHER,
        order_hashes=("0x" + "10" * 32,),
    ),
    "an ask bought for somebody else is sold to who gets it": _at_2(
        ape(BOB, CAROL), trade_2("TakerBid", ALICE, CAROL, proceeds=(BOB, 1000)), value=1000
    ).was(sold(1000), buyer=ALICE),
    "a bid that is accepted is sold by the taker though another gets the proceeds": _at_2(
        ape(ALICE, BOB),
        weth(990, BOB, CAROL),
        weth(5, BOB, CREATOR),
        trade_2("TakerAsk", ALICE, BOB, proceeds=(CAROL, 990), creator=(CREATOR, 5), fee=5, currency=WETH),
        weth(5, BOB, FEES),
    ).was(
        sold(1000, WETH),
        deal=(Side.BID, ALICE, BOB),
        payments=(Payment(WETH, 990, CAROL), Payment(WETH, 5, CREATOR), Payment(WETH, 5, FEES)),
    ),
    # ether leaves no log: the exchange passes it on
    "a bundle has no price for one NFT but every leg": _at_2(
        ape(BOB, ALICE),
        ape(BOB, ALICE, 8),
        trade_2("TakerBid", ALICE, ALICE, token_ids=(7, 8), amounts=(1, 1), proceeds=(BOB, 995), fee=5),
        value=1000,
    ).was(
        "sale",
        "sale",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "looksrare"),
            Leg(APES, 8, BOB, ALICE, 1, "looksrare"),
            Leg(ETHER, None, ALICE, BOB, 995, "looksrare"),
            Leg(ETHER, None, ALICE, LOOKSRARE_2, 5, "looksrare"),
        ),
        also=lambda found: {one.price for one in found.judgements} == {0},
    ),
    "a batch of asks has a price each and pays its fees at the end at once": _at_2(
        weth(990, ALICE, BOB),
        ape(BOB, ALICE),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 990), fee=10, currency=WETH),
        weth(495, ALICE, CAROL),
        ape(CAROL, ALICE, 8),
        trade_2("TakerBid", ALICE, ALICE, token_ids=(8,), proceeds=(CAROL, 495), fee=5, currency=WETH),
        weth(15, ALICE, FEES),
    ).was(sold(1000, WETH), sold(500, WETH)),
    "units of an ERC-1155 are one item with the whole price": _at_2(
        erc1155(APES, 7, 5, BOB, ALICE),
        trade_2("TakerBid", ALICE, ALICE, amounts=(5,), proceeds=(BOB, 1000)),
        value=1000,
    ).was(sold(1000)),
    "more ether than the transaction brought is not published as a price": _at_2(
        ape(BOB, ALICE), trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, ONE_ETHER)), value=1
    ).was("sale", faults=1),
    "an order of version 2 filled for nothing is no sale": _at_2(
        ape(BOB, ALICE), trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 0))
    ).was("transfer"),
}

test_looksrare = judged(CASES)

_TAKEN_1 = taker_bid_1(price=1)
_taken_2 = partial(trade_2, "TakerBid", ALICE, ALICE, proceeds=(BOB, 9))
MALFORMED = {
    "1: of no address": _TAKEN_1._replace(
        topics=(_TAKEN_1.topics[0], "0x" + "ff" * 32, *_TAKEN_1.topics[2:])
    ),
    "1: of no units": _TAKEN_1._replace(data=_TAKEN_1.data[:160] + bytes(32) + _TAKEN_1.data[192:]),
    "2: a list of ids longer than any data": _taken_2()._replace(
        data=_taken_2().data[: 15 * 32] + b"\xff" * 32 + _taken_2().data[16 * 32 :]
    ),
    # What follows, the exchange would refuse.
    "2: of nothing": _taken_2(token_ids=(), amounts=()),
    "2: lists of unequal length": _taken_2(token_ids=(7, 8)),
    "2: of no units": _taken_2(amounts=(0,)),
}


@UNHURRIED
@given(
    st.lists(st.tuples(st.integers(0, 2**256 - 1), st.integers(1, 2**128)), min_size=1, max_size=5),
    st.tuples(st.integers(0, 2**128), st.integers(0, 2**128), st.integers(0, 2**128)),
)
def test_the_price_is_always_the_sum_of_the_three_amounts_and_the_items_are_those_listed(
    items: list[tuple[int, int]], paid: tuple[int, int, int]
) -> None:
    event = trade_2(
        "TakerAsk",
        ALICE,
        BOB,
        token_ids=[token_id for token_id, _ in items],
        amounts=[amount for _, amount in items],
        proceeds=(ALICE, paid[0]),
        creator=(CREATOR, paid[1]),
        fee=paid[2],
        index=1,
    )
    fill = verdict(of_transaction([event])).fills[0]
    assert fill.price == sum(paid)
    assert [(item.token_id, item.amount) for item in fill.items] == items
    assert sum(one.amount for one in fill.payments) == sum(paid)
