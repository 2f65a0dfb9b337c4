"""Each request reads one state of the database: nothing in an answer contradicts anything else in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import POLLIN, poll
from typing import Any

from django.db import Error, connections

from core.db.cancelling import cancellable
from core.db.reading import server
from core.db.replicas import require_proven
from core.rest.facts import answered_from


@contextmanager
def snapshot(using: str | None = None) -> Iterator[None]:
    """Read one snapshot of the database; a context, or a decorator of a view's method: `@snapshot()`.

    The database is that of an alias, by default the one that is read here.
    On PostgreSQL the transaction is repeatable read and read only (a write raises), without a query of its own; on
    SQLite it is a deferred one, which takes its snapshot at the first read, waits for no writer and keeps none
    waiting. Within an open transaction (a test's, or another snapshot) it does nothing.
    """
    alias = using or server()
    connection = connections[alias]
    answered_from(alias)
    if connection.in_atomic_block or not connection.get_autocommit():
        yield
        return
    _begin(connection)
    with cancellable(connection):
        try:
            yield
        finally:
            _end(connection)


@contextmanager
def between_snapshots() -> Iterator[None]:
    """Have no snapshot open while something is waited for: what is read afterwards is of a new one.

    What was read before may be out of date then. Outside of a snapshot it does nothing.
    """
    alias = server()
    connection = connections[alias]
    answered_from(alias)
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
    """Have the first statement begin, as repeatable read and read only; returns what ends that.

    So no query of its own begins, and none asks whether the kept connection still stands, as Django's check does: a
    server that has closed it left word of that to be read.
    """
    if connection.connection is not None and _has_word(connection.connection):
        connection.close()
    connection.health_check_done = True
    # A pooler's session may be with a server that was started anew since.
    is_new = connection.connection is None or connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]
    connection.ensure_connection()
    if is_new:
        require_proven(connection)
    connection.autocommit = False  # as Django knows it: what opens a transaction meanwhile is in this one
    wrappers = connection.execute_wrappers

    def begin(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        wrappers.remove(begin)
        return execute(f"{_BEGIN}; {sql}", params, many, context)

    def end() -> None:
        connection.autocommit = True
        if begin in wrappers:
            wrappers.remove(begin)  # nothing was read
            return
        with connection.wrap_database_errors, connection.connection.cursor() as cursor:
            cursor.execute("ROLLBACK")  # nothing was written

    wrappers.append(begin)
    return end


_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


def _has_word(session: Any) -> bool:
    """Tell whether a server says something unasked: that it ends the session, or that its end has come."""
    waiting = poll()
    waiting.register(session.fileno(), POLLIN)
    return bool(session.closed or waiting.poll(0))


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
