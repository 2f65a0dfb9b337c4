"""Answers that may pass, or never come: what is asked again, when, and how often."""

from __future__ import annotations

import email.utils
import time
from typing import Any

import pytest

from core.net.rpc.errors import BadAnswerError, NodeUnavailableError
from tests.net.played import SHORT, Answer, Clock, PlayedNode, node_of


def result(value: Any, *, number: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": value}


CHUNKED = (
    b"10\r\n" + b'{"jsonrpc":"2.0"' + b"\r\n13\r\n" + b',"id":1,"result":16' + b"\r\n1\r\n}\r\n0\r\n\r\n"
)


def test_answers_in_chunks_are_read(played: PlayedNode) -> None:
    played.script.append(Answer(CHUNKED, headers={"Transfer-Encoding": "chunked"}))
    node = node_of(played.url)
    assert node.call("eth_blockNumber") == 16
    node.call("eth_blockNumber")
    assert len(played.peers) == 1


PASSING_FAILURES = [
    Answer(status=500),
    Answer(b"<html>Bad gateway</html>", status=502),
    Answer(status=503),
    Answer({"error": "try again later"}, status=429),
    Answer({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "boom"}}, status=500),
    Answer(b'{"jsonrpc":"2.0","id":1,"result":"0x1"}', cut_after=10),
    Answer(b'{"jsonrpc":"2.0","id":1,"result":"0x1"}', cut_after=0),
    Answer(b'{"jsonrpc":"2.0","id":1,"result":'),
    Answer(CHUNKED, headers={"Transfer-Encoding": "chunked"}, cut_after=40),
    Answer(CHUNKED, headers={"Transfer-Encoding": "chunked"}, cut_after=len(CHUNKED) - 5),
    Answer(b"\xff\xfe"),
    Answer(b""),
    Answer(b"[" * 100_000),
    Answer(b'{"jsonrpc":"2.0","id":1,"result":NaN}'),
    Answer(b'{"jsonrpc":"2.0","id":1,"result":' + b"9" * 5000 + b"}"),
    Answer(b"not gzip", headers={"Content-Encoding": "gzip"}),
    Answer("0x1"),
    Answer([result("0x1")]),
    Answer(result("0x1", number=77)),
    Answer({"jsonrpc": "2.0", "id": "1", "result": "0x1"}),
    Answer({"jsonrpc": "2.0", "id": True, "result": "0x1"}),
    Answer({"jsonrpc": "2.0", "result": "0x1"}),
    Answer({"jsonrpc": "2.0", "id": 1}),
    Answer({"jsonrpc": "2.0", "id": 1, "result": "0x1", "error": {"code": 1, "message": "both"}}),
    Answer({"jsonrpc": "2.0", "id": 1, "error": 17}),
    Answer({"jsonrpc": "2.0", "id": 1, "error": {"code": -32005, "message": "rate limited"}}),
    Answer({"jsonrpc": "2.0", "id": 1, "error": {"code": 429, "message": "compute units per second"}}),
    Answer({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "header not found"}}),
    Answer({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error"}}),
    Answer({"jsonrpc": "2.0", "id": None, "error": "too many requests"}),
]


@pytest.mark.parametrize("failure", PASSING_FAILURES, ids=range(len(PASSING_FAILURES)))
def test_what_may_pass_is_asked_again(played: PlayedNode, failure: Answer) -> None:
    played.script.append(failure)
    node = node_of(played.url)
    assert node.call("eth_chainId") == "0x1"
    assert (node.requests, node.retries, node.failures) == (
        {played.host: 2}, {played.host: 1}, {played.host: 1},
    )  # fmt: skip


def test_a_node_that_does_not_answer_in_time_is_asked_again(played: PlayedNode) -> None:
    played.script.append(Answer(hang=True))
    assert node_of(played.url, timeout=SHORT).call("eth_chainId") == "0x1"


def test_waits_double_up_to_half_a_minute(played: PlayedNode, clock: Clock) -> None:
    played.script.extend([Answer(status=500)] * 9)
    node_of(played.url, clock=clock, attempts=10).call("eth_chainId")
    assert clock.slept == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_waits_are_drawn_from_nothing_to_their_longest(played: PlayedNode, clock: Clock) -> None:
    played.script.extend([Answer(status=500)] * 2)
    draws = iter([0.25, 0.0])
    node_of(played.url, clock=clock, random=lambda: next(draws)).call("eth_chainId")
    assert clock.slept == [0.125]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_is_honoured_up_to_a_minute(
    played: PlayedNode, clock: Clock, status: int
) -> None:
    played.script.append(Answer(status=status, headers={"Retry-After": "7"}))
    played.script.append(Answer(status=status, headers={"Retry-After": "3600"}))
    node_of(played.url, clock=clock).call("eth_chainId")
    assert clock.slept == [7, 60]


def test_retry_after_as_a_date_is_honoured(played: PlayedNode, clock: Clock) -> None:
    date = email.utils.formatdate(time.time() + 25, usegmt=True)
    played.script.append(Answer(status=503, headers={"Retry-After": date}))
    node_of(played.url, clock=clock).call("eth_chainId")
    assert 20 < clock.slept[0] <= 25


@pytest.mark.parametrize("value", ["soon", "-5", "Thu, 99 Foo 1970", "9" * 5000, ""])
def test_a_retry_after_that_makes_no_sense_counts_as_none(
    played: PlayedNode, clock: Clock, value: str
) -> None:
    played.script.append(Answer(status=429, headers={"Retry-After": value}))
    node_of(played.url, clock=clock).call("eth_chainId")
    assert clock.slept == [0.5]


def test_a_node_that_never_answers_is_unavailable_after_all_attempts(played: PlayedNode) -> None:
    played.script.extend([Answer(status=500)] * 4)
    node = node_of(played.url, attempts=4)
    with pytest.raises(NodeUnavailableError, match=r"given up after 4 attempts, the last: .*HTTP 500"):
        node.call("eth_chainId")
    assert node.failures == {played.host: 4}


def test_a_node_that_is_not_there_is_unavailable(played: PlayedNode) -> None:
    with pytest.raises(NodeUnavailableError, match="no connection"):
        node_of("http://127.0.0.1:1", attempts=2).call("eth_chainId")


def test_nonsense_to_the_last_attempt_is_told_from_silence(played: PlayedNode) -> None:
    played.script.extend([Answer(b"[]")] * 2)
    with pytest.raises(BadAnswerError, match="list instead of an answer"):
        node_of(played.url, attempts=2).call("eth_chainId")
