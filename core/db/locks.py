"""One process at a time for a task: who comes second is told so, and a lock goes with the process that holds it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections

Keys = tuple[int, int]
"""Of an advisory lock on PostgreSQL: two integers of 32 bits."""

_held: dict[Keys, tuple[int, str]] = {}
"""The locks of this process, with the session of the server and the transaction that hold them."""

_HOLDERS = (
    "SELECT pid, virtualtransaction FROM pg_locks "
    "WHERE locktype = 'advisory' AND classid = %s AND objid = %s AND objsubid = 2 AND granted"
)


def alone(name: str, keys: Keys, fault: Exception) -> AbstractContextManager[None]:
    """Hold a lock for the length of a block. Raises ``fault`` where another process holds it.

    On PostgreSQL an advisory lock of a transaction that stays open meanwhile, over a connection of its own: it holds
    back no vacuum, ends with the connection, and keeps its session of the server also behind a pooler in transaction
    mode, where a lock of a session would be left to strangers. On SQLite a lock of the operating system on a file of
    that name beside the database, which ends with the process.
    """
    return _transaction_lock(keys, fault) if connection.vendor == "postgresql" else _file_lock(name, fault)


def is_held(keys: Keys) -> bool:
    """Tell whether this process still holds a lock, on the server that its statements go to.

    It goes when its connection is lost, and with the server, also where another one takes its place.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(_HOLDERS, keys)
        return _held.get(keys) in cursor.fetchall()


@contextmanager
def _transaction_lock(keys: Keys, fault: Exception) -> Iterator[None]:
    holder: Any = connections.create_connection(DEFAULT_DB_ALIAS)
    holder.set_autocommit(False)
    try:
        with holder.cursor() as cursor:
            # The transaction is idle for as long as its process works.
            cursor.execute(
                "SELECT set_config(name, '0', true) FROM pg_settings "
                "WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')"
            )
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", keys)
            if not cursor.fetchone()[0]:
                raise fault
            cursor.execute(f"{_HOLDERS} AND pid = pg_backend_pid()", keys)
            _held[keys] = cursor.fetchone()
        try:
            yield
        finally:
            del _held[keys]
    finally:
        with suppress(Error):  # it is lost, and the lock with it
            holder.rollback()
        holder.close()


@contextmanager
def _file_lock(name: str, fault: Exception) -> Iterator[None]:
    database = str(connection.settings_dict["NAME"])
    in_memory = ":memory:" in database or "mode=memory" in database
    beside = Path(settings.VAR_DIR) / "memory" if in_memory else Path(database)
    path = beside.with_name(f"{beside.name}.{name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise fault from None
        yield
