"""What clients saw: a table of it, and how old answers were."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

KINDS = ("kill", "partition", "pause", "switchover")
SLACK = 2.0
"""Seconds that the clocks of this reckoning may be off: what a request waited for before it was answered."""


@dataclass
class Reckoning:
    """What clients saw."""

    asked: list[dict[str, Any]]
    walks: list[dict[str, Any]]
    written: list[dict[str, Any]]
    faults: list[tuple[str, float, float]] = field(default_factory=list)
    """Of each fault its kind, when it began, and when the cluster was whole again."""

    def rows(self) -> Iterator[str]:
        """Yield the table: one line a kind of fault, then all of the time."""
        yield "| fault | times | requests | failed | by kind | longest gap | longest answer | no writes |"
        yield "|---|---|---|---|---|---|---|---|"
        spans = {kind: [(at, end) for one, at, end in self.faults if one == kind] for kind in KINDS}
        for kind, times in spans.items():
            if times:
                yield self._row(kind, times)
        yield self._row("all", [(self.asked[0]["at"], self.asked[-1]["at"])])

    def _row(self, name: str, times: Sequence[tuple[float, float]]) -> str:
        among = [one for one in self.asked if any(at <= one["at"] < end for at, end in times)]
        bad = Counter(one["outcome"] for one in among if one["outcome"] != "200")
        kinds = ", ".join(f"{kind}: {count}" for kind, count in bad.most_common()) or "-"
        gap = max((_gap(among, at, end) for at, end in times), default=0.0)
        still = max((_gap(self.written, at, end) for at, end in times), default=0.0)
        took = max((one["took"] for one in among), default=0.0)
        count = len(times) if name != "all" else len(self.faults)
        cells = f"{count} | {len(among):,} | {bad.total():,} | {kinds} | {gap:.1f} | {took:.1f} | {still:.1f}"
        return f"| {name} | {cells} |"

    def too_old(self, most_lag: float) -> int:
        """How many answers were of a block older than one that was answered ``most_lag`` seconds before."""
        ended = sorted(
            (one["at"] + one["took"], one["block"]) for one in self.asked if one["block"] is not None
        )
        newest = list(accumulate((block for _, block in ended), max))
        moments = [moment for moment, _ in ended]
        count = 0
        for one in self.asked:
            place = bisect_right(moments, one["at"] - most_lag - SLACK)
            count += one["block"] is not None and place > 0 and one["block"] < newest[place - 1]
        return count


def _gap(events: Sequence[dict[str, Any]], start: float, end: float) -> float:
    """The longest time without a good answer, or an acknowledged row, that begins within a time."""
    good = [
        one["at"] + one.get("took", 0)
        for one in events
        if one.get("outcome", "200") == "200" and "refused" not in one
    ]
    moments = sorted([start, *(at for at in good if start <= at < end), end])
    return max((later - sooner for sooner, later in pairwise(moments)), default=0.0)
