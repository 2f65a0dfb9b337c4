"""A server on loopback that does to its clients whatever a test says, byte by byte, and notes what it was asked."""

from __future__ import annotations

import contextlib
import errno
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.patience import PATIENCE

PUBLIC = "127.0.0.9"
"""The one address that the tests' guard takes for public; all others of loopback are as private as ever."""

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n"

LATEST = PATIENCE / 2
"""Seconds: whoever is held beyond its deadline is for longer, and a busy machine does not add so many."""

Play = Callable[["Line"], None]


class Line:
    """A connection: what was asked on it, and a way to answer."""

    def __init__(self, peer: socket.socket, request: str, closing: threading.Event) -> None:
        self.peer = peer
        self.request = request
        self.closing = closing

    def send(self, *pieces: bytes) -> None:
        """Send bytes as they are."""
        for piece in pieces:
            self.peer.sendall(piece)

    def drip(self, data: bytes, every: float = 0.02) -> None:
        """Send bytes one by one, over and over until the client has enough."""
        while True:
            for byte in data:
                self.send(bytes([byte]))
                if self.closing.wait(every):
                    return

    def flood(self, data: bytes) -> None:
        """Send bytes again and again until the client has enough."""
        while not self.closing.is_set():
            self.send(data)

    def hang(self) -> None:
        """Say nothing more until the server is closed."""
        self.closing.wait(PATIENCE)


def answer(body: bytes = b"{}", status: str = "200 OK", **headers: str) -> Play:
    """A whole answer; underscores in the names of headers are dashes."""
    named = {
        "Content-Length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return lambda line: line.send(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)


def raw(*pieces: bytes, then: Play | None = None) -> Play:
    """Bytes as they are, and what happens then; the connection is closed at the end."""

    def play(line: Line) -> None:
        line.send(*pieces)
        if then is not None:
            then(line)

    return play


def dripping(data: bytes) -> Play:
    """Bytes one by one, over and over."""
    return lambda line: line.drip(data)


def flooding(data: bytes) -> Play:
    """Bytes again and again, as fast as they are taken."""
    return lambda line: line.flood(data)


HOLDING: dict[str, Play] = {
    "silence": Line.hang,
    "a status line, byte by byte": dripping(b"HTTP/1.1 200 OK" + b" " * 500),
    "headers, byte by byte": raw(OK, then=dripping(b"A: b\r\n")),
    "a body, byte by byte": raw(ENDLESS, then=dripping(b"{}")),
    "a body with its length, byte by byte": raw(OK, b"Content-Length: 5000\r\n\r\n", then=dripping(b" ")),
    "the size of a chunk, byte by byte": raw(CHUNKED, then=dripping(b"0")),
    "the extension of a chunk, byte by byte": raw(CHUNKED, b"1;", then=dripping(b"a")),
    "trailers, byte by byte": raw(CHUNKED, b"0\r\n", then=dripping(b"a: b\r\n")),
    "trailers without end": raw(CHUNKED, b"0\r\n", then=flooding(b"a: b\r\n" * 1000)),
    "half a body, then silence": raw(OK, b"Content-Length: 9\r\n\r\n{}", then=Line.hang),
    "100 Continue without end": flooding(b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "the name in a gzip file, without end": raw(
        OK, b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\0", then=flooding(b"name" * 1000)
    ),
}
"""What never ends by itself, or only byte by byte."""


def redirect(location: str, status: int = 302) -> Play:
    """A redirect."""
    return answer(b"", f"{status} Moved", Location=location)


class HostileServer:
    """Plays for each path what `plays` has for it, else for all; a path that nobody plays is answered with 404."""

    def __init__(self, address: str = PUBLIC, port: int = 0, context: ssl.SSLContext | None = None) -> None:
        self.plays: dict[str, Play] = {}
        self.otherwise: Play = answer(b"", "404 Not Found")
        self.asked: list[str] = []
        """Paths with their queries."""
        self.requests: list[str] = []
        """Requests whole: line and headers."""
        self._closing = threading.Event()
        self._context = context
        try:
            self._listener = socket.create_server((address, port), backlog=50)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                pytest.skip(f"needs the loopback address {address}, which Linux has by itself")
            raise
        self.port: int = self._listener.getsockname()[1]
        self.authority = f"{address}:{self.port}"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept()
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(peer,), daemon=True).start()

    def _answer(self, peer: socket.socket) -> None:
        with contextlib.suppress(OSError), contextlib.closing(peer):
            peer.settimeout(PATIENCE)
            if self._context is not None:
                peer = self._context.wrap_socket(peer, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                received = peer.recv(65536)
                if not received:
                    return
                request += received
            text = request.decode("latin-1")
            path = text.split(" ", 2)[1]
            self.requests.append(text)
            self.asked.append(path)
            play = self.plays.get(path, self.otherwise)
            play(Line(peer, text, self._closing))
            peer.close()


class Names:
    """A resolver: addresses by name, PUBLIC for every other; `asked` are the names in their order."""

    def __init__(self, **addresses: Any) -> None:
        self.addresses: dict[str, Any] = dict(addresses)
        self.asked: list[str] = []

    def __call__(self, host: str) -> list[str]:
        self.asked.append(host)
        found = self.addresses.get(host, [PUBLIC])
        return list(found() if callable(found) else found)
