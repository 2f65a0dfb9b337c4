"""One URL of a node: a JSON document there, a JSON document back, and every other outcome as an error of ours."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from core.net.http.bounded import TooLargeError
from core.net.http.exchange import Exchange, ExchangeError, Received
from core.net.rpc.errors import BadAnswerError, Kind, NodeError, RpcError, TransportError, WrongChainError

_NO_BATCHES = frozenset({400, 405, 406, 415, 422, 501})
_TOO_SLOW = frozenset({408, 504, 524})


@dataclass(frozen=True)
class Reply:
    """A JSON document and the HTTP status that it came with."""

    status: int
    document: Any
    retry_after: float | None


class Endpoint:
    """A URL of a node, with what is known of it: chain, how long to leave it alone, batches it takes."""

    def __init__(self, url: str, *, timeout: float, max_body: int, batch_limit: int) -> None:
        self._exchange = Exchange(url, timeout=timeout, max_body=max_body)
        self.scrub = self._exchange.scrub
        self.name = self._exchange.name
        self.host = self.name.partition("://")[2]
        self.batch_limit = batch_limit
        self.chain_id: int | None = None
        self.wrong: WrongChainError | None = None
        """It serves another chain: it is asked for nothing, but for its chain again where no other URL is left."""
        self.cool_until = 0.0
        """Before then the other URLs are preferred."""
        self.not_before = 0.0
        """Before then the node itself asked to be left alone."""

    def __repr__(self) -> str:
        return f"Endpoint({self.name})"

    def post(self, document: Any, *, batch: bool, hexadecimal: bool) -> Reply:
        """Send the document and return the reply: one with status 200, or one that may hold an error object.

        ``hexadecimal``: the numbers in it are text; else integers are exact, however large.
        Raises `TransportError`, `BadAnswerError` and, for statuses that refuse, `RpcError` with the status as code.
        """
        payload = json.dumps(document, separators=(",", ":")).encode()
        received = self._received(payload)
        status, retry_after = received.status, received.retry_after
        answer = received.hexadecimal_document() if hexadecimal else received.document()
        if isinstance(answer, dict | list) and (status == 200 or _tells(answer)):
            return Reply(status, answer, retry_after)
        if status == 200:
            raise BadAnswerError(f"{self.name}: the answer is not JSON-RPC ({len(received.body)} bytes)")
        raise self.refusal(status, retry_after, batch=batch)

    def _received(self, payload: bytes) -> Received:
        try:
            return self._exchange.send("POST", payload)
        except ExchangeError as fault:
            raise TransportError(str(fault), Kind.TIMEOUT if fault.is_late else Kind.TRANSIENT) from None
        except TooLargeError as fault:
            raise RpcError(self.name, 413, str(fault), kind=Kind.TOO_MANY) from None

    def refusal(self, status: int, retry_after: float | None, *, batch: bool) -> NodeError:
        """Return what an HTTP status other than 200 means by itself."""
        text = f"HTTP {status}"
        if status == 413:
            return RpcError(self.name, status, text, kind=Kind.BATCH if batch else Kind.TOO_MANY)
        if status in (429, 503):
            kind = Kind.RATE if status == 429 else Kind.TRANSIENT
            return TransportError(f"{self.name}: {text}", kind, retry_after=retry_after)
        if status in _TOO_SLOW:
            return TransportError(f"{self.name}: {text}", Kind.TIMEOUT)
        if batch and status in _NO_BATCHES:
            return RpcError(self.name, status, text, kind=Kind.BATCH)
        if 300 <= status < 400:
            return RpcError(self.name, status, f"{text}, and redirects are not followed", kind=Kind.ELSEWHERE)
        if 400 <= status < 500:
            return RpcError(self.name, status, text, kind=Kind.ELSEWHERE)
        return TransportError(f"{self.name}: {text}", Kind.TRANSIENT)


def _tells(answer: Any) -> bool:
    """Whether the body of a refusal holds an error object of JSON-RPC, by itself or for calls of a batch."""
    items = answer if isinstance(answer, list) else [answer]
    return any(isinstance(item, dict) and isinstance(item.get("error"), dict) for item in items)
