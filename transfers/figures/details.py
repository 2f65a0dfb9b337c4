"""The parts of a collection's figures that are more than a number: sales by time, rarity, traits, as JSON."""

from __future__ import annotations

import heapq
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

DAY = 86_400
PERIODS = 60
"""Periods of sales at most: as many as can be told apart on a phone."""
BINS = 20
"""Steps of the distribution of rarity."""
MOST_TYPES = 24
MOST_VALUES = 5
"""Types of traits, those that most NFTs have, and the most frequent values of each."""
LONGEST = 120
"""Characters of a type or a value; longer ones are texts rather than traits, and are left out."""


@dataclass(slots=True)
class Period:
    """Sales of some days; prices in ETH, of those whose price is known."""

    sales: int = 0
    priced: int = 0
    total: Decimal = Decimal(0)
    lowest: Decimal | None = None
    highest: Decimal | None = None

    def add(self, price: Decimal | None) -> None:
        """Take in a sale."""
        self.sales += 1
        if price is None:
            return
        self.priced += 1
        self.total += price
        self.lowest = price if self.lowest is None else min(self.lowest, price)
        self.highest = price if self.highest is None else max(self.highest, price)

    def join(self, other: Period) -> None:
        """Take in another one's sales."""
        self.sales, self.priced, self.total = (
            self.sales + other.sales,
            self.priced + other.priced,
            self.total + other.total,
        )
        lows = [one for one in (self.lowest, other.lowest) if one is not None]
        highs = [one for one in (self.highest, other.highest) if one is not None]
        self.lowest, self.highest = min(lows, default=None), max(highs, default=None)


class Sales:
    """Sales of a collection: all, those since a moment (Unix seconds), and by time."""

    def __init__(self, since: int) -> None:
        self.since = since
        self.number = 0
        self.recent = Period()
        self._days: dict[int, Period] = defaultdict(Period)

    def add(self, timestamp: int, price: Decimal | None) -> None:
        """Take in a sale, its price in ETH (``None``: not known)."""
        self.number += 1
        if timestamp >= self.since:
            self.recent.add(price)
        self._days[timestamp // DAY].add(price)

    def periods(self) -> dict[str, Any]:
        """Return them in periods of equally many ``days``: first day, sales, priced ones, lowest, mean, highest."""
        if not self._days:
            return {"days": 1, "rows": []}
        first, last = min(self._days), max(self._days)
        days = -(-(last - first + 1) // PERIODS)
        joined: dict[int, Period] = defaultdict(Period)
        for day, period in self._days.items():
            joined[first + (day - first) // days * days].join(period)
        return {"days": days, "rows": [_row(day, joined[day]) for day in sorted(joined)]}


def _row(day: int, one: Period) -> list[Any]:
    mean = one.total / one.priced if one.priced else None
    return [day * DAY, one.sales, one.priced, *(_text(price) for price in (one.lowest, mean, one.highest))]


def _text(price: Decimal | None) -> str | None:
    """Return a price with at most six places, or as many as its first digits need."""
    if price is None:
        return None
    places = 6 if price >= Decimal("0.001") else 18
    return f"{round(price, places).normalize():f}"


def distribution(scores: array[float]) -> list[list[float]]:
    """Return how many NFTs have a score of which step: from, to, number; empty without scores."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    width = (high - low) / BINS
    if not width:
        return [[low, high, len(scores)]]
    counts = [0] * BINS
    for score in scores:
        counts[min(int((score - low) / width), BINS - 1)] += 1
    return [
        [round(low + width * place, 4), round(low + width * (place + 1), 4), count]
        for place, count in enumerate(counts)
    ]


@dataclass(slots=True)
class _Type:
    number: int = 0
    nfts: int = 0
    values: list[tuple[int, str]] = field(default_factory=list)


class Traits:
    """The types of traits of a collection, with the values that most NFTs have."""

    def __init__(self) -> None:
        self._types: dict[str, _Type] = defaultdict(_Type)

    def add(self, values: Iterable[tuple[str, str, int]]) -> None:
        """Take in values: type, value, NFTs that have it."""
        for kind, value, count in values:
            if len(kind) > LONGEST or len(value) > LONGEST:
                continue
            one = self._types[kind]
            one.number += 1
            one.nfts += count
            keep = heapq.heappush if len(one.values) < MOST_VALUES else heapq.heappushpop
            keep(one.values, (count, value))

    def table(self) -> dict[str, Any]:
        """Return the types that most NFTs have: type, number of values, [value, NFTs] from the most frequent on."""
        kept = heapq.nlargest(MOST_TYPES, self._types.items(), key=lambda item: (item[1].nfts, item[0]))
        rows = [
            [kind, one.number, [[value, count] for count, value in sorted(one.values, key=_frequent_first)]]
            for kind, one in sorted(kept)
        ]
        return {"all": len(self._types), "rows": rows}


def _frequent_first(pair: Sequence[Any]) -> tuple[int, str]:
    count, value = pair
    return -count, value
