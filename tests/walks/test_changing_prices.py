"""Prices that change with time: a filter by price goes by the second of the request, whenever the last tick was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Line, ask, transaction_hash
from tests.oracle.asks import plain_decimal, price_at
from tests.oracle.model import Oracle
from tests.strategies import pools
from tests.strategies.pools import NOW
from tests.strategies.queries import LIMITS, ORDERS, Draw, Query, draw_query
from tests.strategies.worlds import TOKENS, draw_line, worlds
from tests.walks.checking import NFTS, WAYS, Thresholds, assert_same_order, engine, identity, loaded, walk
from tokens.store.ticks import tick

pytestmark = pytest.mark.django_db
LATER = st.sampled_from([1, 30, 60, 99, 600])


@st.composite
def moving_worlds(draw: Draw) -> list[Line]:
    """A world, in which many NFTs have asks whose prices change, beside others."""
    lines: list[Line] = draw(worlds(4))
    for token in draw(st.lists(TOKENS, min_size=3, max_size=6, unique=True)):
        for number in range(draw(st.sampled_from([1, 1, 2, 3]))):
            price, currency, market = (
                draw(st.sampled_from(pool)) for pool in (pools.PRICES, pools.CURRENCIES, pools.MARKETS)
            )
            order = transaction_hash("moving", token, number)
            moving = draw_line(draw) if draw(st.integers(0, 3)) else {}
            named = {"price": price, "currency": currency, "market": market, "order": order}
            lines.append(ask(token.token_id, token.address, token.chain, **named, **moving))
    return lines


def draw_bounds(draw: Draw, oracle: Oracle, now: int) -> str:
    """Bounds at, or a hair beside, what an ask costs then or cost at the last tick."""
    asks = [one for nft in oracle.world.nfts for one in oracle.live_asks(nft, now)]
    if not asks:
        return "usd,1,"
    one = draw(st.sampled_from(asks))
    price = price_at(one, draw(st.sampled_from([NOW, now])))
    price = max(price + draw(st.sampled_from([0, 0, 1, -1])) * pools.HAIR, 0 * pools.HAIR)
    text = plain_decimal(price)
    bounds = draw(st.sampled_from([f"{text},", f",{text}", f"{text},{text}"]))
    return f"{draw(st.sampled_from([one['currency'], one['currency'], 'usd']))},{bounds}"


@given(st.data(), LATER, LIMITS, st.sampled_from(WAYS))
def test_a_price_filter_finds_what_costs_so_much_at_this_second(
    data: st.DataObject, later: int, limits: list[int], ways: Thresholds
) -> None:
    """Without a tick in between, in every order and beside other filters; the order alone may lag."""
    lines = data.draw(moving_worlds())
    oracle = Oracle(lines)
    with loaded(lines) as clock:
        now = NOW + later
        clock.move_to(now)
        for _ in range(3):
            query: Query = draw_query(data.draw, oracle) if data.draw(st.booleans()) else {}
            query |= {
                "priceFilter": draw_bounds(data.draw, oracle, now),
                "sortBy": data.draw(st.sampled_from(ORDERS)),
            }
            expected = oracle.nfts(query, now)
            with engine(ways):
                found = walk(NFTS, query, limits, total=len(expected))
            named = {identity(NFTS, record) for record in found}
            assert named == {item.identity for item in expected}
            assert len(found) == len(named)


@given(st.data(), LATER, LIMITS, st.sampled_from(WAYS))
def test_after_a_tick_the_order_is_that_of_this_second_too(
    data: st.DataObject, later: int, limits: list[int], ways: Thresholds
) -> None:
    lines = data.draw(moving_worlds())
    oracle = Oracle(lines)
    with loaded(lines) as clock:
        now = NOW + later
        clock.move_to(now)
        tick(now)
        assert tick(now) == 0
        query = draw_query(data.draw, oracle)
        query["sortBy"] = data.draw(st.sampled_from(["lowestAsk", "highestAsk"]))
        expected = oracle.nfts(query, now)
        with engine(ways):
            found = walk(NFTS, query, limits, total=len(expected))
        assert_same_order(expected, [identity(NFTS, record) for record in found])
