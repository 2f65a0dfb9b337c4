"""Many calls in one request, to nodes that take them, take few, or take none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.net.rpc.errors import BadAnswerError, Kind, LaggingNodeError, NodeUnavailableError, RpcError
from tests.net.played import SHORT, Answer, Clock, PlayedNode, error, node_of


@pytest.fixture
def echo(played: PlayedNode) -> PlayedNode:
    """A node with a method that returns its parameter."""
    played.methods["echo"] = lambda value: value
    return played


def echoes(count: int) -> list[tuple[str, list[Any]]]:
    return [("echo", [value]) for value in range(count)]


def sizes(node: PlayedNode) -> list[int]:
    """How many calls each request held; 0 for a single call sent as such."""
    return [len(document) if isinstance(document, list) else 0 for document in node.seen]


def test_no_calls_are_no_request(echo: PlayedNode) -> None:
    assert node_of(echo.url).batch([]) == []
    assert echo.seen == []


def test_results_stand_in_the_order_of_the_calls(echo: PlayedNode) -> None:
    echo.script.append(lambda document: list(reversed(echo.by_methods(document))))
    assert node_of(echo.url).batch(echoes(10)) == list(range(10))


def test_batches_are_at_most_as_large_as_said(echo: PlayedNode) -> None:
    assert node_of(echo.url, batch_size=4).batch(echoes(9)) == list(range(9))
    assert sizes(echo) == [4, 4, 0]


def test_the_error_of_one_call_stands_in_its_place(echo: PlayedNode) -> None:
    echo.methods["eth_call"] = lambda *_: error(3, "execution reverted")
    first, refused, unknown, last = node_of(echo.url).batch(
        [("echo", [1]), ("eth_call", [{}, "latest"]), ("nothing", []), ("echo", [2])]
    )
    assert (first, last) == (1, 2)
    assert isinstance(refused, RpcError)
    assert (refused.code, refused.kind) == (3, Kind.FINAL)
    assert isinstance(unknown, RpcError)
    assert (unknown.code, len(echo.seen)) == (-32601, 1)


def test_calls_left_out_of_an_answer_are_asked_again(echo: PlayedNode) -> None:
    echo.script.append(lambda document: echo.by_methods(document)[3:])
    assert node_of(echo.url).batch(echoes(8)) == list(range(8))
    assert sizes(echo) == [8, 3]


def test_a_node_that_leaves_everything_out_is_given_up(echo: PlayedNode) -> None:
    echo.script.extend([Answer([])] * 3)
    with pytest.raises(BadAnswerError, match="a batch without any answer"):
        node_of(echo.url, attempts=3).batch(echoes(3))


@pytest.mark.parametrize(
    "limited",
    [
        error(-32005, "rate limit exceeded"),
        error(429, "Your app has exceeded its compute units per second capacity."),
        error(-32000, "Too Many Requests"),
        error(-32005, "limit exceeded"),
    ],
)
def test_a_call_that_is_rate_limited_is_asked_again_by_itself(
    echo: PlayedNode, clock: Clock, limited: dict[str, Any]
) -> None:
    answers = iter([limited, limited, "at last"])
    echo.methods["busy"] = lambda: next(answers)
    assert node_of(echo.url, clock=clock).batch([*echoes(3), ("busy", []), *echoes(2)]) == [
        0, 1, 2, "at last", 0, 1,
    ]  # fmt: skip
    assert echo.asked[1:] == ["busy", "busy"]
    assert clock.slept == [0.5, 1.0]


def test_a_call_that_stays_rate_limited_makes_the_node_unavailable(echo: PlayedNode) -> None:
    """Nothing is known of such a call: an error in its place would pass for the contract's."""
    echo.methods["busy"] = lambda: error(429, "too many requests")
    with pytest.raises(NodeUnavailableError, match="too many requests"):
        node_of(echo.url).batch([*echoes(2), ("busy", [])])


def test_a_node_that_answers_a_call_at_a_time_is_not_given_up(echo: PlayedNode) -> None:
    """Attempts are counted in a row: each answer begins the count anew."""

    def first_only(document: Any) -> Any:
        if not isinstance(document, list):
            return echo.by_methods(document)
        return [
            echo.by_methods(document[0]),
            *({"id": c["id"], **error(429, "slow down")} for c in document[1:]),
        ]

    echo.script.extend([first_only] * 6)
    assert node_of(echo.url, attempts=2).batch(echoes(6)) == list(range(6))


