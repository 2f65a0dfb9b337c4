"""The parts of a collection's figures that are more than a number: sales by time and rarity, as JSON."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

DAY = 86_400
PERIODS = 60
"""Periods of sales at most: as many as can be told apart on a phone."""
BINS = 20
"""Steps of the distribution of rarity."""


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
