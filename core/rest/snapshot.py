"""Each request reads one state of the database: nothing in an answer contradicts anything else in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, Error, InterfaceError, OperationalError, connections

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
    end = connection.__dict__.pop("end_of_snapshot", None)
    if end is None:
        return False
    try:
        end()
    except Error:  # it broke meanwhile; what was read stays true, and the next request opens a new one
        connection.close()
    return True


def _begin_postgresql(connection: Any) -> Callable[[], None]:
    """Begin as repeatable read and read only; returns what ends that.

    To begin also tells whether the kept connection still stands, for which Django asks a query of its own. It is not
    psycopg2 that begins: it would send a change of its session's characteristics beside.
    """
    connection.health_check_done = True
    connection.ensure_connection()
    try:
        _execute(connection, _BEGIN)
    except (InterfaceError, OperationalError):
        connection.close()
        connection.ensure_connection()
        _execute(connection, _BEGIN)
    connection.autocommit = False  # as Django knows it: what opens a transaction meanwhile is in this one

    def end() -> None:
        connection.autocommit = True
        _execute(connection, "ROLLBACK")  # nothing was written

    return end


_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


def _execute(connection: Any, statement: str) -> None:
    with connection.wrap_database_errors, connection.connection.cursor() as cursor:
        cursor.execute(statement)


def _begin_sqlite(connection: Any) -> Callable[[], None]:
    """Begin as a read, whereas writers' transactions take SQLite's write lock at once (settings)."""
    mode = connection.transaction_mode
    connection.transaction_mode = "DEFERRED"
    try:
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    finally:
        connection.transaction_mode = mode

    def end() -> None:
        connection.rollback()
        connection.set_autocommit(True)

    return end