def test_a_call_that_must_wait_lets_the_others_pass(echo: PlayedNode) -> None:
    answers = iter([error(429, "too many requests"), "at last"])
    echo.methods["busy"] = lambda: next(answers)
    echo.script.append(Answer(b"no batches", status=400))
    assert node_of(echo.url).batch([("busy", []), ("echo", [1])]) == ["at last", 1]
    assert echo.asked == ["busy+echo", "busy", "echo", "busy"]


def test_a_block_that_stays_unknown_is_told_in_its_place(echo: PlayedNode) -> None:
    echo.methods["eth_call"] = lambda *_: error(-32000, "missing trie node")
    answers = node_of(echo.url).batch([("echo", [1]), ("eth_call", [{}, "0x1"]), ("echo", [2])])
    assert [answers[0], answers[2]] == [1, 2]
    assert isinstance(answers[1], LaggingNodeError)


def test_a_call_on_which_the_node_always_fails_holds_up_no_other(echo: PlayedNode) -> None:
    echo.methods["eth_call"] = lambda *_: error(-32603, "internal error")
    answers = node_of(echo.url).batch([("echo", [1]), ("eth_call", [{}, "0x1"])])
    assert answers[0] == 1
    assert isinstance(answers[1], RpcError)
    assert echo.asked == ["echo+eth_call", *["eth_call"] * 3]


def refusing(echo: PlayedNode, most: int, refusal: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A node's answers when it takes batches of at most `most` calls, none with 0."""

    def answer(document: Any) -> Any:
        if isinstance(document, list) and len(document) > most:
            return refusal(document)
        return echo.by_methods(document)

    return answer


REFUSALS: list[Callable[[Any], Any]] = [
    lambda _: Answer(b"Request Entity Too Large", status=413),
    lambda _: Answer({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "batch too large"}}, 413),
    lambda _: {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "batch too large"}},
    lambda document: [{"id": document[0]["id"], "error": {"code": -32600, "message": "batch too large"}}],
    lambda _: [{"jsonrpc": "2.0", "id": None, "error": {"code": -32010, "message": "batch limit exceeded"}}],
    lambda _: {"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": "Invalid Request"}},
    lambda _: Answer(b"Bad Request", status=400),
]  # fmt: skip


@pytest.mark.parametrize("refusal", REFUSALS, ids=range(len(REFUSALS)))
def test_a_batch_that_is_refused_as_too_large_is_halved_and_the_size_kept(
    echo: PlayedNode, clock: Clock, refusal: Callable[[Any], Any]
) -> None:
    echo.script.extend([refusing(echo, 5, refusal)] * 12)
    node = node_of(echo.url, clock=clock, batch_size=16)
    assert node.batch(echoes(16)) == list(range(16))
    assert sizes(echo) == [16, 8, 4, 4, 4, 4]
    assert node.batch(echoes(8)) == list(range(8))
    assert sizes(echo)[6:] == [4, 4]
    assert clock.slept == []


@pytest.mark.parametrize("refusal", REFUSALS, ids=range(len(REFUSALS)))
def test_a_node_without_batches_gets_single_calls(echo: PlayedNode, refusal: Callable[[Any], Any]) -> None:
    echo.script.extend([refusing(echo, 0, refusal)] * 20)
    assert node_of(echo.url, batch_size=8).batch(echoes(8)) == list(range(8))
    assert sizes(echo) == [8, 4, 2, *[0] * 8]


def test_a_node_that_says_so_gets_single_calls_at_once(echo: PlayedNode) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "batch requests are not supported"},
    }
    echo.script.append(Answer(message))
    assert node_of(echo.url).batch(echoes(5)) == list(range(5))
    assert sizes(echo) == [5, 0, 0, 0, 0, 0]


def test_a_node_that_states_its_limit_gets_batches_of_that(echo: PlayedNode) -> None:
    message = "Batch of more than 3 requests are not allowed on free tier"
    echo.script.append(Answer({"id": None, "error": {"code": 31, "message": message}}, status=500))
    assert node_of(echo.url).batch(echoes(7)) == list(range(7))
    assert sizes(echo) == [7, 3, 3, 0]


