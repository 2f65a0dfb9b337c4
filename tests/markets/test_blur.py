"""Blur's first exchange, by `OrdersMatched` as it is published."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.blur_events import AGGREGATOR, BID, BLUR, BUY, Order, cut, orders_matched, pair
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    POOL_ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
)

ROYALTIES = "0x" + "0f" * 20
TWENTIETH = 500
PASSED_ON = Judgement("transfer")


def _bid_paid(price: int, currency: str, *, fee: int = 0, index: int = 3) -> list[RawLog]:
    """What a bid of Alice's pays: the fee, then Bob."""
    paid = [erc20(currency, price - fee, ALICE, BOB, index=index + 1)]
    return ([erc20(currency, fee, ALICE, ROYALTIES, index=index)] if fee else []) + paid


def _judged(*logs: RawLog, value: int = 0, sender: str = ALICE) -> Verdict:
    return verdict(of_transaction(logs, target=BLUR, value=value, sender=sender))


def test_a_bid_for_any_token_of_a_collection_buys_the_one_that_the_seller_names() -> None:
    sell, buy = pair(side=BID, currency=POOL_ETHER, token_id=2149)
    event = orders_matched(sell, buy._replace(token_id=0), index=6)
    found = _judged(*_bid_paid(ONE_ETHER, POOL_ETHER), erc721(APES, 2149, BOB, ALICE, index=5), event)
    assert found.judgements == (sold(ONE_ETHER, POOL_ETHER),)


def test_the_fees_of_the_buyers_order_come_on_top_of_the_price() -> None:
    event = orders_matched(*pair(buyer_fees=[(TWENTIETH, ROYALTIES)]), index=5)
    gross = ONE_ETHER + ONE_ETHER // 20
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), event, value=gross)
    assert (found.judgements, found.faults) == ((sold(gross),), ())


def test_each_sale_of_a_sweep_has_its_own_price() -> None:
    prices = {7: 19, 8: 16, 9: 19}
    logs = []
    for place, (token_id, price) in enumerate(prices.items()):
        orders = pair(token_id=token_id, price=price, seller=CAROL if token_id == 8 else BOB)
        logs.append(erc721(APES, token_id, orders[0].trader, ALICE, index=2 * place))
        logs.append(orders_matched(*orders, index=2 * place + 1))
    found = _judged(*logs, value=60)  # the rest is given back
    assert found.judgements == tuple(sold(price) for price in prices.values())


def test_an_order_for_several_units_that_is_filled_with_one_is_the_sale_of_that_one() -> None:
    sell, buy = (order._replace(amount=5) for order in pair())
    found = _judged(
        erc1155(APES, 7, 1, BOB, ALICE, index=4), orders_matched(sell, buy, index=5), value=ONE_ETHER
    )
    assert (found.judgements, found.faults) == ((sold(ONE_ETHER),), ())


def test_a_bid_whose_royalties_were_not_paid_is_a_fault() -> None:
    event = orders_matched(*pair(side=BID, currency=POOL_ETHER, fees=[(TWENTIETH, ROYALTIES)]), index=6)
    found = _judged(*_bid_paid(ONE_ETHER, POOL_ETHER), erc721(APES, 7, BOB, ALICE, index=5), event)
    assert ROYALTIES in found.faults[0].reason


SOUND = orders_matched(*pair(), index=9)
MALFORMED = {
    "cut off": cut(SOUND, 500),
    "without data": SOUND._replace(data=b""),
    "a topic too few": SOUND._replace(topics=SOUND.topics[:2]),
    "two selling orders": orders_matched(Order(), Order(ALICE), index=9),
    "two buying orders": orders_matched(Order(side=BUY), Order(ALICE, BUY), index=9),
    "a maker who made neither": orders_matched(*pair(), maker=CAROL, index=9),
    "a rate beyond 16 bits": orders_matched(*pair(fees=[(70_000, ROYALTIES)]), index=9),
    "an order beyond the end": SOUND._replace(data=b"\xff" * 32 + SOUND.data[32:]),
}


