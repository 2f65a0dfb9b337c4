"""Windows of blocks that widen over empty stretches and narrow over full ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.follow.window_width import LogWindows
from tests.net.log_node import LogNode, log
from tests.net.played import Clock, PlayedNode, error, node_of


def test_windows_cover_the_range_and_end_with_it(clock: Clock) -> None:
    assert list(LogWindows(5, 31, size=10, clock=clock)) == [(5, 14), (15, 24), (25, 31)]


def test_an_empty_range_has_no_windows(clock: Clock) -> None:
    assert list(LogWindows(5, 4, clock=clock)) == []


@pytest.mark.parametrize("size", [0, 11])
def test_the_first_size_lies_between_one_and_the_maximum(size: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 10 blocks, not {size}"):
        LogWindows(0, 100, size=size, maximum=10)


@pytest.mark.parametrize(
    ("logs", "seconds", "size"),
    [
        (0, 0.1, 128),
        (4_999, 2.4, 128),
        (4_999, 2.5, 64),
        (5_000, 0.1, 64),
        (10_000, 5.0, 64),
        (10_001, 0.1, 32),
        (0, 5.1, 32),
    ],
)
def test_the_width_follows_the_logs_and_the_seconds(
    clock: Clock, logs: int, seconds: float, size: int
) -> None:
    windows = LogWindows(0, 10_000, size=64, clock=clock)
    next(iter(windows))
    windows.record(logs, seconds)
    assert windows.size == size


def test_the_width_stays_between_one_block_and_the_maximum(clock: Clock) -> None:
    windows = LogWindows(0, 10_000, size=3, maximum=10, clock=clock)
    sizes = []
    for number, _ in zip(range(8), windows, strict=False):
        windows.record(0 if number < 3 else 20_000, 0.1)
        sizes.append(windows.size)
    assert sizes == [6, 10, 10, 5, 2, 1, 1, 1]


def test_a_window_cut_short_by_the_end_widens_nothing(clock: Clock) -> None:
    """An indexer at the head gets a block at a time, and would leap at the maximum after an outage."""
    windows = LogWindows(0, 4, size=100, clock=clock)
    for _ in windows:
        windows.record(0, 0.1)
    assert windows.size == 100


def test_the_end_may_be_moved_on(clock: Clock) -> None:
    windows = LogWindows(0, 4, size=3, clock=clock)
    assert list(windows) == [(0, 2), (3, 4)]
    windows.last = 6
    assert list(windows) == [(5, 6)]


def test_the_width_that_a_node_gave_is_the_ceiling_for_ten_minutes(clock: Clock) -> None:
    windows = LogWindows(0, 1_000_000, size=4_000, clock=clock)
    given = iter(windows)
    next(given)
    windows.record(100, 0.1, widest=2_000)
    for _ in range(3):
        next(given)
        windows.record(100, 0.1)
        assert windows.size == 2_000
    clock.now += 601
    next(given)
    windows.record(100, 0.1)
    assert windows.size == 4_000


def test_windows_learn_what_a_node_refuses(played: PlayedNode, clock: Clock) -> None:
    """After the first refusal every window is one request."""
    chain = LogNode([log(block) for block in range(0, 3000, 7)])
    chain.most_blocks, chain.refusal = 500, error(-32000, "exceed maximum block range: 500")
    played.methods["eth_getLogs"] = chain
    node, windows, got = node_of(played.url, clock=clock), LogWindows(0, 2999, size=800, clock=clock), []
    for first, last in windows:
        answer = node.logs(first, last, topics=[])
        windows.record(len(answer.logs), 0.1, answer.widest)
        got += answer.logs
    assert got == chain.all
    assert chain.ranges[:4] == [(0, 799), (0, 499), (500, 799), (800, 1299)]
    assert len(chain.ranges) == 3 + 5


@given(
    bounds=st.tuples(st.integers(0, 5000), st.integers(0, 5000)),
    size=st.integers(1, 50),
    records=st.lists(
        st.tuples(st.integers(0, 20_000), st.floats(0, 10), st.none() | st.integers(1, 40)), min_size=1
    ),
)
def test_every_block_is_in_one_window_whatever_is_recorded(
    bounds: tuple[int, int], size: int, records: list[tuple[int, float, int | None]]
) -> None:
    windows = LogWindows(*bounds, size=size, maximum=50, clock=Clock())
    blocks: list[int] = []
    for number, (first, last) in enumerate(windows):
        assert 1 <= last - first + 1 <= 50
        blocks += range(first, last + 1)
        windows.record(*records[number % len(records)])
    assert blocks == list(range(bounds[0], bounds[1] + 1))
