"""How fast indexing goes at the moment."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

MINUTE = 60.0


class _Sample(NamedTuple):
    moment: float
    blocks: int
    logs: int


class Pace:
    """Blocks and logs a second over the last minute, or since the start where that is later."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._samples = deque([_Sample(clock(), 0, 0)])

    def rates(self, blocks: int, logs: int) -> tuple[float, float]:
        """Return blocks and logs a second, given how many there were in all so far."""
        now = _Sample(self._clock(), blocks, logs)
        self._samples.append(now)
        while self._samples[1].moment <= now.moment - MINUTE:
            self._samples.popleft()
        since = self._samples[0]
        seconds = max(now.moment - since.moment, 0.001)
        return (now.blocks - since.blocks) / seconds, (now.logs - since.logs) / seconds
