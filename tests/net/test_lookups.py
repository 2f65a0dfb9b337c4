"""Names are looked up in threads, of which there are not endlessly many."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.net.http.lookups import MOST_AT_ONCE, Lookups, system_addresses
from tests.patience import PATIENCE


def test_names_are_looked_up_as_the_system_does() -> None:
    assert set(Lookups().addresses("localhost", PATIENCE)) <= {"127.0.0.1", "::1"}
    assert system_addresses("127.0.0.1") == ["127.0.0.1"]


def test_what_the_resolver_raises_comes_out() -> None:
    def resolve(host: str) -> list[str]:
        raise OSError(f"no {host}")

    with pytest.raises(OSError, match="no a"):
        Lookups(resolve).addresses("a", PATIENCE)


def test_look_ups_that_hang_do_not_pile_up() -> None:
    """Whoever finds all places taken waits for one, but not longer than it would for an answer."""
    at_last, begun = threading.Event(), threading.Semaphore(0)

    def resolve(host: str) -> list[str]:
        begun.release()
        at_last.wait(PATIENCE)
        return ["192.0.2.1"]

    lookups = Lookups(resolve)
    with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        waiting = [pool.submit(lookups.addresses, "a", PATIENCE) for _ in range(MOST_AT_ONCE)]
        for _ in waiting:
            begun.acquire()
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            lookups.addresses("b", 0.05)
        assert time.monotonic() - started < PATIENCE / 2
        assert not begun.acquire(blocking=False)
        at_last.set()
        assert [found.result() for found in waiting] == [["192.0.2.1"]] * MOST_AT_ONCE
    assert lookups.addresses("b", PATIENCE) == ["192.0.2.1"]
