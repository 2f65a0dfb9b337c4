"""Calls into a request, and a node's reply into the answers of the calls: JSON-RPC 2.0, taken literally."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.net.rpc.endpoint import Endpoint, Reply
from core.net.rpc.errors import BadAnswerError, Kind, LaggingNodeError, NodeError, RpcError, TransportError
from core.net.rpc.wording import kind_of

Call = tuple[str, list[Any] | dict[str, Any]]
"""A method and its parameters, by position or by name (JSON-RPC 2.0, section 4.2)."""

_STATUS_DECIDES = frozenset({Kind.FINAL, Kind.RATE, Kind.TRANSIENT, Kind.ELSEWHERE})
"""Where an HTTP status other than 200 says more than the words that came with it."""


def ask(endpoint: Endpoint, calls: Mapping[int, Call], ids: Iterator[int]) -> dict[int, Any]:
    """Send the calls in one request; return results, or `RpcError`s, by the keys of the calls that got any.

    What goes wrong with the request as a whole is raised, as a `NodeError`; one call is no batch.
    """
    keys = {next(ids): key for key in calls}
    requests = [
        {"jsonrpc": "2.0", "id": number, "method": calls[key][0], "params": calls[key][1]}
        for number, key in keys.items()
    ]
    hexadecimal = all(method.startswith("eth_") for method, _ in calls.values())
    if len(requests) > 1:
        reply = endpoint.post(requests, batch=True, hexadecimal=hexadecimal)
        return _of_batch(endpoint, reply, keys, calls)
    (number, key), (method, _) = next(iter(keys.items())), next(iter(calls.values()))
    try:
        reply = endpoint.post(requests[0], batch=False, hexadecimal=hexadecimal)
    except RpcError as error:
        return {key: error}
    answer = reply.document
    if not isinstance(answer, dict):
        raise BadAnswerError(f"{endpoint.name}: {type(answer).__name__} instead of an answer to {method}")
    # A refusal may come from a proxy that has not read the request, and does not know its id.
    unread = answer.get("id") is None or reply.status != 200
    refused = unread and answer.get("error") is not None
    if not refused and not _is_id(answer.get("id"), number):
        raise BadAnswerError(f"{endpoint.name}: the answer to {method} has another id")
    return {key: _outcome(endpoint, reply, answer, method)}


def _of_batch(
    endpoint: Endpoint, reply: Reply, keys: Mapping[int, int], calls: Mapping[int, Call]
) -> dict[int, Any]:
    if isinstance(reply.document, dict):
        raise _of_whole(endpoint, reply, calls)
    answers: dict[int, Any] = {}
    for item in reply.document:
        number = item.get("id") if isinstance(item, dict) else None
        if number is None and isinstance(item, dict) and item.get("error") is not None:
            raise _of_whole(endpoint, Reply(reply.status, item, reply.retry_after), calls)
        if type(number) is not int or number not in keys:
            raise BadAnswerError(f"{endpoint.name}: a batch's answer has an id that was not asked for")
        key = keys[number]
        if key in answers:
            raise BadAnswerError(f"{endpoint.name}: a batch's answer has an id twice")
        outcome = _outcome(endpoint, reply, item, calls[key][0])
        if isinstance(outcome, RpcError) and outcome.kind is Kind.BATCH:
            # geth refuses a batch that is too large by one answer, to the first call.
            raise outcome
        answers[key] = outcome
    return answers


def _of_whole(endpoint: Endpoint, reply: Reply, calls: Mapping[int, Call]) -> NodeError:
    """What one object instead of a list means; an error that says nothing else refuses the batch as such."""
    methods = {method for method, _ in calls.values()}
    outcome = _outcome(endpoint, reply, reply.document, methods.pop() if len(methods) == 1 else "")
    if isinstance(outcome, NodeError):
        if outcome.kind in (Kind.FINAL, Kind.TOO_MANY, Kind.LIMIT):
            outcome.kind = Kind.BATCH
        return outcome
    return BadAnswerError(f"{endpoint.name}: one result instead of the answers to a batch")


def _outcome(endpoint: Endpoint, reply: Reply, answer: dict[str, Any], method: str) -> Any:
    """The result of one call, or its `RpcError`; both or neither is no answer."""
    error = answer.get("error")
    if error is None:
        if "result" not in answer:
            raise BadAnswerError(f"{endpoint.name}: neither result nor error for {method}")
        return answer["result"]
    if answer.get("result") is not None:
        raise BadAnswerError(f"{endpoint.name}: both result and error for {method}")
    if isinstance(error, str):
        error = {"message": error}
    if not isinstance(error, dict):
        raise BadAnswerError(f"{endpoint.name}: an error that is no object for {method}")
    told = _error(endpoint, error, method)
    if reply.status == 200 or told.kind not in _STATUS_DECIDES:
        return told
    if 400 <= reply.status < 500 and reply.status not in (401, 402, 403, 404, 429):
        # Some nodes send 400 along with every error object.
        return told
    by_status = endpoint.refusal(reply.status, reply.retry_after, batch=False)
    if not isinstance(by_status, RpcError):
        raise TransportError(f"{by_status}: {told.message}", by_status.kind, retry_after=reply.retry_after)
    return RpcError(told.name, reply.status, told.message, kind=by_status.kind)


def _error(endpoint: Endpoint, error: dict[str, Any], method: str) -> RpcError:
    code = error.get("code")
    code = code if type(code) is int else 0
    message, data = _text(error.get("message")) or "no message", error.get("data")
    is_hex = isinstance(data, str) and data.startswith("0x")
    more = "" if is_hex else _text(data)
    kind = kind_of(method, code, f"{message[:2000]} {more[:2000]}".strip())
    # The message as shown holds the node's advice on ranges too, which some put into the data.
    shown = endpoint.scrub(message if kind in (Kind.FINAL, Kind.LAGGING) else f"{message} {more}".strip())
    if kind is Kind.LAGGING:
        return LaggingNodeError(endpoint.name, code, shown)
    return RpcError(endpoint.name, code, shown, kind=kind, data=data if is_hex else None)


def _text(told: Any) -> str:
    """Return what stands in an error as text, whatever it is."""
    if told is None or isinstance(told, str):
        return told or ""
    try:
        return json.dumps(told, ensure_ascii=False)
    except RecursionError:  # nested just less deep than what cannot be read
        return type(told).__name__


def _is_id(found: object, number: int) -> bool:
    return type(found) is int and found == number
