"""How many different texts there are among very many, in little memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

EXACT = 100_000
"""Texts up to which they are counted; of more, their number follows from these (to half a percent)."""
_SPACE = 2**64


class Distinct:
    """Counts different texts: exactly up to :data:`EXACT`, and by the smallest digests beyond (k minimum values).

    The digests are evenly spread, so that the largest of the k smallest says how densely they lie. At most twice as
    many are held as are kept.
    """

    def __init__(self, exact: int = EXACT) -> None:
        self._exact = exact
        self._kept: set[int] = set()
        self._bound = _SPACE
        """Digests from here on are no longer kept."""

    def add(self, texts: Iterable[str]) -> None:
        """Take in texts, new ones and known ones."""
        digests = (
            int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
            for text in texts
        )
        self._kept.update(digest for digest in digests if digest < self._bound)
        if len(self._kept) > 2 * self._exact:
            self._cut()

    @property
    def is_exact(self) -> bool:
        """Whether the number is the true one."""
        return self._bound == _SPACE and len(self._kept) <= self._exact

    @property
    def number(self) -> int:
        """How many different texts there were."""
        if self.is_exact:
            return len(self._kept)
        if len(self._kept) > self._exact:
            self._cut()
        return (len(self._kept) - 1) * _SPACE // max(self._kept)

    def _cut(self) -> None:
        self._kept = set(sorted(self._kept)[: self._exact])
        self._bound = max(self._kept)
