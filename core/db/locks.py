"""One process at a time for a task: who comes second is told so, and a lock goes with the process that holds it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

Keys = tuple[int, int]
"""Of an advisory lock on PostgreSQL: two integers of 32 bits."""


def alone(name: str, keys: Keys, fault: Exception) -> AbstractContextManager[None]:
    """Hold a lock for the length of a block. Raises ``fault`` where another process holds it.

    On PostgreSQL an advisory lock of the session, which ends with the connection; on SQLite a lock of the operating
    system on a file of that name beside the database, which ends with the process.
    """
    return _session_lock(keys, fault) if connection.vendor == "postgresql" else _file_lock(name, fault)


def is_held(keys: Keys) -> bool:
    """Tell whether this connection still holds a lock: it goes when the connection was lost in between."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() "
            "AND classid = %s AND objid = %s AND granted)",
            keys,
        )
        return bool(cursor.fetchone()[0])


@contextmanager
def _session_lock(keys: Keys, fault: Exception) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", keys)
        if not cursor.fetchone()[0]:
            raise fault
    try:
        yield
    finally:
        if connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)


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
