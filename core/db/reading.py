"""Rows of a statement as the driver has them, from the one server that a request reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

_server: ContextVar[str] = ContextVar("server", default=DEFAULT_DB_ALIAS)


def server() -> str:
    """Return the alias of the database that is read here: the primary's, unless a request reads a replica."""
    return _server.get()


@contextmanager
def reading_from(alias: str) -> Iterator[None]:
    """Have this thread read from a database meanwhile. Writing goes to the primary all the same."""
    token = _server.set(alias)
    try:
        yield
    finally:
        _server.reset(token)


def fetched(statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a statement."""
    connection = connections[_server.get()]
    kept = getattr(connection, "kept_cursor", None)
    with connection.cursor() if kept is None else nullcontext(kept) as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


@contextmanager
def one_cursor() -> Iterator[None]:
    """Have :func:`fetched` use one cursor meanwhile: Django takes as long to make one as to send a short statement."""
    connection: Any = connections[_server.get()]
    if getattr(connection, "kept_cursor", None) is not None:
        yield
        return
    with connection.cursor() as cursor:
        connection.kept_cursor = cursor
        try:
            yield
        finally:
            connection.kept_cursor = None
