"""Queries that are written once: every request asks them, and Django takes longer to write one than to get the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from core.db.keyset import Slot


class Written:
    """A ``values_list`` with slots (``keyset.Slot``) for what varies; ``make`` is called once a database.

    Columns come raw: no field converts them.
    """

    def __init__(self, make: Callable[[], QuerySet[Any, Any]]) -> None:
        self._make = make
        self._statements: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows for what fills the slots, by name."""
        text, parameters = self._statement()
        filled = [values[str(one.value)] if isinstance(one, Slot) else one for one in parameters]
        with connection.cursor() as cursor:
            cursor.execute(text, filled)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows

    def _statement(self) -> tuple[str, tuple[Any, ...]]:
        if connection.vendor not in self._statements:
            text, parameters = self._make().query.sql_with_params()
            self._statements[connection.vendor] = str(text), tuple(parameters)
        return self._statements[connection.vendor]
