"""Prices that change with time, at the bounds of a price filter.

What is stored is the price of the last tick, which is what indexes by price hold. Of the few asks that have passed a
bound since then, it is worked out here on which side of it they are at the moment of the request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db.models import Q

from core.db.keys import scaled, unscaled
from tokens.models import Ask
from tokens.prices.lines import Line, is_changing
from tokens.prices.pricing import Worth
from tokens.query.price_ranges import KeyBounds, PriceFilter, PriceRange

_COLUMNS = ("id", "price", "start_price", "end_price", "price_from", "price_until", "currency_id")


def at_the_moment(
    price: PriceFilter, keys: KeyBounds, scope: Mapping[str, Any], now: int, worths: Mapping[int, Worth]
) -> tuple[PriceFilter, KeyBounds]:
    """Return a filter, and the sort keys of asks at its bounds, with the asks that have passed a bound.

    ``scope``: the condition on those that are looked at. Costs a look at each ask whose price changes there.
    """
    told: dict[str, list[int]] = {"within": [], "outside": [], "below": [], "not_below": []}
    low, high, floor = keys
    for bounds in price.ranges:
        for row in _crossing(bounds, scope, now):
            row_id, stored, start, end, since, until, currency_id = row
            exact = unscaled(Line(scaled(start), scaled(end), since, until).at(now))
            key = worths[currency_id].price_key(scaled(stored))
            if bounds.holds(exact) != bounds.holds(stored):
                told["within" if bounds.holds(exact) else "outside"].append(row_id)
                low, high = (min(low, key), max(high, key)) if bounds.holds(exact) else (low, high)
            if bounds.is_above(exact) != bounds.is_above(stored):
                told["below" if bounds.is_above(exact) else "not_below"].append(row_id)
                floor = max(floor, key) if bounds.is_above(exact) else floor
    judged = replace(price, **{name: tuple(ids) for name, ids in told.items()})
    return judged, KeyBounds(low, high, floor)


def _crossing(bounds: PriceRange, scope: Mapping[str, Any], now: int) -> list[tuple[Any, ...]]:
    """Return the asks whose price goes from one side of a bound to the other, at some time."""
    crosses = Q()
    for bound in (bounds.minimum, bounds.maximum):
        if bound is not None:
            crosses |= _between("start_price", bound, "end_price") | _between(
                "end_price", bound, "start_price"
            )
    if not crosses:
        return []
    asks = Ask.objects.filter(is_changing(now), crosses, currency_id__in=bounds.currency_ids, **scope)
    return list(asks.order_by().values_list(*_COLUMNS))


def _between(low: str, bound: Decimal, high: str) -> Q:
    return Q(**{f"{low}__lte": bound, f"{high}__gte": bound})
