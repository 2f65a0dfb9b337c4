"""Ends what a request is at, from another thread: its client has hung up, or its server of the database is silent."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import psycopg2

_client: ContextVar[object | None] = ContextVar("client", default=None)
_lock = threading.Lock()


@dataclass(slots=True)
class _Work:
    connection: Any
    since: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held by who cancels: to be told so, a server may take long, and others go on meanwhile."""
    is_over: bool = False


_at_work: dict[object, _Work] = {}


@contextmanager
def on_behalf_of(client: object) -> Iterator[None]:
    """Have what this thread does meanwhile be done for a client, which :func:`cancel` names."""
    token = _client.set(client)
    try:
        yield
    finally:
        _client.reset(token)


@contextmanager
def cancellable(connection: Any) -> Iterator[None]:
    """Let the queries on a Django connection be ended meanwhile, by the client they are for or as of its server."""
    client = _client.get() or object()
    work = _Work(connection)
    with _lock:
        _at_work[client] = work
    try:
        yield
    finally:
        with _lock:
            _at_work.pop(client, None)
        with work.lock:  # a cancellation that is under way ends before the connection serves another client
            work.is_over = True


def cancel(client: object) -> None:
    """Have the query that is made for a client fail with ``OperationalError``; do nothing where there is none."""
    with _lock:
        work = _at_work.get(client)
    if work is None:
        return
    with work.lock:
        session = work.connection.connection
        if work.is_over or session is None:
            return
        if work.connection.vendor == "postgresql":
            session.cancel()
        else:
            session.interrupt()


def hang_up(alias: str, since: float) -> int:
    """Have the queries that wait for a database of PostgreSQL since then (monotonic) or longer fail as if it had closed
    their connections; return how many.

    A server that is stopped, or cut off, answers nothing, and cannot be told to cancel.
    """
    with _lock:
        waiting = [
            work for work in _at_work.values() if work.connection.alias == alias and work.since <= since
        ]
    for work in waiting:
        with (
            suppress(OSError, AttributeError, psycopg2.Error),  # closed meanwhile, or not open yet
            socket.socket(fileno=os.dup(work.connection.connection.fileno())) as line,
        ):
            line.shutdown(socket.SHUT_RDWR)
    return len(waiting)
