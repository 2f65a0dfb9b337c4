"""One URL over HTTP: a request there, a bounded answer back, and every other outcome as an error without keys."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

import orjson
import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    NewConnectionError,
    ReadTimeoutError,
    SSLError,
)

from core.net.http.bounded import BoundedConnection, BoundedTlsConnection, at_most, read_body, seconds_left
from core.net.http.http_headers import USER_AGENT, basic_authorization, seconds_of_retry_after
from core.net.http.secrets import Scrubber
from core.net.http.urllib3_logs import keep_urls_out

LONGEST_WAIT = 60
"""Seconds at most that a server's Retry-After is honoured for."""

_THREADS = 8
_PATIENCE = 4
"""A whole answer may take this many times the timeout, which itself is for each read: a server may drip."""

_REASONS: list[tuple[type[Exception], str]] = [
    (ConnectTimeoutError, "no connection in time"),
    (NewConnectionError, "no connection"),
    (ReadTimeoutError, "no answer in time"),
    (SSLError, "TLS failed"),
    (DecodeError, "broken compression"),
]


class ExchangeError(Exception):
    """A request got no answer: no connection, cut off, or (``is_late``) not whole in time."""

    def __init__(self, text: str, *, is_late: bool = False) -> None:
        super().__init__(text)
        self.is_late = is_late


class Received(NamedTuple):
    """An HTTP answer, unpacked; `retry_after` in seconds, if it asks for that. Headers are found in any case."""

    status: int
    retry_after: float | None
    body: bytes
    headers: Mapping[str, str] = MappingProxyType({})

    def hexadecimal_document(self) -> Any:
        """Like :meth:`document`, in half the time, of one without numbers that are to be exact beyond 64 bits.

        Ethereum's JSON-RPC writes numbers as hexadecimal text.
        """
        try:
            return orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return self.document()  # which takes what it does not: halves of surrogate pairs, UTF-16

    def document(self, parse_float: Callable[[str], Any] = float) -> Any:
        """Return the JSON document (RFC 8259) in the body; `None` when there is none."""
        try:
            return json.loads(self.body, parse_float=parse_float, parse_constant=_no_constant)
        except (ValueError, ArithmeticError, RecursionError):
            return None


class Exchange:
    """Requests to one URL, whose path, query and user may be keys: no message shows more than `name`.

    `headers` are sent beside the usual ones, and never shown either. `timeout` is in seconds, for the connection and
    for each read, and cut to what `at_most` leaves; `max_body` in bytes, unpacked. Redirects are not followed, failures
    not repeated. Raises `ValueError` for what is no http(s) URL.
    """

    def __init__(
        self, url: str, *, timeout: float, max_body: int, headers: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.scrub = Scrubber(url)
        self.name = self.scrub.name
        self._timeout = timeout
        self._max_body = max_body
        self._headers = _headers(url) | dict(headers)
        self._pool = urllib3.connection_from_url(self.name, maxsize=_THREADS, retries=False)
        is_tls = isinstance(self._pool, urllib3.HTTPSConnectionPool)
        self._pool.ConnectionCls = BoundedTlsConnection if is_tls else BoundedConnection
        keep_urls_out(self.scrub.target)

    def send(self, method: str, payload: bytes | None = None) -> Received:
        """Send a request, with a JSON document or without, and return the answer, whatever its status.

        Raises `ExchangeError`, and `TooLargeError`.
        """
        headers = self._headers | ({} if payload is None else {"Content-Type": "application/json"})
        left = seconds_left()
        if left <= 0:
            raise ExchangeError(f"{self.name}: no time is left to ask", is_late=True)
        try:
            with at_most(_PATIENCE * self._timeout):
                return self._received(method, payload, headers, min(self._timeout, left))
        except (HTTPError, OSError) as error:
            fault = self._fault(error)
        # Outside of the block: urllib3's exceptions hold the path, and a context would keep them.
        raise fault

    def _received(
        self, method: str, payload: bytes | None, headers: dict[str, str], timeout: float
    ) -> Received:
        response = self._pool.urlopen(
            method,
            self.scrub.target,
            body=payload,
            headers=headers,
            timeout=timeout,
            redirect=False,
            preload_content=False,
        )
        assert isinstance(response, urllib3.HTTPResponse)
        with contextlib.closing(response):
            retry_after = seconds_of_retry_after(response.headers.get("Retry-After"), LONGEST_WAIT)
            body = read_body(response, self._max_body)
            return Received(response.status, retry_after, body, response.headers)

    def _fault(self, error: Exception) -> ExchangeError:
        reason = next((words for kind, words in _REASONS if isinstance(error, kind)), "connection cut off")
        detail = getattr(error.args[0], "verify_message", "") if error.args else ""
        text = f"{self.name}: {reason}{f' ({self.scrub(detail)})' if detail else ''}"
        return ExchangeError(text, is_late=isinstance(error, ReadTimeoutError))


def _headers(url: str) -> dict[str, str]:
    parts = urlsplit(url.strip())
    headers = {"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": USER_AGENT}
    if parts.username is not None:
        headers["Authorization"] = basic_authorization(parts.username, parts.password or "")
    return headers


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
