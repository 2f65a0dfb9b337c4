"""What somebody may still ask for in this window of time.

Windows follow each other without a gap: each is one period of the quota, and all processes know by the clock alone
which one it is. So a request at an edge is counted in exactly one. Those of different holders begin at different
moments, so that not all who wait come back at once.
"""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from math import ceil

from core.access import counting
from core.quotas import Quota


@dataclass(slots=True)
class Allowance:
    """What the ``holder`` of a quota has left at a moment (Unix seconds)."""

    holder: str
    quota: Quota
    now: float
    left: int = 0
    taken: int = 0
    """By this request."""

    @classmethod
    def of(cls, holder: str, quota: Quota) -> Allowance:
        """Return it for this moment; nothing has been counted or looked up yet."""
        return cls(holder, quota, time.time())

    def take(self, units: int) -> bool:
        """Take units of what is left, and tell whether there was enough: else nothing is taken.

        A request that would take more than the whole quota takes all of it: a full one is enough for every request.
        """
        units = min(int(units), self.quota.units - self.taken)  # a cost is no plain number to a cache
        before = counting.added(self._key, units, 2 * self.quota.seconds) - units
        is_enough = before + units <= self.quota.units
        if not is_enough and before < self.quota.units:
            counting.added(self._key, -units, 2 * self.quota.seconds)  # somebody's smaller request may fit
        self.taken += units if is_enough else 0
        self.left = max(self.quota.units - before - (units if is_enough else 0), 0)
        return is_enough

    def look(self) -> None:
        """Look up what is left, and take nothing."""
        self.left = max(self.quota.units - counting.count(self._key), 0)

    @property
    def wait(self) -> int:
        """Seconds until the window ends and the whole quota is there again, 1 at least."""
        return max(ceil(self.quota.seconds - self._offset % self.quota.seconds), 1)

    def headers(self) -> dict[str, str]:
        """Return what an answer says of it."""
        return {
            "RateLimit-Limit": str(self.quota.units),
            "RateLimit-Remaining": str(self.left),
            "RateLimit-Reset": str(self.wait),
        }

    @property
    def _offset(self) -> float:
        """The moment on the clock of the holder's windows."""
        return self.now + zlib.crc32(self.holder.encode()) % self.quota.seconds

    @property
    def _key(self) -> str:
        return f"{self.holder}/{self.quota.seconds}/{int(self._offset // self.quota.seconds)}"
