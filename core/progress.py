"""Progress of long work, told in one manner: how much, how fast, what share, how long yet, and what it is at.

At a terminal a bar says it (tqdm). Anywhere else (a log, cron, a container) a plain line does, after half a minute and
then ever more seldom, so that a short run says nothing and a long one does not fill a disk. It goes to standard error.
"""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Any, Self, TextIO

from tqdm import tqdm

FIRST, LONGEST = 30.0, 600.0
"""Seconds before the first plain line, and between two of them at most: each pause is twice the one before."""


class Progress:
    """Tells of one piece of work, as a context manager.

    ``what`` is worked on, in ``unit`` (a plural: "blocks"; "B" for bytes), ``total`` of them where that is known.
    ``quiet``: it is not told at all.
    """

    def __init__(self, what: str, unit: str, total: int | None = None, *, quiet: bool = False) -> None:
        self._what, self._unit, self._total = what, unit, total
        self._file: TextIO = sys.stderr
        self._done, self._before, self._place = 0, 0, ""
        self._told = monotonic()
        self._pause = FIRST
        self._quiet = quiet
        self._bar: Any = None
        if not quiet and self._file.isatty():
            is_bytes = unit == "B"
            self._bar = tqdm(
                desc=what,
                total=total,
                unit=unit if is_bytes else f" {unit}",
                unit_scale=is_bytes,
                file=self._file,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def add(self, count: int = 1, place: str | None = None) -> None:
        """Note that so much more is done, and what it is at."""
        self.reach(self._done + count, place=place)

    def reach(self, done: int, total: int | None = None, place: str | None = None) -> None:
        """Note how much is done in all, of how much where that has changed, and what it is at."""
        self._done = done
        self._total = self._total if total is None else total
        self._place = self._place if place is None else place
        if self._quiet:
            return
        if self._bar is not None:
            if place is not None:
                self._bar.set_postfix_str(place, refresh=False)
            self._bar.total = self._total
            self._bar.update(done - self._bar.n)
        elif monotonic() - self._told >= self._pause:
            now = monotonic()
            self._file.write(self._line((done - self._before) / (now - self._told)) + "\n")
            self._file.flush()
            self._told, self._before = now, done
            self._pause = min(2 * self._pause, LONGEST)

    def say(self, text: str) -> None:
        """Write a line of its own to standard error, which does not tear the bar."""
        say(text, self._file)

    def _line(self, rate: float) -> str:
        """Return the plain line at so many a second, since the line before."""
        told = f"{self._what}: {self._amount(self._done)}"
        if self._total:
            left = max(self._total - self._done, 0) / rate if rate else None
            told += f" of {self._amount(self._total)} ({100 * min(self._done / self._total, 1):.0f} %)"
            told += f", {self._amount(rate)} a second"
            told += "" if left is None else f", {tqdm.format_interval(left)} left"
        else:
            told += f", {self._amount(rate)} a second"
        return f"{told}; {self._place}" if self._place else told

    def _amount(self, number: float) -> str:
        if self._unit == "B":
            return f"{tqdm.format_sizeof(number, 'B')}"
        return (
            f"{number:,.0f} {self._unit}"
            if number >= 10 or number == int(number)
            else f"{number:,.1f} {self._unit}"
        )


def say(text: str, file: Any = None) -> None:
    """Write a line to a stream (standard error), whether or not bars are drawn there."""
    tqdm.write(text, file=file or sys.stderr)
