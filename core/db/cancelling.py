"""Ends the query that a request is at, from another thread: its client has hung up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_client: ContextVar[object | None] = ContextVar("client", default=None)
_at_work: dict[object, Any] = {}
_lock = threading.Lock()


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
    """Let the queries on a Django connection be cancelled meanwhile, by the client for whom they are made."""
    client = _client.get()
    if client is None:
        yield
        return
    with _lock:
        _at_work[client] = connection
    try:
        yield
    finally:
        with _lock:  # a cancellation that is under way ends before the connection serves another client
            _at_work.pop(client, None)


def cancel(client: object) -> None:
    """Have the query that is made for a client fail with ``OperationalError``; do nothing where there is none."""
    with _lock:
        connection = _at_work.get(client)
        if connection is None or connection.connection is None:
            return
        session = connection.connection
        if connection.vendor == "postgresql":
            session.cancel()
        else:
            session.interrupt()
