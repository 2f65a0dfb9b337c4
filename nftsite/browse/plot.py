"""The price of sales over time, as an SVG and as rows of a table: told apart by form, not by colour.

The drawing is stretched to the width there is; its labels are text of the page beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import log10
from typing import Any

from core.rest.cards import plain_number

WIDTH, HEIGHT = 600, 200
EDGE = 6
"""Units of the drawing between its frame and the outermost marks."""
WIDE = 50
"""How many times the lowest price the highest is from which on equal steps stand for equal ratios."""


@dataclass(frozen=True, slots=True)
class Period:
    """A row of the table behind the plot; empty texts where no price is known."""

    days: str
    sales: int
    lowest: str
    mean: str
    highest: str


@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn: ranges as vertical lines, means as dots, both as one path each; and what stands beside it."""

    ranges: str
    means: str
    lines: str
    labels: Sequence[str]
    """Prices along the side, from the top down, evenly apart."""
    first: str
    last: str
    is_logarithmic: bool
    said: str
    """What it shows, in a sentence for who does not see it."""
    periods: Sequence[Period]
    width: int = WIDTH
    height: int = HEIGHT


def plot(sales: dict[str, Any]) -> Plot | None:
    """Return the plot of what was counted (``transfers.figures.details``); ``None`` where no sale has a known price."""
    rows, days = sales["rows"], sales["days"]
    priced = [row for row in rows if row[4] is not None and float(row[3]) > 0]
    if not priced:
        return None
    low, high = min(float(row[3]) for row in priced), max(float(row[5]) for row in priced)
    is_logarithmic = high > WIDE * low
    bottom = low if is_logarithmic else 0.0
    begin, end = rows[0][0], rows[-1][0]

    def across(moment: float) -> str:
        share = (moment - begin) / (end - begin) if end > begin else 0.5
        return f"{EDGE + share * (WIDTH - 2 * EDGE):.1f}"

    def up(price: float) -> str:
        share = log10(price / bottom) / log10(high / bottom) if is_logarithmic else price / high
        return f"{HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE):.1f}"

    ranges = [f"M{across(row[0])} {up(float(row[3]))}V{up(float(row[5]))}" for row in priced]
    means = [f"M{across(row[0])} {up(float(row[4]))}h0" for row in priced]
    steps = [1.0, 0.5, 0.0]
    marks = [bottom * (high / bottom) ** one if is_logarithmic else high * one for one in steps]
    number = sum(row[1] for row in rows)
    said = f"Prices of {number:,} sales from {_day(begin)} to {_day(end)}: from {_price(low)} to {_price(high)} ETH."
    return Plot(
        ranges="".join(ranges),
        means="".join(means),
        lines="".join(f"M0 {up(mark)}H{WIDTH}" for mark in marks),
        labels=[_price(mark) for mark in marks],
        first=_day(begin),
        last=_day(end),
        is_logarithmic=is_logarithmic,
        said=said,
        periods=[_period(row, days) for row in reversed(rows)],
    )


def _period(row: Sequence[Any], days: int) -> Period:
    begin = row[0]
    text = _day(begin) if days == 1 else f"{_day(begin)} to {_day(begin + (days - 1) * 86_400)}"
    return Period(text, row[1], row[3] or "", row[4] or "", row[5] or "")


def _day(seconds: int) -> str:
    try:
        return f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds):%Y-%m-%d}"
    except OverflowError:
        return str(seconds)


def _price(value: float) -> str:
    return plain_number(float(f"{value:.3g}"))


@dataclass(frozen=True, slots=True)
class Bars:
    """The distribution of rarity: bars as one path, what stands below it, and its rows: from, to, NFTs."""

    path: str
    first: str
    last: str
    most: int
    said: str
    rows: Sequence[tuple[str, str, int]]
    width: int = WIDTH
    height: int = 120


def bars(steps: Sequence[Sequence[float]]) -> Bars | None:
    """Return the bars of a distribution (``transfers.figures.details``); ``None`` where no NFT has a score."""
    if not steps:
        return None
    most = int(max(count for _, _, count in steps))
    width, height = WIDTH / len(steps), 120
    path = [
        f"M{place * width + 1:.1f} {height}v-{max(count / most * (height - 4), 1):.1f}h{width - 2:.1f}V{height}z"
        for place, (_, _, count) in enumerate(steps)
        if count
    ]
    rows = [(f"{low:.3g}", f"{high:.3g}", int(count)) for low, high, count in steps]
    total = sum(row[2] for row in rows)
    said = (
        f"{total:,} NFTs by rarity score, from {rows[0][0]} to {rows[-1][1]}; at most {most:,} in one step."
    )
    return Bars("".join(path), rows[0][0], rows[-1][1], most, said, rows)
