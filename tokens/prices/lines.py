"""Prices that change with time: in a straight line from a start to an end, where they stay."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q

from core.db.keys import uint_from_key
from tokens.models.ask import CHANGING


class Line(NamedTuple):
    """Prices in whole units times 10**18, moments in Unix seconds."""

    start: int
    end: int
    since: int
    until: int

    def at(self, moment: int) -> int:
        """Return the price of a moment, never below or above the ends.

        Rounded up, as Seaport rounds what is to be received (``AmountDeriver``), and as truncating a fall does.
        """
        if moment <= self.since:
            return self.start
        if moment >= self.until:
            return self.end
        passed, whole = moment - self.since, self.until - self.since
        return -(-(self.start * (whole - passed) + self.end * passed) // whole)

    def changes_after(self, moment: int) -> list[int]:
        """Return the second after a moment from which on the price may be another; empty: it stays."""
        return [max(moment, self.since) + 1] if moment < self.until and self.start != self.end else []


def line_of(start: str | None, end: str | None, since: int | None, until: int | None) -> Line | None:
    """Return the line of a price by an ask's columns (keys and seconds); ``None``: it does not change."""
    if start is None or end is None or since is None or until is None:
        return None
    return Line(uint_from_key(start), uint_from_key(end), since, until)


def is_changing(now: int) -> Q:
    """Return the condition on an ask that its price may have moved by ``now`` from the one that is stored."""
    return CHANGING & Q(price_from__lt=now)
