"""How much of a process may be at work on what is expensive, so that what is cheap always finds a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from core.rest.errors import ServiceUnavailable
from core.rest.facts import Cost, costs, current

WAIT = 1
"""Seconds after which to try again."""

TURN = 2.0
"""Seconds for which a page waits for its turn at most; one takes a quarter of a second at worst."""

_places = threading.BoundedSemaphore(max(settings.WEB_THREADS // 4, 1))
_turns = threading.BoundedSemaphore(settings.WEB_THREADS // 4)


@contextmanager
def one_of_few() -> Iterator[None]:
    """Take one of the threads that may be at work on expensive pages, a quarter of all. As many more may wait for that.

    So half of the threads are for what is cheap, always. Raises :class:`~core.rest.errors.ServiceUnavailable` (503) at
    once for whoever would take one of these, and for whose turn does not come. Such a page takes more of its sender's
    allowance.
    """
    if not (_places.acquire(blocking=False) or _has_its_turn()):
        current().refused = "share"
        raise ServiceUnavailable("Others ask for expensive pages at the moment. Try again.", wait=WAIT)
    try:
        costs(Cost.EXPENSIVE)
        yield
    finally:
        _places.release()


def _has_its_turn() -> bool:
    if not _turns.acquire(blocking=False):
        return False
    try:
        return _places.acquire(timeout=TURN)
    finally:
        _turns.release()
