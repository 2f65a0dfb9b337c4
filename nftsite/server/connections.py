"""A client's connection: its bytes come and go by the event loop, so that no thread ever waits for a client."""

from __future__ import annotations

import re
import socket
import time
from typing import Any, Final

from gunicorn.workers.gthread import TConn

HEAD_BYTES: Final = 32_768
"""Bytes of a request line and headers together; the longest valid query has about 7,000."""

BODY_BYTES: Final = 3 * 2**20
"""Bytes of a body: a little more than Django takes of a form (DATA_UPLOAD_MAX_MEMORY_SIZE, 2.5 MiB)."""

KEPT_BYTES: Final = 4 * 2**20
"""Bytes of an answer that are kept for a slow client; with more, the thread itself waits for it to take some."""

ARRIVES_SECONDS: Final = 10.0
"""Within which a whole request has to be here, counted from its first byte or the beginning of the connection."""

LEAVES_SECONDS: Final = 20.0
"""Within which a client has to take some of an answer."""

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*\r\n", re.IGNORECASE)


class RefusedError(Exception):
    """A request that is read no further; ``status`` is that of the answer."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Outgoing:
    """A socket as gunicorn's threads see it: what they send is kept for the event loop, and there is nothing to read.

    A thread that has more than :data:`KEPT_BYTES` waits for the client, at most :data:`LEAVES_SECONDS` for so much.
    """

    def __init__(self, raw: socket.socket) -> None:
        self.raw = raw
        self.waiting = bytearray()
        raw.setblocking(False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)

    def setblocking(self, flag: bool) -> None:
        """The event loop needs it as it is."""

    def settimeout(self, seconds: float | None) -> None:
        """Likewise."""

    def shutdown(self, how: int) -> None:
        """The event loop ends a connection: a descriptor that a thread closed might be another client's by then."""

    def close(self) -> None:
        """Likewise."""

    def recv(self, size: int) -> bytes:
        """Return the end of the stream: a thread is handed whole requests."""
        return b""

    def sendall(self, data: bytes) -> None:
        """Keep data to be sent. Raises ``TimeoutError`` where the client takes too little of what is too much."""
        self.waiting += data
        if len(self.waiting) > KEPT_BYTES:
            self.raw.settimeout(LEAVES_SECONDS)
            try:
                self.raw.sendall(self.waiting)
            finally:
                self.raw.setblocking(False)
                self.waiting.clear()

    def send(self, data: bytes) -> int:
        """Likewise."""
        self.sendall(data)
        return len(data)


class Connection(TConn):  # type: ignore[misc]  # gunicorn has no types
    """A client's connection.

    ``arrived`` holds what has come of the next request. ``gone`` tells that the client has hung up, ``closed`` that we
    have. ``deadline`` is when it is given up, by the monotonic clock; ``since`` is when its request was complete or,
    once ``at_work``, begun. ``keep`` tells whether the connection is kept for another request.
    """

    sock: Outgoing

    def __init__(self, cfg: Any, raw: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, Outgoing(raw), client, server)
        self.data_ready = True  # gunicorn's own waiting for it would take a thread
        self.arrived = bytearray()
        self.gone = self.closed = self.keep = self.at_work = False
        self.deadline = time.monotonic() + ARRIVES_SECONDS
        self.since = 0.0

    @property
    def raw(self) -> socket.socket:
        return self.sock.raw

    def receive(self) -> None:
        """Take what has come, at most 64 KiB; sets ``gone`` at the end of the stream."""
        try:
            data = self.raw.recv(65_536)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        self.gone = not data
        if data and not self.arrived:
            self.deadline = time.monotonic() + ARRIVES_SECONDS
        self.arrived += data

    def is_complete(self) -> bool:
        """Tell whether a whole request is here.

        Raises :class:`RefusedError` for one that is too long, or of which cannot be told how long it is.
        """
        end = self.arrived.find(_END, 0, HEAD_BYTES)
        if end < 0:
            if len(self.arrived) < HEAD_BYTES:
                return False
            line = self.arrived.find(b"\r\n", 0, self.cfg.limit_request_line + 2)
            raise (
                RefusedError(414, "The address is too long.")
                if line < 0
                else RefusedError(431, f"The headers are too long: {HEAD_BYTES:,} bytes are allowed.")
            )
        head = self.arrived[: end + 2]
        if _CHUNKED.search(head):
            raise RefusedError(411, "A body needs a Content-Length.")
        length = _LENGTH.search(head)
        size = int(length[1]) if length else 0
        if size > BODY_BYTES:
            raise RefusedError(413, f"The body is too long: {BODY_BYTES:,} bytes are allowed.")
        return len(self.arrived) >= end + len(_END) + size

    def target(self) -> bytes:
        """Return the path that is asked for, as it was sent; nothing where this is no request."""
        words = self.arrived[: self.arrived.find(b"\r\n", 2)].split()
        return bytes(words[1].partition(b"?")[0]) if len(words) > 1 else b""

    def hand_over(self) -> None:
        """Give what has come to gunicorn's parser."""
        self.init()
        self.parser.unreader.unread(bytes(self.arrived))
        self.arrived.clear()

    def take_back(self) -> None:
        """Take what the parser left: the beginning of the next request, of a client that does not wait."""
        if self.parser is not None:
            self.arrived[:0] = self.parser.unreader.take_buffered()

    def flush(self) -> bool:
        """Send what can be sent at once; return whether nothing is left. Sets ``gone`` where the client is."""
        waiting = self.sock.waiting
        while waiting and not self.gone:
            try:
                sent = self.raw.send(waiting)
            except (BlockingIOError, InterruptedError):
                return False
            except OSError:
                self.gone = True
                break
            del waiting[:sent]
            self.deadline = time.monotonic() + LEAVES_SECONDS
        return True
