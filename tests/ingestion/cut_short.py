"""Runs that end at a statement of the database, where a kill would end them."""

from __future__ import annotations

from typing import Any

from django.db import connection

from core.db import bulk


class KilledError(BaseException):
    """Ends a run where a kill would."""


def killed(run: Any, moment: int) -> None:
    """Run, and end at a statement of the database."""
    count = 0

    def kill(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal count
        count += 1
        if count == moment:
            raise KilledError
        return execute(sql, *rest)

    try:
        with connection.execute_wrapper(kill):
            run()
    except KilledError:
        if connection.vendor == "postgresql":  # the lock goes with a session that is killed
            bulk.fetch("SELECT pg_advisory_unlock_all()")
