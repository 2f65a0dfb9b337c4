"""Counts over Django's cache that several processes share: exact, since each step is one atomic operation of the cache.

While the cache of CACHE_URL does not answer, each process counts for itself: limits are the reason of no fault.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.core.cache import BaseCache, caches

from core.rest import numbers

SHARED, OWN = "default", "own"
"""The caches of the settings that count: the one of CACHE_URL, and the memory of the process."""
AWAY_SECONDS = 5.0
"""For which a cache that did not answer is left alone, so that few requests wait for it in vain."""

logger = logging.getLogger(__name__)
_away_until = 0.0


def added(key: str, units: int, seconds: int) -> int:
    """Add units to a count that is kept for so many seconds at least; return what it is now."""

    def add(cache: BaseCache) -> int:
        for _ in range(2):
            try:
                return int(cache.incr(key, units))
            except ValueError:  # it does not exist; of several who see that, one makes it
                cache.add(key, 0, seconds)
        return units  # the memory is so full that it was dropped again at once

    return _of_cache(add)


def count(key: str) -> int:
    """Return what a count is, which may not exist: 0."""
    return _of_cache(lambda cache: int(cache.get(key, 0)))


def _of_cache(ask: Callable[[BaseCache], int]) -> int:
    """Ask the shared cache, or, while it is away, this process's own."""
    global _away_until  # noqa: PLW0603 - the state of this process
    if time.monotonic() >= _away_until:
        try:
            return ask(caches[SHARED])
        except Exception as fault:  # whatever the cache's library raises
            _away_until = time.monotonic() + AWAY_SECONDS
            numbers.cache_failed()
            # Not its text, in which a library may name the address.
            logger.warning(
                "The cache of CACHE_URL fails (%s): limits are counted here.", type(fault).__name__
            )
    return ask(caches[OWN])
