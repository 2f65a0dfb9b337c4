"""Bounds of a price in the currencies that they compare: of equal worth, or any with a rate for bounds in USD."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from typing import NamedTuple

from core.db.keys import NEVER, PLACES, scaled, uint_from_key, unscaled
from tokens.prices.currency_worths import CurrencyRow, DueRates
from tokens.prices.pricing import Worth
from tokens.query.selection import PriceBounds

BEYOND = Decimal(10) ** 80
"""Above every price that can be stored."""


@dataclass(frozen=True, slots=True)
class PriceRange:
    """Inclusive bounds of a price in any of some currencies of equal worth; whole units, 18 places."""

    currency_ids: tuple[int, ...]
    minimum: Decimal | None
    maximum: Decimal | None

    def is_above(self, price: Decimal) -> bool:
        """Tell whether a price lies below the bounds."""
        return self.minimum is not None and price < self.minimum

    def holds(self, price: Decimal) -> bool:
        """Tell whether a price lies within the bounds."""
        return not self.is_above(price) and (self.maximum is None or price <= self.maximum)


def price_ranges(
    bounds: PriceBounds, currencies: Sequence[CurrencyRow], due: DueRates
) -> tuple[PriceRange, ...]:
    """Return the bounds in each currency that they compare, which are among ``currencies``."""
    if bounds.is_usd:
        keyed = {row.id: uint_from_key(row.keyed) for row in currencies if row.keyed is not None}
        return _usd_ranges(bounds, keyed if due.usd is None else due.usd)
    own = {row.id for row in currencies if row.symbol == bounds.currency.upper()}
    ids = tuple(row.id for row in currencies if row.id in own or row.wraps_id in own)
    minimum, maximum = _rounded(bounds.minimum, bounds.maximum, Decimal(1))
    return (PriceRange(ids, minimum, maximum),) if ids else ()


def _usd_ranges(bounds: PriceBounds, rates: Mapping[int, int]) -> tuple[PriceRange, ...]:
    """Return the bounds in each currency that are exactly equivalent to the bounds in USD; ``rates`` are scaled."""
    by_rate: dict[Decimal, list[int]] = {}
    for row_id, scaled_rate in sorted(rates.items()):
        by_rate.setdefault(unscaled(scaled_rate), []).append(row_id)
    ranges = []
    for rate, ids in by_rate.items():
        if rate:
            ranges.append(PriceRange(tuple(ids), *_rounded(bounds.minimum, bounds.maximum, rate)))
        else:  # worth nothing at any price: within bounds that start at nothing, else below them
            ranges.append(PriceRange(tuple(ids), BEYOND if bounds.minimum else None, None))
    return tuple(ranges)


@dataclass(frozen=True, slots=True)
class PriceFilter:
    """Ranges, one of which a price has to lie in, and the asks of which the stored price does not tell whether it does.

    Those are named by id, each in up to two of the lists: their prices change, and have passed a bound since the last
    tick (``tokens.query.changing``).
    """

    ranges: tuple[PriceRange, ...]
    within: tuple[int, ...] = ()
    outside: tuple[int, ...] = ()
    below: tuple[int, ...] = ()
    not_below: tuple[int, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether stored prices tell all."""
        return not (self.within or self.outside or self.below or self.not_below)


class KeyBounds(NamedTuple):
    """Where the bounds of a price lie among the sort keys of asks.

    ``low`` and ``high``: the keys that asks within the bounds have at least and at most. ``floor``: the key that asks
    below the bounds have at most, whatever their currency.
    """

    low: str
    high: str
    floor: str


def key_bounds(ranges: Iterable[PriceRange], worths: Mapping[int, Worth]) -> KeyBounds:
    """Return the sort keys of asks at the bounds, for what each currency is worth."""
    low, high, floor = NEVER, "", ""
    for item in ranges:
        for row_id in item.currency_ids:
            key = worths[row_id].price_key
            least = "" if item.minimum is None else key(scaled(item.minimum))
            low, floor = min(low, least), max(floor, least)
            high = max(high, NEVER if item.maximum is None else key(scaled(item.maximum)))
    return KeyBounds(low, high, floor)


def _rounded(
    minimum: Decimal | None, maximum: Decimal | None, rate: Decimal
) -> tuple[Decimal | None, Decimal | None]:
    """Divide bounds by a rate, rounding to 18 places so that no price of 18 places changes sides."""
    with localcontext() as context:
        context.prec = 300
        unit = Decimal(1).scaleb(-PLACES)
        low = None if minimum is None else min(minimum / rate, BEYOND).quantize(unit, ROUND_CEILING)
        high = None if maximum is None else min(maximum / rate, BEYOND).quantize(unit, ROUND_FLOOR)
    return low, high
