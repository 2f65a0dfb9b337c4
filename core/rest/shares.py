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

_places = threading.BoundedSemaphore(max(settings.WEB_THREADS // 4, 1))


@contextmanager
def one_of_few() -> Iterator[None]:
    """Take one of the threads that may be at work on expensive pages, a quarter of all.

    Such a page takes more of its sender's allowance. Raises :class:`~core.rest.errors.ServiceUnavailable` (503) at once
    where all are taken: nobody waits in a thread.
    """
    if not _places.acquire(blocking=False):
        current().refused = "share"
        raise ServiceUnavailable("Others ask for expensive pages at the moment. Try again.", wait=WAIT)
    try:
        costs(Cost.EXPENSIVE)
        yield
    finally:
        _places.release()
