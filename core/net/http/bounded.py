"""HTTP that ends: within its time, be it that a server drips or its name is not told, and within its bytes."""

from __future__ import annotations

import contextlib
import http.client
import io
import math
import socket
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError
from urllib3.util.connection import create_connection

from core.net.http.lookups import Lookups

_READ = 1 << 16
_MOMENT = 0.001
_ends: ContextVar[float] = ContextVar("ends", default=math.inf)
_lookups = Lookups()


class TooLargeError(Exception):
    """The answer has more bytes than are taken."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Have all exchanges within the block, taken together, end in so many seconds; blocks may stand in each other."""
    token = _ends.set(min(_ends.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _ends.reset(token)


def seconds_left() -> float:
    """Return what is left of the time of the blocks of :func:`at_most` around the caller: negative after its end."""
    return _ends.get() - time.monotonic()


def read_body(response: urllib3.HTTPResponse, max_body: int, *, is_cut: bool = False) -> bytes:
    """Read a body unpacked, in steps that are bounded themselves: of a compressed bomb no more than is taken.

    ``max_body`` is in bytes, both as sent and unpacked. Raises `TooLargeError` for a larger body, whose rest is left
    unread with ``is_cut``.
    """
    chunks: list[bytes] = []
    taken, size = 0, 0 if is_cut else response.length_remaining or 0
    while size <= max_body and (chunk := response.read1(_READ, decode_content=True)):
        chunks.append(chunk)
        taken += len(chunk)
        size = max(taken, response.tell())
    if size > max_body and not is_cut:
        raise TooLargeError(f"an answer of more than {max_body} bytes")
    return b"".join(chunks)[:max_body]


class _TimedReader(io.RawIOBase):
    """What comes from a socket, each read within the socket's timeout and all of them within the time of `at_most`."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw = raw
        self._sock = sock
        self._each = sock.gettimeout() or math.inf
        self._ends = _ends.get()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = min(self._ends - time.monotonic(), self._each)
        if left <= 0:
            raise TimeoutError("the answer is not whole in time")
        self._sock.settimeout(None if left == math.inf else left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    """A timeout of a socket is for each read alone, of which headers and chunks that come byte by byte take many."""

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), sock))


class BoundedConnection(HTTPConnection):
    """A connection that is made within its ``timeout``, and whose answers come within the time of `at_most`.

    Making it is the look-up of the name, for which the system itself has no limit, the connection to one of its
    addresses and the TLS handshake.
    """

    response_class = _TimedResponse

    def _new_conn(self) -> socket.socket:
        assert self.timeout is not None
        until = time.monotonic() + self.timeout
        fault = OSError("the name has no address")
        try:
            addresses = _lookups.addresses(self._dns_host, self.timeout)
            for place, address in enumerate(addresses):
                share = (until - time.monotonic()) / (len(addresses) - place)
                try:
                    made = create_connection(
                        (address, self.port), max(share, _MOMENT), socket_options=self.socket_options
                    )
                except OSError as error:
                    fault = error
                else:
                    made.settimeout(max(until - time.monotonic(), _MOMENT))
                    return made
            raise fault
        except TimeoutError as error:
            raise ConnectTimeoutError(self, "no connection in time") from error
        except OSError as error:
            raise NewConnectionError(self, f"no connection: {error}") from error


class BoundedTlsConnection(BoundedConnection, HTTPSConnection):
    """The same over TLS."""
