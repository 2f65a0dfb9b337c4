"""Rates from a file of two columns: a time and a price in USD, as comma-separated values (RFC 4180)."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TextIO

from core.values import WrongValueError
from indexing.rates.points import point
from tokens.store.facts import RateFacts

MOST_CHARACTERS = 10_000
"""Of a line; what is longer is no file of rates."""

_TIME_NAMES = frozenset({"date", "day", "time", "timestamp", "unix", "day_unix", "unix_time", "datetime"})
_PRICE_NAME = re.compile(
    r"(?:(?P<symbol>(?!usd_)[a-z0-9.]+)_)?(?P<unit>usd_cents|cents|usd|price|rate|close)"
)
_CENTS = "cents"


class RatesFileError(Exception):
    """The file as a whole cannot be read."""


class _Layout:
    """Where a file has its times and prices: by the names in its first line, else in its first two columns, in USD."""

    def __init__(self, first: Sequence[str]) -> None:
        self.time, self.price, self.cents, self.symbol = 0, 1, False, ""
        self.has_header = bool(first) and read_time(first[0]) is None
        if not self.has_header:
            return
        names = [name.strip().lower() for name in first]
        times = [place for place, name in enumerate(names) if name in _TIME_NAMES]
        prices = [
            (place, match) for place, name in enumerate(names) if (match := _PRICE_NAME.fullmatch(name))
        ]
        if len(times) != 1 or len(prices) != 1:
            raise RatesFileError(
                "The first line must name one column of times (date, day, time, timestamp, day_unix, …) and one of "
                "prices (usd, usd_cents, price, close, or with a currency before it: eth_usd), or be a rate itself."
            )
        self.time = times[0]
        self.price, named = prices[0]
        self.cents = named["unit"].endswith(_CENTS)
        self.symbol = (named["symbol"] or "").upper()


def read(path: str, currency: str | None, on_fault: Callable[[int, str], None]) -> Iterator[RateFacts]:
    """Yield the rates of a file, in its order; what line cannot be taken is told with its number and passed over.

    Times are Unix seconds, or dates (ISO 8601, 00:00 UTC) with or without a time of day. Prices are in USD, or in cents
    where the column's name ends so. ``currency`` is a symbol in upper case; ``None``: the one that the price's column
    names. Raises :class:`RatesFileError`, and ``OSError`` for a file that cannot be opened.
    """
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(_bounded(file), strict=True)
        try:
            first = next(lines, [])
            layout = _Layout(first)
            symbol = currency or layout.symbol
            if not symbol:
                raise RatesFileError("Name the currency by --currency: the file does not.")
            for line in lines if layout.has_header else chain([first], lines):
                if any(cell.strip() for cell in line):
                    try:
                        yield _rate(line, layout, symbol)
                    except WrongValueError as fault:
                        on_fault(lines.line_num, f"The line {fault}")
        except (csv.Error, UnicodeDecodeError) as fault:
            raise RatesFileError(f"It is no file of comma-separated values: {fault}.") from None


def _rate(line: Sequence[str], layout: _Layout, symbol: str) -> RateFacts:
    if len(line) <= max(layout.time, layout.price):
        raise WrongValueError("has too few columns.")
    moment = read_time(line[layout.time])
    if moment is None:
        raise WrongValueError(
            "has a time that is neither Unix seconds nor a date (2024-05-31, 2024-05-31T12:00Z)."
        )
    return point(symbol, moment, line[layout.price].strip(), places=2 if layout.cents else 0)


def read_time(text: str) -> int | None:
    """Return the Unix seconds of a text, a number of them or ISO 8601 (UTC without an offset); ``None`` for neither."""
    text = text.strip()
    if re.fullmatch("[0-9]{1,14}", text, re.ASCII) and len(text) != 8:  # eight digits are a date as well
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _bounded(file: TextIO) -> Iterator[str]:
    while line := file.readline(MOST_CHARACTERS + 1):
        if len(line) > MOST_CHARACTERS:
            raise RatesFileError(f"It has a line of more than {MOST_CHARACTERS:,} characters.")
        yield line
