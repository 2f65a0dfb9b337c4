"""Rows of a statement as the driver has them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db import connection


def fetched(statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a statement."""
    kept = getattr(connection, "kept_cursor", None)
    with connection.cursor() if kept is None else nullcontext(kept) as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


@contextmanager
def one_cursor() -> Iterator[None]:
    """Have :func:`fetched` use one cursor meanwhile: Django takes as long to make one as to send a short statement."""
    if getattr(connection, "kept_cursor", None) is not None:
        yield
        return
    with connection.cursor() as cursor:
        connection.kept_cursor = cursor  # type: ignore[attr-defined]
        try:
            yield
        finally:
            connection.kept_cursor = None  # type: ignore[attr-defined]
