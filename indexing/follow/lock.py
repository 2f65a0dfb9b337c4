"""One indexer a chain: who comes second is told so, and a lock goes with the process that holds it."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from tokens.store.chains import ChainRow

INDEXER_LOCK = 730_512_187
"""First key of the advisory locks of indexers on PostgreSQL; the second one is the chain's row."""


class AlreadyIndexedError(Exception):
    """Another process indexes this chain."""


@contextmanager
def only_indexer(chain: ChainRow) -> Iterator[None]:
    """Hold the lock of a chain. Raises :class:`AlreadyIndexedError`.

    On PostgreSQL an advisory lock of the session, which ends with the connection; on SQLite a lock of the operating
    system on a file beside the database, which ends with the process.
    """
    held = _session_lock(chain) if connection.vendor == "postgresql" else _file_lock(chain)
    with held:
        yield


def is_held(chain: ChainRow) -> bool:
    """Tell whether this connection still holds the lock: it goes when the connection was lost in between."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() "
            "AND classid = %s AND objid = %s AND granted)",
            _keys(chain),
        )
        return bool(cursor.fetchone()[0])


@contextmanager
def _session_lock(chain: ChainRow) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", _keys(chain))
        if not cursor.fetchone()[0]:
            raise AlreadyIndexedError(_text(chain))
    try:
        yield
    finally:
        if connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", _keys(chain))


@contextmanager
def _file_lock(chain: ChainRow) -> Iterator[None]:
    name = str(connection.settings_dict["NAME"])
    in_memory = ":memory:" in name or "mode=memory" in name
    beside = Path(settings.VAR_DIR) / "memory" if in_memory else Path(name)
    path = beside.with_name(f"{beside.name}.index-{chain.slug}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyIndexedError(_text(chain)) from None
        yield


def _keys(chain: ChainRow) -> list[int]:
    return [INDEXER_LOCK, chain.id]


def _text(chain: ChainRow) -> str:
    return f"Another process indexes {chain.slug} into this database."
