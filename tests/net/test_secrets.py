"""A node's URL holds its key: nothing that is raised, shown or logged may hold more of it than host and port."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from core.net.http.secrets import Scrubber, redacted
from core.net.rpc.errors import NodeError
from core.net.rpc.jsonrpc import Node
from tests.net.played import Answer, PlayedNode, error, node_of

KEY, TOKEN, USER, PASSWORD = "abcdef0123456789KEY", "t0ken-Secret", "someuser", "pa%24sw0rd"
SECRETS = [KEY, TOKEN, USER, PASSWORD, "pa$sw0rd", "c29tZXVzZXI6cGEkc3cwcmQ="]


def keyed(played: PlayedNode) -> str:
    return f"http://{USER}:{PASSWORD}@{played.host}/v2/{KEY}?token={TOKEN}"


def assert_silent(*texts: str) -> None:
    for text in texts:
        assert [secret for secret in SECRETS if secret.lower() in text.lower()] == []


def told(exception: BaseException) -> list[str]:
    """Whatever may be shown of an exception: itself, what it came from, its attributes, the traceback."""
    texts = ["".join(traceback.format_exception(exception))]
    seen: list[BaseException | None] = [exception]
    while seen:
        one = seen.pop()
        if one is not None:
            texts += [str(one), repr(one), repr(one.args), repr(vars(one))]
            seen += [one.__cause__, one.__context__]
    return texts


ECHO = f"key {KEY}, {TOKEN}, {USER} and pa$sw0rd of http://{USER}:{PASSWORD}@x/v2/{KEY.upper()}?token={TOKEN} refused"
MISHAPS: dict[str, Callable[[PlayedNode], Answer]] = {
    "refused key, echoed": lambda _: Answer({"id": 1, "error": {"code": -32000, "message": ECHO}}, status=401),
    "error, echoed": lambda _: Answer({"id": 1, "error": {"code": -32000, "message": ECHO}}),
    "error, echoed in its data": lambda _: Answer(
        {"id": 1, "error": {"code": -32005, "message": "rate limit", "data": {"see": [ECHO]}}}
    ),
    "error page": lambda _: Answer(ECHO.encode(), status=500),
    "no JSON": lambda _: Answer(ECHO.encode()),
    "no object": lambda _: Answer([ECHO]),
    "other id": lambda _: Answer({"id": ECHO, "result": ECHO}),
    "no logs": lambda _: Answer({"id": 1, "result": ECHO}),
    "cut off": lambda _: Answer(b"{}", headers={"Content-Length": "100"}, cut_after=1),
    "no answer": lambda _: Answer(hang=True),
    "redirect": lambda node: Answer(status=302, headers={"Location": keyed(node)}),
    "broken compression": lambda _: Answer(b"xx", headers={"Content-Encoding": "gzip"}),
    "broken headers": lambda _: Answer({"id": 1, "result": ECHO}, headers={"A: 1\r\nno colon\r\nB": "1"}),
    "no headers": lambda _: Answer(b"{}", headers={"Content-Length": "x"}),
    "too large": lambda _: Answer(b"x" * 5000),
    "too late": lambda _: Answer(status=429, headers={"Retry-After": ECHO}),
}  # fmt: skip


@pytest.mark.parametrize("mishap", MISHAPS)
@pytest.mark.parametrize(
    "ask",
    [
        lambda node: node.chain_id(),
        lambda node: node.batch([("eth_chainId", [])] * 2),
        lambda node: node.logs(1, 1, topics=[]),
    ],
    ids=["call", "batch", "logs"],
)
def test_no_mishap_tells_the_key(
    played: PlayedNode, caplog: pytest.LogCaptureFixture, mishap: str, ask: Callable[[Node], Any]
) -> None:
    caplog.set_level(logging.DEBUG)
    played.aside = {"eth_blockNumber"}
    played.script.extend([MISHAPS[mishap](played)] * 10)
    node = node_of(keyed(played), attempts=3, timeout=0.05, max_body=4000)
    try:
        answer = ask(node)
    except NodeError as caught:
        assert_silent(*told(caught))
    else:
        assert_silent(*[text for one in answer if isinstance(one, NodeError) for text in told(one)])
    assert caplog.records
    assert_silent(caplog.text, *(repr(vars(record)) for record in caplog.records))


def test_a_node_that_is_not_there_does_not_tell_the_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for start in ("http://127.0.0.1:1", "http://nowhere.invalid", "https://127.0.0.1:1", "http://[::1]:1"):
        with pytest.raises(NodeError) as caught:
            node_of(f"{start}/v2/{KEY}", attempts=1).chain_id()
        assert_silent(*told(caught.value))
        assert start in str(caught.value)
    assert_silent(caplog.text)


def test_a_wrong_chain_is_told_without_the_key(played: PlayedNode) -> None:
    with pytest.raises(NodeError) as caught:
        node_of(keyed(played), expect_chain_id=5).chain_id()
    assert_silent(*told(caught.value))


def test_a_node_shows_hosts_and_counts_by_them(played: PlayedNode) -> None:
    node = node_of(keyed(played))
    node.chain_id()
    assert repr(node) == f"Node({played.url})"
    assert_silent(json.dumps([node.requests, node.retries, node.failures]))


def test_a_batch_whose_calls_fail_does_not_tell_the_key(played: PlayedNode) -> None:
    played.methods["eth_call"] = lambda *_: error(3, f"execution reverted: {ECHO}")
    answers = node_of(keyed(played)).batch([("eth_call", [{}, "latest"])] * 2)
    for answer in answers:
        assert_silent(*told(answer))
        assert "execution reverted" in str(answer)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://eth.example/v2/KEY", "https://eth.example"),
        ("HTTP://User:Pass@Eth.Example:8545/?k=KEY#f", "http://eth.example:8545"),
        (" http://[2001:db8::1]:8545/KEY ", "http://[2001:db8::1]:8545"),
    ],
)
def test_scheme_host_and_port_may_be_shown(url: str, shown: str) -> None:
    assert redacted(url) == shown


def test_short_parts_of_a_path_are_no_keys() -> None:
    """Else every "eth" of a message would go."""
    scrub = Scrubber(f"https://host/eth/v3/{KEY}")
    assert (
        scrub(f"eth v3 {KEY} of https://docs.example/path?q=1, see") == "eth v3 … of https://docs.example see"
    )


def test_messages_are_bounded() -> None:
    assert len(Scrubber("https://host")("x" * 1_000_000)) == 500
