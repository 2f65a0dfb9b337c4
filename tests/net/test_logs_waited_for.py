"""Logs that a node has not yet, or no more, or not now: waited for, or asked for elsewhere."""

from __future__ import annotations

import pytest

from core.net.rpc.errors import NodeUnavailableError
from tests.net.log_node import LogNode, blocks, log
from tests.net.played import Answer, Clock, PlayedNode, error, node_of

RATE_LIMITS = [
    (-32005, "daily request count exceeded, request rate limited"),
    (-32005, "project ID request rate exceeded"),
    (-32005, "rate limit exceeded"),
    (429, "Your app has exceeded its compute units per second capacity. If you have retries enabled, you can ignore "
          "this message."),
    (-32007, "50/second request limit reached - reduce calls per second or upgrade your account"),
    (-32090, "Too many requests, reason: call rate limit exhausted, retry in 10s"),
    (-32005, "Monthly capacity limit exceeded."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "message"), RATE_LIMITS)
def test_a_rate_limit_is_waited_for_and_the_range_left_whole(
    played: PlayedNode, chain: LogNode, clock: Clock, code: int, message: str
) -> None:
    refusal = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message}}
    played.script.append(lambda document: {**refusal, "id": document["id"]})
    answer = node_of(played.url, clock=clock).logs(0, 99, topics=[])
    assert (len(answer.logs), answer.widest) == (100, None)
    assert (chain.ranges, clock.slept) == ([(0, 99)], [0.5])


def test_a_limit_that_does_not_say_which_is_waited_for_once_there_is_one_block(
    played: PlayedNode, chain: LogNode, clock: Clock
) -> None:
    refusals = iter([True] * 5)
    chain.most_blocks, chain.refusal = 0, error(-32005, "limit exceeded")
    played.methods["eth_getLogs"] = lambda wanted: chain.refusal if next(refusals, False) else [log(8)]
    answer = node_of(played.url, clock=clock).logs(8, 8, topics=[])
    assert blocks(answer.logs) == [8]
    assert clock.slept == [0.5, 1, 2, 4, 8]


def test_blocks_that_a_node_does_not_know_yet_are_waited_for(played: PlayedNode, chain: LogNode) -> None:
    """It sounds like a limit: geth, of a range behind its head."""
    refusal = {"code": -32602, "message": "block range extends beyond current head block"}
    played.script.append(lambda document: {"id": document["id"], "error": refusal})
    assert node_of(played.url).logs(0, 99, topics=[]).widest is None


def test_a_url_that_lags_is_not_asked_for_blocks_that_it_does_not_know(
    played: PlayedNode, other: PlayedNode, chain: LogNode, clock: Clock
) -> None:
    """It would answer with the logs that it knows, and the others would be missing for good."""
    heads = iter([50, 98, 99])
    other.methods["eth_blockNumber"] = lambda: hex(next(heads))
    other.methods["eth_getLogs"] = LogNode(chain.all)
    played.script.extend([played.by_methods, played.by_methods, *[Answer(status=500)] * 9])
    node = node_of(played.url, other.url, clock=clock)
    node.chain_id()
    assert node.logs(0, 99, topics=[]).logs == chain.all
    assert other.asked == ["eth_chainId", *["eth_blockNumber"] * 3, "eth_getLogs"]


def test_the_head_of_a_node_is_asked_for_before_each_range(played: PlayedNode, chain: LogNode) -> None:
    played.aside, played.methods["eth_blockNumber"] = set(), lambda: hex(50)
    node = node_of(played.url)
    for first in (0, 20, 40):
        node.logs(first, first + 10, topics=[])
    assert played.asked == ["eth_blockNumber", "eth_getLogs"] * 3


def test_a_url_that_has_forgotten_blocks_is_not_asked_for_them(
    played: PlayedNode, other: PlayedNode, chain: LogNode
) -> None:
    """It was restarted from a backup, and answers for what it does not have any more with silence."""
    node = node_of(played.url, other.url)
    assert len(node.logs(0, 99, topics=[]).logs) == 100
    chain.all, other.methods["eth_getLogs"] = chain.all[:50], LogNode(chain.all)
    played.methods["eth_blockNumber"] = lambda: hex(49)
    assert len(node.logs(0, 99, topics=[]).logs) == 100
    assert len(node.logs(0, 49, topics=[]).logs) == 50


def test_a_node_that_forgets_blocks_after_a_failure_is_waited_for(
    played: PlayedNode, chain: LogNode, clock: Clock
) -> None:
    heads = iter([99, 49, 49, 99])
    played.methods["eth_blockNumber"] = lambda: hex(next(heads))
    played.script.append(Answer(status=500))
    assert node_of(played.url, clock=clock).logs(0, 99, topics=[]).logs == chain.all
    assert next(heads, None) is None


def test_blocks_that_no_node_knows_are_waited_for_in_vain(played: PlayedNode, chain: LogNode) -> None:
    played.methods["eth_blockNumber"] = lambda: hex(98)
    with pytest.raises(NodeUnavailableError, match="knows the blocks up to 98, not yet 99"):
        node_of(played.url).logs(0, 99, topics=[])
    assert chain.ranges == []


def test_a_node_that_wants_an_address_in_each_filter_is_passed_over(
    played: PlayedNode, other: PlayedNode, chain: LogNode
) -> None:
    message = (
        "Please specify an address in your request or, to remove restrictions, order a dedicated full node"
    )
    other.methods["eth_getLogs"] = chain
    played.methods["eth_getLogs"] = lambda _: error(-32701, message)
    assert len(node_of(played.url, other.url).logs(0, 99, topics=[]).logs) == 100
