"""The logs of real blocks, from a node that answers and from one that often does not."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from indexing.follow.window_width import LogWindows
from tests.ingestion.recorded import recorded_node
from tests.net.played import Clock, node_of
from tests.patience import PATIENCE
from tests.shared import TRANSACTIONS

pytestmark = pytest.mark.shared


def scan(url: str, clock: Clock, **options: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    """All logs of the chain, and the headers of its blocks."""
    node = node_of(url, clock=clock, batch_size=10, **options)
    head = node.block_number()
    windows = LogWindows(0, head, size=7, maximum=5_000, clock=clock)
    logs: list[dict[str, Any]] = []
    for first, last in windows:
        answer = node.logs(first, last, topics=[])
        windows.record(len(answer.logs), 0.1, answer.widest)
        logs += answer.logs
    headers = node.batch([("eth_getBlockByNumber", [hex(number), False]) for number in range(head + 1)])
    return logs, headers


def test_a_flaky_node_gives_the_same_logs_and_blocks_as_a_steady_one() -> None:
    with recorded_node() as steady, recorded_node("--flaky") as flaky:
        steady_clock, flaky_clock = Clock(), Clock()
        logs, headers = scan(steady, steady_clock, timeout=PATIENCE)
        # What this node calls a connection cut off stays open, without an answer; a busy machine is late as often.
        assert scan(flaky, flaky_clock, timeout=0.5, attempts=100) == (logs, headers)
    assert steady_clock.slept == []
    assert flaky_clock.slept != []
    assert len(logs) == recorded_logs()
    assert [int(header["number"], 16) for header in headers] == list(range(len(headers)))


def recorded_logs() -> int:
    with gzip.open(TRANSACTIONS, "rt", encoding="utf-8") as lines:
        return sum(len(json.loads(line)["receipt"]["logs"]) for line in lines)