_sent = partial(Case, to=BLUR)
CASES = {
    "an ask in ether is sold for its price of which the fees are a part": _sent(
        ape(BOB, ALICE), orders_matched(*pair(fees=[(TWENTIETH, ROYALTIES)])), value=ONE_ETHER
    ).was(
        sold(ONE_ETHER, ETHER),
        at="blur",
        deal=(Side.ASK, BOB, ALICE),
        protocol="blur-1",
        order_hashes=("0x" + "5e" * 32, "0x" + "b0" * 32),
        also=lambda found: (
            [(one.receiver, one.amount) for one in found.fills[0].payments] == [(ROYALTIES, ONE_ETHER // 20)]
        ),
    ),
    **{
        f"a bid is sold for what seller and fees get together of its currency: {label}": _sent(
            _bid_paid(ONE_ETHER, currency, fee=ONE_ETHER // 20),
            erc721(APES, 7, BOB, ALICE, index=5),
            orders_matched(*pair(side=BID, currency=currency, fees=[(TWENTIETH, ROYALTIES)]), index=6),
            sender=BOB,
        ).was(sold(ONE_ETHER, currency), side=Side.BID)
        for label, currency in enumerate([POOL_ETHER, WETH], 1)
    },
    "orders listed in the same second are an ask that was taken": _sent(
        ape(BOB, ALICE), orders_matched(Order(), Order(ALICE, BUY)), value=ONE_ETHER
    ).was(sold(ONE_ETHER), side=Side.ASK),
    # The token tells of royalties behind each move, so that the next unit's move is nearer to the first one's event.
    "units of one id at several prices each get the price of their own event": _sent(
        erc1155(APES, 7, 1, BOB, ALICE, index=1),
        *(log("Royalties(uint256)", [1], index=index) for index in (2, 3)),
        orders_matched(*pair(price=10), index=4),
        erc1155(APES, 7, 1, BOB, ALICE, index=5),
        *(log("Royalties(uint256)", [1], index=index) for index in (6, 7)),
        orders_matched(*pair(price=20), index=8),
        value=30,
    ).was(sold(10), sold(20)),
    # it lists its own order as of time 0
    "through the aggregator the sale is the leg that leaves the seller": Case(
        ape(BOB, AGGREGATOR),
        orders_matched(*pair(buyer=AGGREGATOR, side=BID)),
        ape(AGGREGATOR, ALICE),
        to=AGGREGATOR,
        value=ONE_ETHER,
    ).was(sold(ONE_ETHER), PASSED_ON, markets=("blur",)),
    "orders matched for nothing are no sale": _sent(
        ape(BOB, ALICE), orders_matched(*pair(price=0, fees=[(TWENTIETH, ROYALTIES)]))
    ).was(PASSED_ON),
    "a cancelled order is no sale": _sent(
        ape(BOB, ALICE), log("OrderCancelled(bytes32)", data="5e" * 32, contract=BLUR)
    ).was(PASSED_ON, fills=0),
    "a bid that the pool did not pay has no price whatever was put into the pool": _sent(
        erc20(POOL_ETHER, ONE_ETHER, ETHER, ALICE),
        ape(BOB, ALICE),
        orders_matched(*pair(side=BID, currency=POOL_ETHER)),
    ).was("sale", faults=[3]),
    **{
        f"a malformed event is a fault and the rest is still read: {label}": _sent(
            erc721(APES, 7, BOB, ALICE, index=4), orders_matched(*pair(), index=5), event, value=ONE_ETHER
        ).was(sold(ONE_ETHER), faults=[("blur-1", 9)])
        for label, event in MALFORMED.items()
    },
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_blur(case: Case) -> None:
    case.holds()


@UNHURRIED
@given(st.binary(max_size=700))
def test_no_data_of_an_event_stops_the_reading(data: bytes) -> None:
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), SOUND._replace(data=data))
    assert len(found.faults) + len(found.fills) >= 1


@UNHURRIED
@given(
    st.integers(1, 2**90),
    st.lists(st.integers(0, 3000), max_size=3),
    st.lists(st.integers(0, 3000), max_size=3),
)
def test_the_price_is_all_that_the_bidder_pays(price: int, fees: list[int], on_top: list[int]) -> None:
    taken = [price * rate // 10_000 for rate in fees]
    added = [price * rate // 10_000 for rate in on_top]
    amounts = [*taken, *added, price - sum(taken)]
    receivers = [*[ROYALTIES] * len(taken), *[CAROL] * len(added), BOB]
    orders = pair(
        side=BID,
        currency=POOL_ETHER,
        price=price,
        fees=[(rate, ROYALTIES) for rate in fees],
        buyer_fees=[(rate, CAROL) for rate in on_top],
    )
    paid = [
        erc20(POOL_ETHER, amount, ALICE, receiver, index=index)
        for index, (amount, receiver) in enumerate(zip(amounts, receivers, strict=True))
    ]
    found = _judged(*paid, erc721(APES, 7, BOB, ALICE, index=20), orders_matched(*orders, index=21))
    assert (found.judgements, found.faults) == ((sold(sum(amounts), POOL_ETHER),), ())
