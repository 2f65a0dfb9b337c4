"""One GET to one vetted address: over before its deadline, within its bytes, whatever the server does."""

from __future__ import annotations

import contextlib
import functools
import http.client
import ssl
from collections.abc import Mapping
from typing import NamedTuple

import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    DecodeError,
    HTTPError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
)
from urllib3.exceptions import SSLError as WrappedSSLError
from urllib3.util.ssl_ import create_urllib3_context

from core.net.http.bounded import BoundedConnection, BoundedTlsConnection, TooLargeError, at_most, read_body
from core.net.http.charsets import charset_in
from core.net.http.fetch_errors import FetchError, FetchKind
from core.net.http.http_headers import seconds_of_retry_after
from core.net.http.http_urls import HttpUrl

LONGEST_WAIT = 86_400
"""Seconds at most that a server's Retry-After is passed on for."""

_WITH_LOCATION = frozenset({301, 302, 303, 307, 308})
_NO_CONNECTION = (NewConnectionError, ConnectTimeoutError)
_LATE = "no whole answer in time"


class Answer(NamedTuple):
    """A status and what goes with it: a body with 200 only, a location with a redirect only."""

    status: int
    location: str | None
    retry_after: float | None
    media_type: str
    body: bytes


@functools.cache
def tls_context() -> ssl.SSLContext:
    """Return what checks the certificates of servers against the authorities that this system trusts.

    There is one: reading the authorities takes a tenth of a second.
    """
    context = create_urllib3_context()
    context.load_default_certs()
    return context


def get(
    url: HttpUrl,
    address: str,
    *,
    headers: Mapping[str, str],
    seconds: float,
    max_body: int,
    is_cut: bool,
    context: ssl.SSLContext,
) -> Answer:
    """Ask the server at `address` for a URL, and for a certificate of the URL's host.

    Nothing of the environment (proxies) has a say. Raises `FetchError`, and `NoConnectionError` when another address
    might do. `max_body` is in bytes, both as sent and unpacked; with `is_cut` the rest of a larger body is left unread.
    """
    name = f"{url.scheme}://{url.authority}"
    connection = _connection(url, address, seconds, context)
    fault: FetchError
    try:
        with at_most(seconds):
            connection.request(
                "GET", url.target, headers={"Host": url.authority, **headers}, preload_content=False
            )
            return _answer(connection.getresponse(), max_body, is_cut)
    except TooLargeError:
        fault = FetchError(f"{name}: more than {max_body:,} bytes", FetchKind.TOO_LARGE)
    except (HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        fault = _fault(name, error)
    finally:
        connection.close()
    # Outside of the block: the exceptions of urllib3 hold the URL, and a context would keep them.
    raise fault


class NoConnectionError(FetchError):
    """Nothing listens at one address of a host."""


def _connection(url: HttpUrl, address: str, seconds: float, context: ssl.SSLContext) -> BoundedConnection:
    """Return a connection not yet open; `seconds` are for opening it."""
    if url.scheme == "http":
        return BoundedConnection(address, url.port, timeout=seconds)
    return BoundedTlsConnection(
        address,
        url.port,
        timeout=seconds,
        ssl_context=context,
        server_hostname=url.host,
        cert_reqs=ssl.CERT_REQUIRED,
    )


def _answer(response: urllib3.HTTPResponse, max_body: int, is_cut: bool) -> Answer:
    with contextlib.closing(response):
        headers = response.headers
        location = headers.get("Location") if response.status in _WITH_LOCATION else None
        wait = seconds_of_retry_after(headers.get("Retry-After"), LONGEST_WAIT)
        media_type = _media_type(headers.get("Content-Type", ""))
        if response.status != http.client.OK:
            return Answer(response.status, location, wait, media_type, b"")
        _check_packing(response)
        return Answer(
            response.status, location, wait, media_type, read_body(response, max_body, is_cut=is_cut)
        )


def _media_type(stated: str) -> str:
    """Return a media type in lower case, of its parameters only a charset that is not UTF-8, which texts are anyway."""
    kind, charset = stated.partition(";")[0].strip().lower(), charset_in(stated).lower()
    return f"{kind}; charset={charset}" if charset not in ("", "utf-8", "utf8") else kind


def _check_packing(response: urllib3.HTTPResponse) -> None:
    packings = response.headers.get("Content-Encoding", "identity").lower().split(",")
    if {packing.strip() for packing in packings} - {"identity", *response.CONTENT_DECODERS}:
        raise DecodeError("a packing that was not asked for")


def _fault(name: str, error: Exception) -> FetchError:
    if isinstance(error, _NO_CONNECTION):
        return NoConnectionError(f"{name}: no connection", FetchKind.UNREACHABLE)
    if isinstance(error, TimeoutError | ReadTimeoutError):
        return FetchError(f"{name}: {_LATE}", FetchKind.UNREACHABLE)
    if isinstance(error, ssl.SSLError | WrappedSSLError):
        detail = getattr(error, "verify_message", "")
        return FetchError(f"{name}: TLS failed{f' ({detail})' if detail else ''}", FetchKind.UNREACHABLE)
    if isinstance(error, OSError | ProtocolError | http.client.IncompleteRead):
        return FetchError(f"{name}: connection cut off", FetchKind.UNREACHABLE)
    return FetchError(f"{name}: the answer is not HTTP as it should be", FetchKind.UNUSABLE)
