"""A JSON-RPC node on loopback that has moods: each makes it answer otherwise for a number of requests."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.ingestion.moods import numbered_anew
from tests.trouble.upstream import RefusalError, Upstream

Answer = dict[str, Any]
Spoil = Callable[[str, Answer], Answer]
"""What a node answers to a method instead."""

_DISTANT = frozenset({"eth_call", "eth_getCode"})
_THINGS = frozenset(
    {"eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_getBlockReceipts", "eth_getBlockByNumber"}
)


class MoodyNode:
    """One of the nodes of a chain. ``lag``: blocks that it is behind while the mood lasts."""

    def __init__(self, upstream: Upstream, lock: threading.Lock) -> None:
        self._upstream, self._lock = upstream, lock
        self._left = 0
        self._spoil: Spoil = _good
        self._lag = 0
        self._status: int | None = None
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[MoodyNode]:
        """Answer requests."""
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def feel(
        self, requests: int, spoil: Spoil | None = None, *, lag: int = 0, status: int | None = None
    ) -> None:
        """Be in a mood for so many requests. ``status``: of HTTP, 0 for a connection that is cut off."""
        with self._lock:
            self._spoil, self._lag, self._status, self._left = spoil or _good, lag, status, requests

    def truth(self, method: str, params: list[Any]) -> Any:
        """Return what a good node answers."""
        with self._lock:
            return self._upstream.answer(self._upstream.head, method, params)

    def reply(self, asked: Any) -> tuple[int, Any]:
        """Return status and document for one request."""
        with self._lock:
            spoil: Spoil = self._spoil if self._left else _good
            lag, status = (self._lag, self._status) if self._left else (0, None)
            self._left = max(self._left - 1, 0)
            if status is not None:
                return status, {"error": "try again later"}
            if isinstance(asked, list):
                return 200, [self._one(call, spoil, lag) for call in asked]
            return 200, self._one(asked, spoil, lag)

    def _one(self, call: Any, spoil: Spoil, lag: int) -> Answer:
        head = max(self._upstream.head - lag, 0)
        answer: Answer = {"jsonrpc": "2.0", "id": call["id"]}
        try:
            answer["result"] = self._upstream.answer(head, call["method"], call["params"])
        except RefusalError as refusal:
            answer["error"] = {"code": refusal.code, "message": refusal.message}
        return spoil(call["method"], answer)


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that were killed."""


def _good(method: str, answer: Answer) -> Answer:
    return answer


def _handler(node: MoodyNode) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, document = node.reply(asked)
            if not status:
                self.close_connection = True
                return
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def _error(code: int, message: str, methods: frozenset[str] | None = None) -> Spoil:
    def spoil(method: str, answer: Answer) -> Answer:
        if methods is not None and method not in methods:
            return answer
        return {"jsonrpc": "2.0", "id": answer["id"], "error": {"code": code, "message": message}}

    return spoil


def _result(methods: frozenset[str], value: Any) -> Spoil:
    def spoil(method: str, answer: Answer) -> Answer:
        return {"jsonrpc": "2.0", "id": answer["id"], "result": value} if method in methods else answer

    return spoil


def _logs(change: Callable[[list[Any]], list[Any]]) -> Spoil:
    """Change logs wherever they come."""

    def spoil(method: str, answer: Answer) -> Answer:
        found = answer.get("result")
        if method == "eth_getLogs" and found:
            return {**answer, "result": change(found)}
        if method == "eth_getTransactionReceipt" and found:
            return {**answer, "result": {**found, "logs": change(found["logs"])}}
        if method == "eth_getBlockReceipts" and found:
            return {**answer, "result": [{**one, "logs": change(one["logs"])} for one in found]}
        return answer

    return spoil


def _each(**changes: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda logs: [{**log, **changes} for log in logs]


SPOILS: dict[str, Spoil] = {
    "calls of contracts fail": _error(-32603, "internal error", _DISTANT),
    "calls of contracts are refused": _error(-32601, "the method eth_call is not available", _DISTANT),
    "calls of contracts lag": _error(-32000, "header not found", _DISTANT),
    "calls of contracts give null": _result(_DISTANT, None),
    "calls of contracts give nonsense": _result(_DISTANT, "0xzz"),
    "transactions are being indexed": _error(-32000, "transaction indexing is in progress", _THINGS),
    "an error that no column takes": _error(-32000, "who knows \ud800 \0 \x1b[31m", _THINGS),
    "old blocks are forgotten": _error(-32000, "missing trie node 1f2e", _THINGS),
    "nothing is known": _result(_THINGS, None),
    "things are numbers": _result(_THINGS, 2**70),
    "things are lists": _result(_THINGS, [None, {"hash": "\0"}]),
    "logs are no list": _result(frozenset({"eth_getLogs"}), {"logs": []}),
    "the head is nonsense": _result(frozenset({"eth_blockNumber"}), "latest"),
    "another chain": _result(frozenset({"eth_chainId"}), "0x539"),
    "logs twice": _logs(lambda logs: [log for log in logs for _ in range(2)]),
    "logs all over again": _logs(lambda logs: [*logs, *logs]),
    "logs numbered anew": _logs(numbered_anew),
    "logs too far": _logs(_each(logIndex=hex(2**24))),
    "logs without a contract": _logs(_each(address="\ud800\0")),
    "logs cut off": _logs(_each(data="0x123")),
    "logs of no block": _logs(_each(blockHash=None)),
    "logs that are removed": _logs(_each(removed=True)),
}
"""Moods in which the node answers, by name."""

UNREADABLE = frozenset({"logs too far", "logs without a contract", "logs cut off", "logs of no block"})
"""Those that are borne when they last, at the cost of the logs: here they pass in time."""


def any_mood(node: MoodyNode, chance: random.Random) -> str:
    """Put a node into a mood; return what it is called."""
    requests = chance.randint(1, 12)
    kind = chance.choice(["spoil", "spoil", "spoil", "behind", "cut off", "busy"])
    if kind == "behind":
        lag = chance.choice([1, 4, 30, 400])
        node.feel(requests, lag=lag)
        return f"{lag} blocks behind for {requests} requests"
    if kind == "cut off":
        node.feel(requests, status=0)
        return f"cut off for {requests} requests"
    if kind == "busy":
        status = chance.choice([403, 429, 500, 502, 503])
        node.feel(requests, status=status)
        return f"status {status} for {requests} requests"
    name = chance.choice(sorted(SPOILS))
    requests = min(requests, 4) if name in UNREADABLE else requests
    node.feel(requests, SPOILS[name])
    return f"{name} for {requests} requests"
