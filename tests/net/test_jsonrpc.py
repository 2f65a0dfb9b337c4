"""Calls to one node, from those that answer well to those that do not answer at all."""

from __future__ import annotations

import email.utils
import gzip
import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from nftsite.net.jsonrpc import Node
from nftsite.net.rpc_errors import (
    BadAnswerError,
    Kind,
    LaggingNodeError,
    NodeUnavailableError,
    RpcError,
    WrongChainError,
)
from nftsite.net.rpc_values import data_bytes
from tests.net.played import Answer, Clock, PlayedNode, error, node_of


def result(value: Any, *, number: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": value}


def test_a_call_returns_the_result_and_keeps_large_integers_exact(played: PlayedNode) -> None:
    played.methods["odd"] = lambda first, second: [first, second, 2**256 - 1]
    assert node_of(played.url).call("odd", "0x1", {"a": None}) == ["0x1", {"a": None}, 2**256 - 1]
    assert played.seen == [{"jsonrpc": "2.0", "id": 1, "method": "odd", "params": ["0x1", {"a": None}]}]


def test_parameters_may_go_by_name(played: PlayedNode) -> None:
    """JSON-RPC 2.0, section 4.2: what the methods of Solana's digital assets want."""
    played.methods["odd"] = lambda first, second: [first, second]
    assert node_of(played.url).named("odd", {"first": 1, "second": "a"}) == [1, "a"]
    assert played.seen == [
        {"jsonrpc": "2.0", "id": 1, "method": "odd", "params": {"first": 1, "second": "a"}}
    ]


def test_a_named_result_that_cannot_be_is_asked_for_again(played: PlayedNode) -> None:
    answers = iter([None, [7]])
    played.methods["odd"] = lambda: next(answers)

    def is_list(name: str, found: Any) -> None:
        if not isinstance(found, list):
            raise BadAnswerError(f"{name}: no list")

    assert node_of(played.url).named("odd", {}, check=is_list) == [7]


def test_urls_of_a_chain_without_an_id_are_not_asked_for_one(played: PlayedNode, other: PlayedNode) -> None:
    played.script.append(Answer(status=500))
    other.methods["odd"] = lambda: 7
    assert node_of(played.url, other.url, has_chain_id=False).named("odd", {}) == 7
    assert (played.asked, other.asked) == (["odd"], ["odd"])


def test_a_null_result_is_a_result(played: PlayedNode) -> None:
    """eth_getTransactionByHash of an unknown hash."""
    played.methods["eth_getTransactionByHash"] = lambda _hash: None
    assert node_of(played.url).call("eth_getTransactionByHash", "0x00") is None


def test_one_connection_serves_call_after_call(played: PlayedNode) -> None:
    node = node_of(played.url)
    for _ in range(5):
        node.chain_id()
    assert len(played.peers) == 1


def test_compressed_answers_are_asked_for_and_read(played: PlayedNode) -> None:
    body = gzip.compress(b'{"jsonrpc":"2.0","id":1,"result":"0x10"}')
    played.script.append(Answer(body, headers={"Content-Encoding": "gzip"}))
    assert node_of(played.url).block_number() == 16
    assert played.headers[0]["Accept-Encoding"] == "gzip"


CHUNKED = (
    b"10\r\n" + b'{"jsonrpc":"2.0"' + b"\r\n13\r\n" + b',"id":1,"result":16' + b"\r\n1\r\n}\r\n0\r\n\r\n"
)


def test_answers_in_chunks_are_read(played: PlayedNode) -> None:
    played.script.append(Answer(CHUNKED, headers={"Transfer-Encoding": "chunked"}))
    node = node_of(played.url)
    assert node.call("eth_blockNumber") == 16
    node.call("eth_blockNumber")
    assert len(played.peers) == 1


def test_path_query_and_user_of_the_url_reach_the_node(played: PlayedNode) -> None:
    node_of(f"http://us%40er:pä%3Ass@{played.host}/v3/key?token=t").chain_id()
    assert played.paths == ["/v3/key?token=t"]
    # base64 of "us@er:pä:ss" as UTF-8 (RFC 7617).
    assert played.headers[0]["Authorization"] == "Basic dXNAZXI6cMOkOnNz"


@pytest.mark.parametrize(
    "url", ["", "ws://host/sEcret", "ftp://host/sEcret", "sEcret", "http://:8545/sEcret", "http://[::1/sEcret",
            "http://u:sEcret@host:70000", "http://u:pa#sEcret@host", "file:///sEcret"]
)  # fmt: skip
def test_what_is_no_http_url_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(ValueError, match="a node's URL is") as caught:
        node_of(url)
    assert "sEcret" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_node_needs_a_list_of_urls() -> None:
    for urls in ("", "http://host"):
        with pytest.raises(ValueError, match="a list of one or more"):
            Node(urls)


@pytest.mark.parametrize("value", ["1", 1, None, "0x", "0xg", "-0x1", ["0x1"], "0x" + "f" * 65])
def test_a_quantity_is_hexadecimal_text(played: PlayedNode, value: Any) -> None:
    played.methods["eth_blockNumber"] = lambda: value
    with pytest.raises(BadAnswerError, match="no hexadecimal quantity"):
        node_of(played.url, attempts=2).block_number()


@pytest.mark.parametrize("value", ["00ff", 1, None, "0xg0", "0x0", ["0x00"], "0x00 ", "0x٠٠"])
def test_data_is_hexadecimal_text_of_whole_bytes(value: Any) -> None:
    with pytest.raises(BadAnswerError, match=r"http://node: .* no hexadecimal data"):
        data_bytes("http://node", value)
    assert (data_bytes("", "0x"), data_bytes("", "0x00fF")) == (b"", b"\x00\xff")


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
    assert node_of(played.url, timeout=0.05).call("eth_chainId") == "0x1"


def test_an_answer_that_drips_in_is_given_up(played: PlayedNode) -> None:
    """Each read is in time; the answer as a whole may take four times that long."""
    ticks = itertools.count(step=15)
    node = Node([played.url], timeout=2.0, attempts=1, clock=lambda: float(next(ticks)))
    with pytest.raises(NodeUnavailableError, match="not whole in time"):
        node.call("eth_chainId")


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


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_is_not_asked_twice(played: PlayedNode, clock: Clock, status: int) -> None:
    played.script.append(Answer(b"no", status=status))
    with pytest.raises(RpcError) as caught:
        node_of(played.url, clock=clock).call("eth_chainId")
    assert (caught.value.code, len(played.seen), clock.slept) == (status, 1, [])


def test_an_unknown_method_is_not_asked_twice(played: PlayedNode) -> None:
    with pytest.raises(RpcError, match="method not found") as caught:
        node_of(played.url).call("trace_block")
    assert (caught.value.code, caught.value.kind, len(played.seen)) == (-32601, Kind.ELSEWHERE, 1)


def test_redirects_are_not_followed(played: PlayedNode, other: PlayedNode) -> None:
    played.script.append(Answer(status=307, headers={"Location": other.url}))
    with pytest.raises(RpcError, match="redirects are not followed"):
        node_of(played.url).call("eth_chainId")
    assert other.seen == []


def test_a_revert_comes_back_at_once_with_its_data(played: PlayedNode) -> None:
    played.methods["eth_call"] = lambda *_: error(3, "execution reverted", "0x08c379a0")
    with pytest.raises(RpcError) as caught:
        node_of(played.url).call("eth_call", {"to": "0x00"}, "latest")
    assert (caught.value.code, caught.value.data, caught.value.kind) == (3, "0x08c379a0", Kind.FINAL)


def test_a_contract_cannot_pass_its_revert_for_a_rate_limit(played: PlayedNode) -> None:
    """The text behind "execution reverted:" is the contract's; a retry for its sake would stop the indexer."""
    played.methods["eth_call"] = lambda *_: error(-32000, "execution reverted: 429 too many requests")
    with pytest.raises(RpcError, match="too many requests"):
        node_of(played.url).call("eth_call", {"to": "0x00"}, "latest")
    assert len(played.seen) == 1


@pytest.mark.parametrize(
    "message", ["header not found", "block not found", "missing trie node 5ab1 (path )", "unknown block",
                "Unknown block number", "block #123 not found"]
)  # fmt: skip
def test_a_node_that_goes_on_lagging_says_so_by_its_own_error(played: PlayedNode, message: str) -> None:
    played.methods["eth_call"] = lambda *_: error(-32000, message)
    with pytest.raises(LaggingNodeError):
        node_of(played.url).call("eth_call", {"to": "0x00"}, "0x7b")
    assert len(played.seen) == 4


def test_a_call_of_which_the_answer_is_too_large_is_refused(played: PlayedNode) -> None:
    played.methods["debug"] = lambda: "x" * 2000
    with pytest.raises(RpcError, match="an answer of more than 1000 bytes"):
        node_of(played.url, max_body=1000).call("debug")


def test_a_compressed_bomb_is_refused_before_it_is_unpacked(played: PlayedNode) -> None:
    bomb = gzip.compress(b"0" * 50_000_000)
    played.script.append(Answer(bomb, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(RpcError, match="an answer of more than 1000000 bytes"):
        node_of(played.url, max_body=1_000_000).call("eth_chainId")


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


def test_urls_of_two_chains_are_refused(played: PlayedNode, other: PlayedNode) -> None:
    other.methods["eth_chainId"] = lambda: "0x89"
    node = node_of(played.url, other.url)
    node.chain_id()
    played.script.append(Answer(status=500))
    with pytest.raises(WrongChainError, match="serves chain 137, expected chain 1"):
        node.chain_id()


def test_a_node_of_another_chain_than_expected_is_refused(played: PlayedNode) -> None:
    with pytest.raises(WrongChainError, match="serves chain 1, expected chain 10"):
        node_of(played.url, expect_chain_id=10).call("eth_blockNumber")


def test_threads_share_a_node(played: PlayedNode) -> None:
    played.methods["echo"] = lambda value: value
    node = node_of(played.url)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda value: node.call("echo", value), range(80))) == list(range(80))
    assert node.requests == {played.host: 80}


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


def test_a_url_that_speaks_no_tls_is_unavailable(played: PlayedNode) -> None:
    with pytest.raises(NodeUnavailableError, match="TLS failed"):
        node_of(f"https://{played.host}", attempts=1).chain_id()
