"""eth_getLogs of any range, from nodes that refuse ranges, results and lists each in their own words."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.net.rpc.errors import BadAnswerError, NodeUnavailableError, RpcError, TooManyResultsError
from tests.net.log_node import CONTRACTS, LogNode, blocks, log
from tests.net.played import SHORT, Answer, Clock, PlayedNode, error, node_of

TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"


def test_a_range_that_the_node_gives_is_one_request(played: PlayedNode, chain: LogNode) -> None:
    answer = node_of(played.url).logs(10, 19, topics=[[TRANSFER], None])
    assert (blocks(answer.logs), answer.widest) == (list(range(10, 20)), None)
    assert played.seen[0]["params"] == [{"fromBlock": "0xa", "toBlock": "0x13", "topics": [[TRANSFER], None]}]


def test_addresses_are_sent_once_each_in_lower_case(played: PlayedNode, chain: LogNode) -> None:
    node_of(played.url).logs(1, 2, addresses=["0xAB", "0xab", "0xCD"], topics=[])
    assert played.seen[0]["params"][0]["address"] == ["0xab", "0xcd"]


def test_no_addresses_are_no_logs_and_no_request(played: PlayedNode, chain: LogNode) -> None:
    assert node_of(played.url).logs(1, 2, addresses=[], topics=[]).logs == []
    assert played.seen == []


@pytest.mark.parametrize(("first", "last"), [(5, 4), (-1, 4)])
def test_what_is_no_range_is_refused(played: PlayedNode, first: int, last: int) -> None:
    with pytest.raises(ValueError, match="no range of blocks"):
        node_of(played.url).logs(first, last, topics=[])


REFUSALS = [
    (-32602, "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit "
             "on the response size, or you can request any block range with a cap of 10K logs in the response. Based "
             "on your parameters and the response size limit, this block range should work: [0x0, 0x0]"),
    (-32005, "query returned more than 10000 results"),
    (-32005, "query returned more than 10000 results. Try with this block range [0x5, 0x4]."),
    (-32614, "eth_getLogs is limited to a 10,000 range"),
    (-32000, "query timeout exceeded"),
    (-32000, "query timeout exceeded. Consider reducing your block range."),
    (-32000, "block range is too wide"),
    (-32000, "exceed maximum block range: 5000"),
    (-32005, "query exceeds max block range 2000"),
    (-32602, "query exceeds max block range 100000"),
    (-32602, "query exceeds max results 20000, retry with the range 0-99"),
    (-32000, "response size should not greater than 10000000 bytes"),
    (-32000, "range too large"),
    (-32012, "requested range too large"),
    (-32005, "limit exceeded"),
    (-32005, "Limit Exceeded"),
    (-32000, "requested too many blocks from 0 to 16777216, maximum is set to 2048"),
    (-32600, "eth_getLogs and eth_newFilter are limited to a 10,000 blocks range"),
    (-32035, "Block range limit exceeded. See more details at https://docs.example/limits"),
    (-32005, "logs matched by query exceeds limit of 10000"),
    (-35005, "too many blocks"),
    (-32602, "range 1000000 exceeds limit of 10000"),
    (-32000, "block range is larger than max block range, block range = 5120, max block range = 5000"),
    (-32020, "backend response too large"),
    (-32008, "Response is too big"),
    (-32600, "Under the Free tier plan, you can make eth_getLogs requests with up to a 10K block range. Upgrade to "
             "PAYG for expanded block range."),
    (-32005, "Too many results"),
    (-32603, "request timed out"),
    (-32000, "context deadline exceeded"),
    (-32005, ""),
]  # fmt: skip


@pytest.mark.parametrize(("code", "message"), REFUSALS)
def test_a_range_that_is_refused_in_any_words_is_asked_for_in_parts(
    played: PlayedNode, chain: LogNode, clock: Clock, code: int, message: str
) -> None:
    chain.most_blocks, chain.refusal = 13, error(code, message)
    answer = node_of(played.url, clock=clock).logs(0, 99, topics=[])
    assert blocks(answer.logs) == list(range(100))
    assert answer.widest is not None
    assert 6 < answer.widest <= 13
    assert clock.slept == []


def test_words_in_the_data_of_an_error_count_too(played: PlayedNode, chain: LogNode) -> None:
    data = {"error_id": "4ed94073", "payload": "range 9009594 is bigger than range limit 20"}
    chain.most_blocks, chain.refusal = 20, error(-32602, "invalid params", data)
    assert node_of(played.url).logs(0, 99, topics=[]).widest == 20
    assert chain.ranges == [(0, 99), (0, 19), (20, 39), (40, 59), (60, 79), (80, 99)]


@pytest.mark.parametrize("status", [413, 408, 504, 524])
def test_a_range_that_is_refused_by_status_is_asked_for_in_parts(
    played: PlayedNode, chain: LogNode, status: int
) -> None:
    played.script.append(Answer(b"<html>", status=status))
    assert blocks(node_of(played.url).logs(0, 99, topics=[]).logs) == list(range(100))
    assert chain.ranges == [(0, 49), (50, 99)]


@pytest.mark.parametrize("status", [400, 413, 429, 500, 503])
def test_the_words_that_come_with_a_status_count_more_than_the_status(
    played: PlayedNode, chain: LogNode, clock: Clock, status: int
) -> None:
    refusal = {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32614, "message": "eth_getLogs is limited to a 10 range"},
    }
    played.script.append(Answer(refusal, status=status))
    assert len(node_of(played.url, clock=clock).logs(0, 29, topics=[]).logs) == 30
    assert (chain.ranges, clock.slept) == ([(0, 9), (10, 19), (20, 29)], [])


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_that_is_too_large_is_asked_for_in_parts(
    played: PlayedNode, chain: LogNode, packed: bool
) -> None:
    def answer(document: Any) -> Answer:
        body = json.dumps(played.by_methods(document)).encode()
        return Answer(gzip.compress(body), headers={"Content-Encoding": "gzip"}) if packed else Answer(body)

    played.script.extend([answer] * 20)
    assert len(node_of(played.url, max_body=9000).logs(0, 99, topics=[]).logs) == 100
    assert chain.ranges == [(0, 99), (0, 49), (50, 99)]


def test_a_range_that_is_not_answered_in_time_is_asked_for_in_parts(
    played: PlayedNode, chain: LogNode
) -> None:
    played.script.append(Answer(hang=True))
    # What is answered is awaited for as long as what is not: a busy machine takes its time.
    assert len(node_of(played.url, timeout=SHORT).logs(0, 99, topics=[]).logs) == 100
    assert chain.ranges == [(0, 49), (50, 99)]


def test_one_block_that_is_not_answered_in_time_is_asked_again(played: PlayedNode, chain: LogNode) -> None:
    played.script.extend([Answer(hang=True)] * 2)
    with pytest.raises(NodeUnavailableError, match="no answer in time"):
        node_of(played.url, timeout=0.05, attempts=2).logs(7, 7, topics=[])


def test_the_range_that_a_node_suggests_is_taken(played: PlayedNode, chain: LogNode) -> None:
    chain.most_logs = 30
    chain.refusal = lambda first, _last: error(
        -32602, f"this block range should work: [{hex(first)}, {hex(first + 29)}]"
    )
    assert len(node_of(played.url).logs(0, 99, topics=[]).logs) == 100
    assert chain.ranges == [(0, 99), (0, 29), (30, 99), (30, 59), (60, 99), (60, 89), (90, 99)]


@pytest.mark.parametrize("suggested", ["[0x0, 0x63]", "[0x5, 0x9]", "[0x0, 0xffff]", "[0x9, 0x0]"])
def test_a_suggestion_that_makes_no_sense_is_not_taken(
    played: PlayedNode, chain: LogNode, suggested: str
) -> None:
    chain.most_blocks = 50
    chain.refusal = error(-32602, f"Log response size exceeded, this block range should work: {suggested}")
    node_of(played.url).logs(0, 99, topics=[])
    assert chain.ranges == [(0, 99), (0, 49), (50, 99)]


def test_a_block_that_is_refused_by_itself_is_told(played: PlayedNode, chain: LogNode) -> None:
    chain.most_logs = 2
    chain.all += [log(41, index) for index in range(1, 4)]
    with pytest.raises(TooManyResultsError, match="block 41 alone") as caught:
        node_of(played.url).logs(0, 99, topics=[])
    assert caught.value.block == 41


def test_addresses_are_split_where_one_block_has_too_many_logs(played: PlayedNode, chain: LogNode) -> None:
    chain.all = [log(5, index, CONTRACTS[index % 4]) for index in range(8)]
    chain.most_logs = 3
    answer = node_of(played.url).logs(4, 5, addresses=CONTRACTS[:4], topics=[])
    assert answer.logs == chain.all


@pytest.mark.parametrize("most", [10**9, 500, 7])
def test_a_long_list_of_addresses_is_sent_in_parts(played: PlayedNode, chain: LogNode, most: int) -> None:
    """And the logs come in the order of the chain, not in that of the lists."""
    chain.most_addresses = most
    chain.all = [
        log(block, index, CONTRACTS[(block * 7 + index) % 1100]) for block in range(50) for index in (0, 1)
    ]
    answer = node_of(played.url).logs(0, 49, addresses=CONTRACTS[:1100], topics=[])
    assert (answer.logs, answer.widest) == (chain.all, None)
    assert max(len(request["params"][0]["address"]) for request in played.seen) == 500


def test_an_error_of_another_kind_is_told(played: PlayedNode) -> None:
    played.methods["eth_getLogs"] = lambda _: error(
        -32602, "invalid argument 0: hex string without 0x prefix"
    )
    with pytest.raises(RpcError, match="invalid argument 0"):
        node_of(played.url).logs(0, 99, topics=[])


@pytest.mark.parametrize(
    "answer",
    [None, {}, "0x", 5, ["0x"], [None], [{}], [{"blockNumber": None, "logIndex": None}], [log(200)],
     [log(1) | {"logIndex": 3}]],
)  # fmt: skip
def test_what_are_no_logs_of_the_range_are_refused_and_asked_for_elsewhere(
    played: PlayedNode, other: PlayedNode, chain: LogNode, answer: Any
) -> None:
    """A proxy that ignores the filter would fill the database with strangers."""
    played.methods["eth_getLogs"] = lambda _: answer
    with pytest.raises(BadAnswerError, match=r"eth_getLogs|list of logs"):
        node_of(played.url, attempts=2).logs(0, 99, topics=[])
    other.methods["eth_getLogs"] = chain
    assert len(node_of(played.url, other.url).logs(0, 99, topics=[]).logs) == 100


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    held=st.lists(st.integers(0, 120), max_size=60),
    most_blocks=st.integers(1, 130),
    most_logs=st.integers(60, 70),
    bounds=st.tuples(st.integers(0, 120), st.integers(0, 120)),
    refusal=st.sampled_from(REFUSALS),
)
def test_whatever_a_node_refuses_each_log_of_the_range_comes_once(
    played: PlayedNode, held: list[int], most_blocks: int, most_logs: int, bounds: tuple[int, int],
    refusal: tuple[int, str],
) -> None:  # fmt: skip
    first, last = sorted(bounds)
    chain = LogNode([log(block, index) for index, block in enumerate(sorted(held))])
    chain.most_blocks, chain.most_logs, chain.refusal = most_blocks, most_logs, error(*refusal)
    played.methods["eth_getLogs"] = chain
    answer = node_of(played.url).logs(first, last, topics=[])
    assert answer.logs == [one for one in chain.all if first <= int(one["blockNumber"], 16) <= last]
    assert (answer.widest is not None) == (last - first + 1 > most_blocks)
