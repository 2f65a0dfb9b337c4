"""How many blocks to ask a node for at once: as many as it gives gladly, learnt on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

MOST_LOGS, FEW_LOGS = 10_000, 5_000
"""After a window with more logs than the first the width is halved, with fewer than the second doubled."""

SLOW, QUICK = 5.0, 2.5
"""The same for the seconds that it took."""

CEILING_SECONDS = 600.0
"""For how long the width that a node refused is not tried again."""


class LogWindows:
    """Windows of blocks from `first` to `last`, both included, whose width follows what the windows before held.

        windows = LogWindows(first, last)
        for start, end in windows:
            answer = node.logs(start, end, topics=topics)
            …
            windows.record(len(answer.logs), seconds, answer.widest)

    `last` may be moved on at any time, after the end too: the next `for` goes on behind the last window given out.
    """

    def __init__(
        self,
        first: int,
        last: int,
        *,
        size: int = 100,
        maximum: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with windows of `size` blocks; never more than `maximum` of them. `clock` gives seconds."""
        if not 1 <= size <= maximum:
            raise ValueError(f"a window has 1 to {maximum} blocks, not {size}")
        self.next = first
        """The first block of the next window."""
        self.last = last
        self.size = size
        self._maximum = maximum
        self._clock = clock
        self._ceiling = maximum
        self._ceiling_until = clock()
        self._given = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the first and the last block of each window up to `last`."""
        while self.next <= self.last:
            start, end = self.next, min(self.next + self.size - 1, self.last)
            self.next, self._given = end + 1, end - start + 1
            yield start, end

    def record(self, logs: int, seconds: float, widest: int | None = None) -> None:
        """Learn from the window given out last: logs in it, seconds it took, and what `LogAnswer.widest` says."""
        if widest is not None:
            self._ceiling = widest
            self._ceiling_until = self._clock() + CEILING_SECONDS
            self.size = min(self.size, self._ceiling)
        elif logs > MOST_LOGS or seconds > SLOW:
            self.shrink()
        elif logs < FEW_LOGS and seconds < QUICK and self._given == self.size:
            # A window cut short by the end says nothing of a full one.
            self.grow()

    def grow(self) -> None:
        """Double the width, as far as the maximum and what the node lately refused allow."""
        remembered = self._clock() < self._ceiling_until
        self.size = min(self.size * 2, self._ceiling if remembered else self._maximum)

    def shrink(self) -> None:
        """Halve the width, down to one block."""
        self.size = max(1, min(self.size, self._given or self.size) // 2)
