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

    On SQLite every transaction takes the write lock when it begins (``transaction_mode`` in the settings). Within an
    open transaction it is a savepoint that takes the same lock.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        yield
