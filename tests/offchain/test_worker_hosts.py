"""One place that does not answer holds up nobody else."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from tests.net.played import Clock
from tests.patience import PATIENCE
from tokens.metadata.hosts import FAILURES, FIRST_SILENCE, LONGEST_SILENCE, Silences, in_lanes, place_of

ROOT = "QmWATWQ7fVPP2EFGu71UkfnqhYXDYH566qy47CnJDgvs8u"


@pytest.mark.parametrize(
    ("uri", "place"),
    [
        ("https://Meta.example:443/7?x=1", "meta.example"),
        ("http://[2606:4700::1111]/7", "2606:4700::1111"),
        (f"ipfs://{ROOT}/7.json", f"ipfs:{ROOT}"),
        ("ar://abc/7", "ar:abc"),
        ("data:application/json,{}", ""),
        ("https://[bad/7", "https://[bad/7"),
    ],
)
def test_a_place_is_a_host_or_a_root_of_ipfs(uri: str, place: str) -> None:
    assert place_of(uri) == place


def test_a_place_is_left_alone_after_three_failures_in_a_row_and_longer_each_time() -> None:
    clock = Clock()
    silences = Silences(clock)
    for _ in range(FAILURES - 1):
        silences.failed("a")
    silences.answered("a")
    for _ in range(FAILURES - 1):
        silences.failed("a")
    assert silences.left("a") == 0
    found = []
    for _ in range(6):
        silences.failed("a")
        found.append(silences.left("a"))
        clock.sleep(found[-1])
        assert silences.left("a") == 0
    assert found == [FIRST_SILENCE, 120, 240, 480, LONGEST_SILENCE, LONGEST_SILENCE]
    assert silences.left("b") == 0


def test_a_place_that_asks_to_be_left_alone_is() -> None:
    silences = Silences(Clock())
    silences.failed("a", retry_after=30.0)
    assert silences.left("a") == 30
    silences.answered("a")
    assert silences.left("a") == 0


def run(places: Sequence[str], lanes: int, threads: int, work: object) -> None:
    with ThreadPoolExecutor(threads) as pool:
        in_lanes(pool, places, lanes, work)  # type: ignore[arg-type]


def test_everything_is_worked_on_once() -> None:
    done: Counter[int] = Counter()
    run(["a", "b", ""] * 50, 2, 4, lambda number: done.update([number]))
    assert done == Counter(range(150))


def test_a_place_that_hangs_keeps_only_its_lanes() -> None:
    """The others are all done while each lane of it still waits."""
    places = ["dead"] * 10 + ["alive"] * 10
    alive, dead = threading.Semaphore(0), threading.Event()

    def work(number: int) -> None:
        if places[number] == "dead":
            assert dead.wait(PATIENCE)
        else:
            alive.release()

    runner = threading.Thread(target=run, args=(places, 2, 4, work))
    runner.start()
    try:
        assert all(alive.acquire(timeout=PATIENCE) for _ in range(10))
    finally:
        dead.set()
        runner.join(PATIENCE)
    assert not runner.is_alive()


class OneThenTheOthers(ThreadPoolExecutor):
    """Takes its second call only when what the first one waits for has begun."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.has_begun = threading.Event()
        self._calls = 0

    def submit(self, *call: Any, **options: Any) -> Future[Any]:
        if self._calls == 1:
            assert self.has_begun.wait(PATIENCE)
        self._calls += 1
        return super().submit(*call, **options)


def test_a_fast_first_lane_does_not_cost_a_place_its_other_lanes() -> None:
    """The first lane is at the last three before a second one is begun: the three still go on side by side."""
    last_ones = threading.Barrier(3)
    with OneThenTheOthers(4) as pool:

        def work(number: int) -> None:
            if number >= 12:
                pool.has_begun.set()
                last_ones.wait(PATIENCE)

        in_lanes(pool, ["a"] * 15, 4, work)
    assert not last_ones.broken


def test_what_goes_wrong_in_a_thread_is_told() -> None:
    def work(number: int) -> None:
        raise ValueError(number)

    with pytest.raises(ValueError, match="0"):
        run(["a"], 1, 1, work)
