"""How many examples a property that is held on both engines is tried with: other ones on each, fewer on PostgreSQL.

What is tried are rules, which are the same code on both, over statements, which differ. Some tens of examples run each
statement, and on PostgreSQL an example takes twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from hypothesis import HealthCheck
from hypothesis import seed as seeded
from hypothesis import settings as tried

FEWER = 3
"""On SQLite so many times as many as on PostgreSQL."""
UNHURRIED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def fewer(number: int) -> int:
    """Return of so many examples on SQLite as many as this run's engine tries."""
    return number if connection.vendor == "sqlite" else max(1, number // FEWER)


def seed(part: int = 0) -> int:
    """Number what a part of a test draws: the same everywhere, another one on each engine."""
    return 2 * part + (connection.vendor == "postgresql")


def examples(number: int, part: int = 0) -> Callable[[Any], Any]:
    """Try a property with so many examples on SQLite, and fewer on PostgreSQL: the same ones for everybody."""

    def decorate(test: Any) -> Any:
        limits = tried(
            max_examples=fewer(number),
            deadline=None,
            database=None,
            suppress_health_check=UNHURRIED,
        )
        return seeded(seed(part))(limits(test))

    return decorate
