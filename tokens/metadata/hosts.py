"""Where documents are, as far as one place may hold up others: lanes, and a memory of who does not answer."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, wait
from urllib.parse import urlsplit

FAILURES = 3
"""In a row, after which a place is left alone for a while."""

FIRST_SILENCE, LONGEST_SILENCE = 60.0, 600.0
"""Seconds for which it is left alone, doubled each time that it still does not answer."""

MAX_PLACES = 10_000


def place_of(uri: str) -> str:
    """Return what answers for a canonical URI: a host; an IPFS root; ``""`` where nothing is asked (``data:``).

    Gateways stand in for each other, but nobody can get at a root that no node keeps any more.
    """
    scheme, _, rest = uri.partition(":")
    if scheme.lower() == "data":
        return ""
    if scheme.lower() in ("http", "https"):
        try:
            return urlsplit(uri).hostname or uri[:200]
        except ValueError:
            return uri[:200]
    return f"{scheme.lower()}:{rest.lstrip('/').partition('/')[0][:200]}"


class Silences:
    """The places that lately did not answer; may be used from several threads.

    ``clock``: seconds that only grow; ``first`` and ``longest``: for how many a place is left alone.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        first: float = FIRST_SILENCE,
        longest: float = LONGEST_SILENCE,
    ) -> None:
        self._clock = clock
        self._first, self._longest = first, longest
        self._lock = threading.Lock()
        self._failures: dict[str, int] = {}
        self._until: dict[str, float] = {}

    def left(self, place: str) -> float:
        """Return for how many seconds a place is still left alone; 0: it may be asked."""
        return max(0.0, self._until.get(place, 0.0) - self._clock())

    def answered(self, place: str) -> None:
        """Take note that a place works."""
        with self._lock:
            self._failures.pop(place, None)
            self._until.pop(place, None)

    def failed(self, place: str, retry_after: float | None = None, *, is_dear: bool = False) -> None:
        """Take note that a place did not answer, or asked to be left alone for some seconds.

        A failure that ``is_dear``, since somebody waited for it, has the place left alone as several others do.
        """
        with self._lock:
            if place not in self._failures and len(self._failures) >= MAX_PLACES:
                oldest = next(iter(self._failures))
                self._failures.pop(oldest)
                self._until.pop(oldest, None)
            count = self._failures.get(place, 0) + 1
            count = self._failures[place] = max(count, FAILURES) if is_dear else count
            silence = min(retry_after or 0.0, self._longest)
            if count >= FAILURES:
                silence = max(silence, min(self._first * 2 ** min(count - FAILURES, 10), self._longest))
            if silence:
                self._until[place] = self._clock() + silence


def in_lanes(pool: Executor, places: Sequence[str], lanes: int, work: Callable[[int], None]) -> None:
    """Call ``work`` with the number of each place, from threads of the pool, at most ``lanes`` at a time of one place.

    Lanes of different places take turns at the pool. Returns when all is done; what ``work`` raises is raised.
    """
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for number, place in enumerate(places):
        waiting[place].append(number)

    def lane(queue: deque[int]) -> None:
        while queue:
            try:
                number = queue.popleft()
            except IndexError:  # another lane was faster
                return
            work(number)

    # Counted before the first lane begins, which empties the queues under the others.
    numbers = {place: min(len(queue), lanes if place else len(places)) for place, queue in waiting.items()}
    begun = [
        pool.submit(lane, waiting[place])
        for turn in range(max(numbers.values(), default=0))
        for place, number in numbers.items()
        if turn < number
    ]
    for future in wait(begun).done:
        future.result()
