"""Calls to one node, from those that answer well to those that do not answer at all."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.net.rpc.errors import BadAnswerError, Kind, LaggingNodeError, NodeUnavailableError, RpcError
from core.net.rpc.jsonrpc import Node
from core.net.rpc.values import data_bytes
from tests.net.played import Answer, Clock, PlayedNode, error, node_of


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


def test_threads_share_a_node(played: PlayedNode) -> None:
    played.methods["echo"] = lambda value: value
    node = node_of(played.url)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda value: node.call("echo", value), range(80))) == list(range(80))
    assert node.requests == {played.host: 80}


def test_a_url_that_speaks_no_tls_is_unavailable(played: PlayedNode) -> None:
    with pytest.raises(NodeUnavailableError, match="TLS failed"):
        node_of(f"https://{played.host}", attempts=1).chain_id()


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("a \ud800 lone surrogate", "a \ufffd lone surrogate"),
        ("NUL\0, bell\x07 and escape\x1b[31m", "NUL\ufffd, bell\ufffd and escape\ufffd[31m"),
        ("a line\nWARNING: another\u2028one", "a line\ufffdWARNING: another\ufffdone"),
    ],
)
def test_what_a_node_says_can_be_shown_and_stored(played: PlayedNode, message: str, shown: str) -> None:
    played.methods["odd"] = lambda: error(-32000, message)
    with pytest.raises(RpcError) as refused:
        node_of(played.url).call("odd")
    assert refused.value.message == shown


@pytest.mark.parametrize("depth", [10, 900, 990, 100_000])
@pytest.mark.parametrize("place", ["message", "data", "result"])
def test_an_answer_nested_however_deep_is_an_error_of_the_node(
    played: PlayedNode, depth: int, place: str
) -> None:
    nested = b"[" * depth + b"]" * depth
    error_ = b'{"code":-32000,"message":"no","data":' + nested + b"}"
    if place == "message":
        error_ = b'{"code":-32000,"message":' + nested + b"}"
    body = b'{"id":1,"error":' + error_ + b"}" if place != "result" else b'{"id":1,"result":' + nested + b"}"
    played.script.append(Answer(body))
    with pytest.raises((RpcError, BadAnswerError)):
        node_of(played.url, attempts=1).block_number()


@pytest.mark.parametrize(
    "answer",
    [7, "0x1", True, [[]], {"id": 1}, {"id": True, "result": "0x1"}, {"id": "1", "result": "0x1"},
     {"id": 1.0, "result": "0x1"}, {"id": 1, "result": "0x1", "error": {}}, {"id": 1, "error": []},
     {"id": 1, "error": 5}, {"id": 1, "error": {"code": {}, "message": {}}}, {"id": [1], "result": "0x1"},
     {"id": 1, "result": ["0x1"]}, {"id": 1, "result": {"number": "0x1"}}, {"id": 1, "result": "0x" + "f" * 65}],
)  # fmt: skip
def test_an_answer_of_any_other_form_is_an_error_of_the_node(played: PlayedNode, answer: Any) -> None:
    played.script.append(Answer(answer))
    with pytest.raises((RpcError, BadAnswerError)):
        node_of(played.url, attempts=1).block_number()
