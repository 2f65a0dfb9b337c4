"""How many examples a property that is held on both engines is tried with: half of them on each, and other ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from hypothesis import HealthCheck
from hypothesis import seed as seeded
from hypothesis import settings as tried

UNHURRIED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def seed(part: int = 0) -> int:
    """Number what a part of a test draws: the same everywhere, another one on each engine."""
    return 2 * part + (connection.vendor == "postgresql")


def examples(number: int, part: int = 0) -> Callable[[Any], Any]:
    """Try a property with so many examples on both engines together: the same ones for everybody."""

    def decorate(test: Any) -> Any:
        limits = tried(
            max_examples=number // 2,
            deadline=None,
            database=None,
            suppress_health_check=UNHURRIED,
        )
        return seeded(seed(part))(limits(test))

    return decorate
