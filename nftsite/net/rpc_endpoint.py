"""One URL of a node: a JSON document there, a JSON document back, and every other outcome as an error of ours."""

from __future__ import annotations

import base64
import contextlib
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    InvalidHeader,
    NewConnectionError,
    ReadTimeoutError,
    SSLError,
)

from nftsite.net.rpc_errors import BadAnswerError, Kind, NodeError, RpcError, Scrubber, TransportError

LONGEST_WAIT = 60
"""Seconds at most that a node's Retry-After is honoured for."""

_READ = 1 << 18
_THREADS = 8
_PATIENCE = 4
"""A whole answer may take this many times the timeout, which itself is for each read: a node may drip."""

_NEVER_HERE = frozenset({401, 402, 403, 404, 410})
_NO_BATCHES = frozenset({400, 405, 406, 415, 422, 501})
_TOO_SLOW = frozenset({408, 504, 524})
_REASONS: list[tuple[type[Exception], str]] = [
    (ConnectTimeoutError, "no connection in time"),
    (NewConnectionError, "no connection"),
    (ReadTimeoutError, "no answer in time"),
    (SSLError, "TLS failed"),
    (DecodeError, "broken compression"),
]


class _HidesTargets(logging.Filter):
    """Takes the paths of node URLs out of urllib3's debug lines."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple("/…" if argument in self.targets else argument for argument in record.args)
        return True


_hides_targets = _HidesTargets()
logging.getLogger("urllib3.connectionpool").addFilter(_hides_targets)


@dataclass(frozen=True)
class Reply:
    """A JSON document and the HTTP status that it came with."""

    status: int
    document: Any
    retry_after: float | None


class Endpoint:
    """A URL of a node, with what is known of it: chain, head, how long to leave it alone, batches it takes."""

    def __init__(
        self, url: str, *, timeout: float, max_body: int, batch_limit: int, clock: Callable[[], float]
    ) -> None:
        self.scrub = Scrubber(url)
        self.name = self.scrub.name
        self.host = self.name.partition("://")[2]
        self.batch_limit = batch_limit
        self.chain_id: int | None = None
        self.head = 0
        """The newest block that it was found to know."""
        self.cool_until = 0.0
        """Before then the other URLs are preferred."""
        self.not_before = 0.0
        """Before then the node itself asked to be left alone."""
        self._timeout = timeout
        self._max_body = max_body
        self._clock = clock
        self._headers = _headers(url)
        self._pool = urllib3.connection_from_url(
            self.name, maxsize=_THREADS, timeout=urllib3.Timeout(timeout), retries=False
        )
        if len(self.scrub.target) > 1:
            _hides_targets.targets.add(self.scrub.target)

    def __repr__(self) -> str:
        return f"Endpoint({self.name})"

    def post(self, document: Any, *, batch: bool) -> Reply:
        """Send the document and return the reply: one with status 200, or one that may hold an error object.

        Raises `TransportError`, `BadAnswerError` and, for statuses that refuse, `RpcError` with the status as code.
        """
        payload = json.dumps(document, separators=(",", ":")).encode()
        status, headers, body = self._exchange(payload)
        retry_after = _retry_after(headers.get("Retry-After"))
        try:
            answer = json.loads(body, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            # Raised below, outside of this block: the exception of json holds the whole text.
            answer = None
        if isinstance(answer, dict | list) and (status == 200 or _tells(answer)):
            return Reply(status, answer, retry_after)
        if status == 200:
            raise BadAnswerError(f"{self.name}: the answer is not JSON-RPC ({len(body)} bytes)")
        raise self.refusal(status, retry_after, batch=batch)

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

    def _exchange(self, payload: bytes) -> tuple[int, urllib3.HTTPHeaderDict, bytes]:
        try:
            response = self._pool.urlopen(
                "POST",
                self.scrub.target,
                body=payload,
                headers=self._headers,
                redirect=False,
                preload_content=False,
            )
            with contextlib.closing(response):
                return response.status, response.headers, self._body(response)
        except (HTTPError, OSError) as error:
            fault = self._fault(error)
        # Outside of the block: urllib3's exceptions hold the path, and a context would keep them.
        raise fault

    def _body(self, response: urllib3.BaseHTTPResponse) -> bytes:
        """Read the body, unpacked; gives up on one that is too large or comes too slowly, and on its connection."""
        chunks: list[bytes] = []
        size, until = 0, self._clock() + _PATIENCE * self._timeout
        while chunk := response.read1(_READ, decode_content=True):
            chunks.append(chunk)
            size += len(chunk)
            if size > self._max_body:
                text = f"an answer of more than {self._max_body} bytes"
                raise RpcError(self.name, 413, text, kind=Kind.TOO_MANY)
            if self._clock() > until:
                raise TransportError(f"{self.name}: the answer is not whole in time", Kind.TIMEOUT)
        return b"".join(chunks)

    def _fault(self, error: Exception) -> TransportError:
        reason = next((words for kind, words in _REASONS if isinstance(error, kind)), "connection cut off")
        detail = getattr(error.args[0], "verify_message", "") if error.args else ""
        late = isinstance(error, ReadTimeoutError)
        text = f"{self.name}: {reason}{f' ({self.scrub(detail)})' if detail else ''}"
        return TransportError(text, Kind.TIMEOUT if late else Kind.TRANSIENT)


def _headers(url: str) -> dict[str, str]:
    parts = urlsplit(url.strip())
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "User-Agent": "nftsite",
    }
    if parts.username is not None:
        # RFC 7617 with UTF-8, which urllib3's make_headers cannot do.
        userinfo = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {base64.b64encode(userinfo.encode()).decode()}"
    return headers


def _tells(answer: Any) -> bool:
    """Whether the body of a refusal holds an error object of JSON-RPC, by itself or for calls of a batch."""
    items = answer if isinstance(answer, list) else [answer]
    return any(isinstance(item, dict) and isinstance(item.get("error"), dict) for item in items)


def _retry_after(value: str | None) -> float | None:
    """Seconds that a Retry-After (RFC 9110, section 10.2.3: seconds or a date) asks for, 60 at most."""
    if value is None:
        return None
    try:
        return urllib3.Retry(retry_after_max=LONGEST_WAIT).parse_retry_after(value)
    except (InvalidHeader, ValueError, OverflowError):
        return None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
