"""Each request reads one state of the database: nothing in an answer contradicts anything else in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, Error, connections
from psycopg2.extensions import ISOLATION_LEVEL_DEFAULT, ISOLATION_LEVEL_REPEATABLE_READ

from core.db.cancelling import cancellable


@contextmanager
def snapshot(using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Read one snapshot of the database; a context, or a decorator of a view's method: `@snapshot()`.

    On PostgreSQL the transaction is repeatable read and read only (a write raises), without a query of its own; on
    SQLite it is a deferred one, which takes its snapshot at the first read, waits for no writer and keeps none
    waiting. Within an open transaction (a test's, or another snapshot) it does nothing.
    """
    connection = connections[using]
    if connection.in_atomic_block or not connection.get_autocommit():
        yield
        return
    _begin(connection)
    try:
        with cancellable(connection):
            yield
    finally:
        _end(connection)


@contextmanager
def between_snapshots(using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Have no snapshot open while something is waited for: what is read afterwards is of a new one.

    What was read before may be out of date then. Outside of a snapshot it does nothing.
    """
    connection = connections[using]
    if not _end(connection):
        yield
        return
    yield
    _begin(connection)


def _begin(connection: Any) -> None:
    begin = _begin_postgresql if connection.vendor == "postgresql" else _begin_sqlite
    connection.end_of_snapshot = begin(connection)


def _end(connection: Any) -> bool:
    """End the snapshot that is open, if one is; return whether one was."""
    restore = connection.__dict__.pop("end_of_snapshot", None)
    if restore is None:
        return False
    try:
        connection.rollback()  # nothing was written
        restore()
        connection.set_autocommit(True)
    except Error:  # it broke meanwhile; what was read stays true, and the next request opens a new one
        connection.close()
    return True


def _begin_postgresql(connection: Any) -> Callable[[], None]:
    """Have psycopg2 begin, with the first statement, as repeatable read and read only; returns what undoes that.

    Not `atomic()`: the characteristics are set once autocommit is off and taken back before it is on again. While it
    is on, psycopg2 would send each change to the server.
    """
    connection.set_autocommit(False)
    session = connection.connection
    session.set_session(isolation_level=ISOLATION_LEVEL_REPEATABLE_READ, readonly=True)

    def restore() -> None:
        session.set_session(isolation_level=ISOLATION_LEVEL_DEFAULT, readonly="default")

    return restore


def _begin_sqlite(connection: Any) -> Callable[[], None]:
    """Begin as a read, whereas writers' transactions take SQLite's write lock at once (settings); nothing to undo."""
    mode = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    finally:
        connection.transaction_mode = mode
    return lambda: None
