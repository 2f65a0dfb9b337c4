"""Clients that are no good. Each goes on until it is cancelled; what it sends is bytes, so that it may be pickled."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Protocol

HOST = "127.0.0.1"
PAUSE = 0.05
"""Seconds before a client whose connection was closed comes back."""


@dataclass
class Seen:
    """What clients have done so far, and what came of it: connections, and answers by status."""

    connections: int = 0
    answers: Counter[int] = field(default_factory=Counter)


class Client(Protocol):
    """One client."""

    async def run(self, port: int, seen: Seen) -> None:
        """Do its work at a port of this machine."""


def get(address: str) -> bytes:
    """Return a request for a path with its query string."""
    return f"GET {address} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()


@dataclass(frozen=True)
class Repeats:
    """Sends one request after the other, each as soon as the one before is answered."""

    requests: list[bytes]

    async def run(self, port: int, seen: Seen) -> None:
        """Do its work."""
        for request in itertools.cycle(self.requests):
            await _ask(port, request, seen)


@dataclass(frozen=True)
class HangsUp:
    """Sends a request every so many seconds, and closes the connection at once."""

    requests: list[bytes]
    every: float

    async def run(self, port: int, seen: Seen) -> None:
        """Do its work."""
        for request in itertools.cycle(self.requests):
            with _connected() as client:
                await _send(client, port, request, seen)
            await asyncio.sleep(self.every)


@dataclass(frozen=True)
class KeepsAsking:
    """Sends a request every so many seconds, whether those before are answered or not."""

    requests: list[bytes]
    every: float

    async def run(self, port: int, seen: Seen) -> None:
        """Do its work."""
        async with asyncio.TaskGroup() as asked:
            for request in itertools.cycle(self.requests):
                asked.create_task(_ask(port, request, seen))
                await asyncio.sleep(self.every)


@dataclass(frozen=True)
class StopsWithin:
    """Sends the beginning of a request, then ``more`` of it every second or nothing; comes back when it is put out."""

    request: bytes
    more: bytes = b""

    async def run(self, port: int, seen: Seen) -> None:
        """Do its work."""
        while True:
            with _connected() as client:
                await _send(client, port, self.request, seen)
                going_on = asyncio.ensure_future(self._go_on(client))
                try:
                    await _read(client, seen)
                finally:
                    going_on.cancel()
                    await asyncio.wait([going_on])
            await asyncio.sleep(PAUSE)

    async def _go_on(self, client: socket.socket) -> None:
        with suppress(OSError):
            while self.more:
                await asyncio.sleep(1)
                await asyncio.get_running_loop().sock_sendall(client, self.more)


@dataclass(frozen=True)
class Sips:
    """Asks, and takes one byte of the answer a second."""

    request: bytes

    async def run(self, port: int, seen: Seen) -> None:
        """Do its work."""
        while True:
            with _connected() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # the least that the kernel has
                await _send(client, port, self.request, seen)
                while await asyncio.get_running_loop().sock_recv(client, 1):
                    await asyncio.sleep(1)
            await asyncio.sleep(PAUSE)


@contextmanager
def _connected() -> Iterator[socket.socket]:
    """A socket that is closed in the end; that the other side closed it before is no fault."""
    with suppress(OSError), socket.socket() as client:
        client.setblocking(False)
        yield client


async def _ask(port: int, request: bytes, seen: Seen) -> None:
    with _connected() as client:
        await _send(client, port, request, seen)
        await _read(client, seen)


async def _send(client: socket.socket, port: int, request: bytes, seen: Seen) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_connect(client, (HOST, port))
    await loop.sock_sendall(client, request)
    seen.connections += 1


async def _read(client: socket.socket, seen: Seen) -> None:
    """Read to the end of the stream, and note the answer's status."""
    loop = asyncio.get_running_loop()
    part = await loop.sock_recv(client, 65_536)
    if part.startswith(b"HTTP/1.1 "):
        seen.answers[int(part[9:12])] += 1
    while part:
        part = await loop.sock_recv(client, 65_536)
