"""LooksRare 2: asks, bids and bundles, by `TakerBid` and `TakerAsk` as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Payment, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    WETH,
    Case,
    ape,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.looksrare_events import FEES, LOOKSRARE_2, trade_2

CREATOR = "0x" + "c4" * 20


_sent = partial(Case, to=LOOKSRARE_2)
CASES = {
    "an ask in ether is sold for the proceeds the royalty and the fee together": _sent(
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
    "an ask bought for somebody else is sold to who gets it": _sent(
        ape(BOB, CAROL), trade_2("TakerBid", ALICE, CAROL, proceeds=(BOB, 1000)), value=1000
    ).was(sold(1000), buyer=ALICE),
    "a bid that is accepted is sold by the taker though another gets the proceeds": _sent(
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
    "a bundle has no price for one NFT but every leg": _sent(
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
    "a batch of asks has a price each and pays its fees at the end at once": _sent(
        weth(990, ALICE, BOB),
        ape(BOB, ALICE),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 990), fee=10, currency=WETH),
        weth(495, ALICE, CAROL),
        ape(CAROL, ALICE, 8),
        trade_2("TakerBid", ALICE, ALICE, token_ids=(8,), proceeds=(CAROL, 495), fee=5, currency=WETH),
        weth(15, ALICE, FEES),
    ).was(sold(1000, WETH), sold(500, WETH)),
    "units of an ERC-1155 are one item with the whole price": _sent(
        erc1155(APES, 7, 5, BOB, ALICE),
        trade_2("TakerBid", ALICE, ALICE, amounts=(5,), proceeds=(BOB, 1000)),
        value=1000,
    ).was(sold(1000)),
    "more ether than the transaction brought is not published as a price": _sent(
        ape(BOB, ALICE), trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, ONE_ETHER)), value=1
    ).was("sale", faults=1),
    "an order filled for nothing is no sale": _sent(
        ape(BOB, ALICE), trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 0))
    ).was("transfer"),
}


test_looksrare_2 = judged(CASES)

_BID = partial(trade_2, "TakerBid", ALICE, ALICE, proceeds=(BOB, 9))
MALFORMED = {
    "without its last word": _BID()._replace(data=_BID().data[:-32]),
    "a list of ids longer than any data": _BID()._replace(
        data=_BID().data[: 15 * 32] + b"\xff" * 32 + _BID().data[16 * 32 :]
    ),
    # What follows, the exchange would refuse.
    "of nothing": _BID(token_ids=(), amounts=()),
    "lists of unequal length": _BID(token_ids=(7, 8)),
    "of no units": _BID(amounts=(0,)),
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
