"""URLs that stand in for each other, and the chain that each of them serves."""

from __future__ import annotations

import pytest

from core.net.rpc.errors import NodeUnavailableError, RpcError, WrongChainError
from tests.net.played import Answer, Clock, PlayedNode, node_of


def test_the_next_url_answers_at_once_where_the_first_fails(
    played: PlayedNode, other: PlayedNode, clock: Clock
) -> None:
    node = node_of(played.url, other.url, clock=clock)
    played.script.extend([played.by_methods, Answer(status=500)])
    assert node.call("eth_chainId") == "0x1"
    assert clock.slept == []
    assert (played.asked, other.asked) == (["eth_chainId"] * 2, ["eth_chainId"] * 2)


def test_a_url_that_failed_is_passed_over_until_it_has_cooled_off(
    played: PlayedNode, other: PlayedNode, clock: Clock
) -> None:
    node = node_of(played.url, other.url, clock=clock)
    node.chain_id()
    played.script.append(Answer(status=500))
    for _ in range(3):
        node.chain_id()
    assert len(played.seen) == 3
    clock.now += 31
    node.chain_id()
    assert len(played.seen) == 4


def test_retry_after_of_one_url_does_not_hold_up_the_other(
    played: PlayedNode, other: PlayedNode, clock: Clock
) -> None:
    played.script.append(Answer(status=429, headers={"Retry-After": "50"}))
    assert node_of(played.url, other.url, clock=clock).chain_id() == 1
    assert clock.slept == []


def test_what_one_url_does_not_offer_another_is_asked_for(played: PlayedNode, other: PlayedNode) -> None:
    other.methods["trace_block"] = lambda _block: ["trace"]
    assert node_of(played.url, other.url).call("trace_block", "0x1") == ["trace"]


def test_a_refused_key_leads_to_the_next_url_and_stays_out_of_the_way(
    played: PlayedNode, other: PlayedNode
) -> None:
    node = node_of(played.url, other.url)
    node.chain_id()
    played.script.append(Answer(status=403))
    for _ in range(3):
        node.chain_id()
    assert len(played.seen) == 3


def test_when_all_urls_refuse_the_last_refusal_is_told(played: PlayedNode, other: PlayedNode) -> None:
    with pytest.raises(RpcError, match="method not found"):
        node_of(played.url, other.url).call("trace_block", "0x1")


def test_each_url_is_asked_for_its_chain_once_and_when_first_used(
    played: PlayedNode, other: PlayedNode
) -> None:
    for node in (played, other):
        node.methods["eth_blockNumber"] = lambda: "0x10"
    both = node_of(played.url, other.url)
    both.block_number()
    both.block_number()
    assert (played.asked, other.asked) == (["eth_chainId", "eth_blockNumber", "eth_blockNumber"], [])
    played.script.append(Answer(status=500))
    both.block_number()
    assert other.asked == ["eth_chainId", "eth_blockNumber"]


def test_a_url_of_another_chain_is_left_out_and_that_is_said_once(
    played: PlayedNode, other: PlayedNode, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    other.methods["eth_chainId"] = lambda: "0x89"
    other.methods["eth_blockNumber"] = lambda: "0xfffff"
    node = node_of(played.url, other.url, clock=clock)
    node.chain_id()
    for _ in range(3):
        played.script.append(Answer(status=500))
        assert node.block_number() == 0xFFFF
        clock.now += 31
    assert other.asked == ["eth_chainId"]
    assert [one.getMessage() for one in caplog.records if one.levelname == "WARNING"] == [
        f"{other.url} serves chain 137, expected chain 1: it is left out"
    ]


def test_the_first_url_may_be_the_one_of_another_chain(played: PlayedNode, other: PlayedNode) -> None:
    played.methods["eth_chainId"] = lambda: "0x89"
    node = node_of(played.url, other.url, expect_chain_id=1)
    assert [node.block_number() for _ in range(2)] == [0xFFFF] * 2
    assert played.asked == ["eth_chainId"]


def test_urls_that_all_serve_another_chain_are_refused_until_one_is_put_right(
    played: PlayedNode, other: PlayedNode
) -> None:
    node = node_of(played.url, other.url, expect_chain_id=10)
    for _ in range(2):
        with pytest.raises(WrongChainError, match="serves chain 1, expected chain 10"):
            node.block_number()
    other.methods["eth_chainId"] = lambda: "0xa"
    assert node.block_number() == 0xFFFF


def test_what_the_only_url_of_the_chain_refuses_is_not_asked_of_another_chain(
    played: PlayedNode, other: PlayedNode
) -> None:
    other.methods |= {"eth_chainId": lambda: "0x89", "trace_block": lambda _block: ["trace"]}
    with pytest.raises(RpcError, match="method not found"):
        node_of(played.url, other.url).call("trace_block", "0x1")
    assert other.asked == ["eth_chainId"]


def test_where_a_url_stands_behind_what_is_known_the_others_are_preferred_for_a_while(
    played: PlayedNode, other: PlayedNode, clock: Clock
) -> None:
    other.methods["eth_blockNumber"] = lambda: "0x10002"
    node = node_of(played.url, other.url, clock=clock)
    assert node.block_number() == 0xFFFF
    node.at_least = 0x10001
    assert node.block_number() == 0x10002
    count = len(played.seen)
    node.call("eth_blockNumber")
    assert len(played.seen) == count


def test_the_newest_block_is_that_of_the_most_advanced_where_all_stand_behind(
    played: PlayedNode, other: PlayedNode
) -> None:
    other.methods["eth_blockNumber"] = lambda: "0xfffe"
    node = node_of(played.url, other.url)
    node.at_least = 0x10001
    assert node.block_number() == 0xFFFF


@pytest.mark.parametrize(
    "answer", [Answer(b"no", status=403), Answer({"id": 1, "error": {"code": -32601, "message": "no such method"}})]
)  # fmt: skip
def test_a_url_that_does_not_tell_its_chain_is_passed_over(
    played: PlayedNode, other: PlayedNode, answer: Answer
) -> None:
    played.script.extend([answer] * 9)
    assert node_of(played.url, other.url).block_number() == 0xFFFF
    assert played.asked == ["eth_chainId"]


def test_a_node_alone_that_does_not_tell_its_chain_is_unavailable(played: PlayedNode) -> None:
    played.script.append(Answer(b"no", status=403))
    with pytest.raises(NodeUnavailableError, match="HTTP 403"):
        node_of(played.url, expect_chain_id=1).block_number()


def test_a_chain_that_is_not_told_at_first_is_asked_for_again(played: PlayedNode, clock: Clock) -> None:
    played.script.append(Answer(status=500))
    assert node_of(played.url, expect_chain_id=1, clock=clock).block_number() == 0xFFFF
    assert clock.slept == [0.5]