def test_calls_behind_an_answer_that_is_too_large_are_asked_by_themselves(echo: PlayedNode) -> None:
    """geth answers the rest of a batch so once the answers before have reached its limit."""

    def full(document: Any) -> Any:
        told = [error(-32003, "response too large")] * 3
        return [
            *echo.by_methods(document)[:2],
            *({"id": c["id"], **e} for c, e in zip(document[2:], told, strict=True)),
        ]

    echo.script.append(full)
    assert node_of(echo.url).batch(echoes(5)) == list(range(5))
    assert sizes(echo) == [5, 0, 0, 0]


def test_answers_too_large_together_are_asked_for_in_smaller_batches(echo: PlayedNode) -> None:
    echo.methods["long"] = lambda: "x" * 400
    assert node_of(echo.url, max_body=1000).batch([("long", [])] * 4) == ["x" * 400] * 4
    assert sizes(echo) == [4, 2, 2]


def test_a_batch_that_is_not_answered_in_time_is_halved(echo: PlayedNode) -> None:
    echo.script.append(Answer(hang=True))
    assert node_of(echo.url, timeout=SHORT).batch(echoes(4)) == list(range(4))
    assert sizes(echo) == [4, 2, 2]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (lambda calls: [{"id": calls[0]["id"], "result": 1}, {"id": calls[0]["id"], "result": 2}], "an id twice"),
        (lambda _: [{"id": 999, "result": 1}], "an id that was not asked for"),
        (lambda calls: [{"id": str(calls[0]["id"]), "result": 1}], "an id that was not asked for"),
        (lambda _: [17, "x", None], "an id that was not asked for"),
        (lambda _: {"id": 1, "result": 5}, "one result instead of the answers to a batch"),
        (lambda calls: [{"id": calls[0]["id"]}], "neither result nor error"),
        (lambda calls: [{"id": calls[0]["id"], "result": 1, "error": {"code": 1}}], "both result and error"),
    ],
)  # fmt: skip
def test_what_is_no_answer_to_a_batch_is_refused(
    echo: PlayedNode, answers: Callable[[Any], Any], reason: str
) -> None:
    echo.script.extend([lambda document: Answer(answers(document))] * 2)
    with pytest.raises(BadAnswerError, match=reason):
        node_of(echo.url, attempts=2).batch(echoes(2))


def test_a_bad_answer_is_asked_for_elsewhere(echo: PlayedNode, other: PlayedNode) -> None:
    other.methods["echo"] = lambda value: value
    echo.script.extend([echo.by_methods, Answer([17])])
    assert node_of(echo.url, other.url).batch(echoes(3)) == [0, 1, 2]
    assert other.asked == ["eth_chainId", "echo+echo+echo"]


def test_one_url_that_takes_small_batches_does_not_shrink_those_of_another(
    echo: PlayedNode, other: PlayedNode, clock: Clock
) -> None:
    other.methods["echo"] = lambda value: value
    node = node_of(echo.url, other.url, clock=clock)
    echo.script.extend([echo.by_methods, *[refusing(echo, 2, REFUSALS[0])] * 6, Answer(status=500)])
    assert node.batch(echoes(8)) == list(range(8))
    assert node.batch(echoes(8)) == list(range(8))
    assert sizes(other) == [0, 8]


def test_every_url_is_asked_for_the_method_that_the_first_lacks(echo: PlayedNode, other: PlayedNode) -> None:
    other.methods["trace"] = lambda: "traced"
    assert node_of(echo.url, other.url).batch([("echo", [1]), ("trace", [])]) == [1, "traced"]


def test_a_call_that_no_url_offers_leaves_the_others_of_its_batch_to_be_asked_again(
    echo: PlayedNode, other: PlayedNode
) -> None:
    for urls in ([echo.url], [echo.url, other.url]):
        answers = iter([*[error(429, "too many requests")] * len(urls), "at last"])
        echo.methods["busy"] = other.methods["busy"] = lambda found=answers: next(found)
        refused, given = node_of(*urls).batch([("absent", []), ("busy", [])])
        assert isinstance(refused, RpcError)
        assert given == "at last"
