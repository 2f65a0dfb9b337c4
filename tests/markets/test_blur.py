"""Blur's first exchange, by `OrdersMatched` as it is published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.blur_events import AGGREGATOR, BID, BLUR, BUY, Order, cut, orders_matched, pair
from tests.markets.building import Case, ape, erc20, erc721, erc1155, judged, sold
from tests.markets.currencies import ETHER, ONE_ETHER, POOL_ETHER, WETH

ROYALTIES = "0x" + "0f" * 20
TWENTIETH = 500
PASSED_ON = Judgement("transfer")


def _bid_paid(price: int, currency: str, *, fee: int = 0, index: int = 3) -> list[RawLog]:
    """What a bid of Alice's pays: the fee, then Bob."""
    paid = [erc20(currency, price - fee, ALICE, BOB, index=index + 1)]
    return ([erc20(currency, fee, ALICE, ROYALTIES, index=index)] if fee else []) + paid


_BID = pair(side=BID, currency=POOL_ETHER)
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
        payments=(Payment(ETHER, ONE_ETHER // 20, ROYALTIES),),
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
    "a bid for any token of a collection buys the one that the seller names": _sent(
        _bid_paid(ONE_ETHER, POOL_ETHER),
        erc721(APES, 2149, BOB, ALICE, index=5),
        orders_matched(_BID[0]._replace(token_id=2149), _BID[1]._replace(token_id=0), index=6),
    ).was(sold(ONE_ETHER, POOL_ETHER)),
    "the fees of the buyers order come on top of the price": _sent(
        ape(BOB, ALICE),
        orders_matched(*pair(buyer_fees=[(TWENTIETH, ROYALTIES)])),
        value=ONE_ETHER + ONE_ETHER // 20,
    ).was(sold(ONE_ETHER + ONE_ETHER // 20)),
    # the rest is given back
    "each sale of a sweep has its own price": _sent(
        ape(BOB, ALICE),
        orders_matched(*pair(price=19)),
        ape(CAROL, ALICE, 8),
        orders_matched(*pair(token_id=8, price=16, seller=CAROL)),
        ape(BOB, ALICE, 9),
        orders_matched(*pair(token_id=9, price=19)),
        value=60,
    ).was(sold(19), sold(16), sold(19)),
    "an order for several units that is filled with one is the sale of that one": _sent(
        erc1155(APES, 7, 1, BOB, ALICE),
        orders_matched(*(order._replace(amount=5) for order in pair())),
        value=ONE_ETHER,
    ).was(sold(ONE_ETHER)),
    "a bid whose royalties were not paid is a fault": _sent(
        _bid_paid(ONE_ETHER, POOL_ETHER),
        erc721(APES, 7, BOB, ALICE, index=5),
        orders_matched(*pair(side=BID, currency=POOL_ETHER, fees=[(TWENTIETH, ROYALTIES)]), index=6),
    ).was("sale", faults=[ROYALTIES]),
}

test_blur = judged(CASES)

_SOUND = orders_matched(*pair())
MALFORMED = {
    "an order cut off": cut(_SOUND, 500),
    "two selling orders": orders_matched(Order(), Order(ALICE)),
    "two buying orders": orders_matched(Order(side=BUY), Order(ALICE, BUY)),
    "a maker who made neither": orders_matched(*pair(), maker=CAROL),
    "a rate beyond 16 bits": orders_matched(*pair(fees=[(70_000, ROYALTIES)])),
    "an order beyond the end": _SOUND._replace(data=b"\xff" * 32 + _SOUND.data[32:]),
}


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
    logs = [*paid, erc721(APES, 7, BOB, ALICE, index=20), orders_matched(*orders, index=21)]
    _sent(logs).was(sold(sum(amounts), POOL_ETHER)).holds()
