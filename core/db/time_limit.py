"""Ends what a request reads for too long on SQLite, as ``statement_timeout`` does on PostgreSQL."""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import Any, Final

from django.core.signals import request_started
from django.db.backends.signals import connection_created

_STEPS: Final = 100_000
"""Steps of SQLite's machine, some milliseconds, between two looks at the clock."""

_ends: ContextVar[float] = ContextVar("ends", default=float("inf"))


def end_slow_queries(seconds: int) -> None:
    """Have the queries of a request on SQLite fail with ``OperationalError`` after ``seconds`` in all (0: never).

    For web processes: the connections of a command know no limit.
    """
    if not seconds:
        return

    def begin(**_: Any) -> None:
        _ends.set(time.monotonic() + seconds)

    def limit(connection: Any, **_: Any) -> None:
        if connection.vendor == "sqlite":
            connection.connection.set_progress_handler(is_over, _STEPS)

    request_started.connect(begin, weak=False, dispatch_uid="core.db.time_limit")
    connection_created.connect(limit, weak=False, dispatch_uid="core.db.time_limit")


def is_over() -> bool:
    """Tell whether the time of this thread's request is over; to SQLite that means: stop."""
    return time.monotonic() > _ends.get()
