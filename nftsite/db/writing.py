"""One writer at a time: within a writer's transaction a row that was looked up and not found can be inserted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

WRITER_LOCK = 7_305_121_870
"""Key of the advisory lock that serialises writers on PostgreSQL; it goes with the transaction, also after a kill."""


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction that excludes other writers until it ends; readers are never blocked.

    Within an open transaction it is a savepoint that takes the same lock.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with _immediate(), transaction.atomic():
            yield
        return
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        yield


@contextmanager
def _immediate() -> Iterator[None]:
    """Make SQLite transactions take the write lock at once: an upgrade later can fail with "database is locked"."""
    connection.ensure_connection()
    before = connection.transaction_mode  # type: ignore[attr-defined]
    connection.transaction_mode = "IMMEDIATE"  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.transaction_mode = before  # type: ignore[attr-defined]
