"""The logs of real blocks, from a node that answers and from one that often does not."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nftsite.net.windows import LogWindows
from tests.net.played import Clock, node_of

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
SERVER = SHARED / "tools" / "recorded_node.py"
RECORDED = SHARED / "data" / "transactions.jsonl.gz"

pytestmark = [
    pytest.mark.skipif(not SERVER.exists(), reason=f"{SERVER} is not here"),
    pytest.mark.skipif(not RECORDED.exists(), reason=f"{RECORDED} is not here"),
]


@contextmanager
def recorded(*options: str) -> Iterator[str]:
    """The URL of a node that serves the recorded transactions."""
    command = [sys.executable, str(SERVER), "--port", "0", *options, str(RECORDED)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split(" on ")[1].strip()
        finally:
            server.terminate()


def scan(url: str, clock: Clock, timeout: float) -> tuple[list[dict[str, Any]], list[Any]]:
    """All logs of the chain, and the headers of its blocks."""
    node = node_of(url, clock=clock, batch_size=10, timeout=timeout)
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
    with recorded() as steady, recorded("--flaky") as flaky:
        steady_clock, flaky_clock = Clock(), Clock()
        logs, headers = scan(steady, steady_clock, timeout=30.0)
        # What this node calls a connection cut off stays open, without an answer.
        assert scan(flaky, flaky_clock, timeout=0.5) == (logs, headers)
    assert steady_clock.slept == []
    assert flaky_clock.slept != []
    assert len(logs) == recorded_logs()
    assert [int(header["number"], 16) for header in headers] == list(range(len(headers)))


def recorded_logs() -> int:
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return sum(len(json.loads(line)["receipt"]["logs"]) for line in lines)
