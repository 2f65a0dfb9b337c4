"""Reads of the rows of a page: several ids in one statement, which is written once and not for every request."""

# ruff: noqa: S608 - statements are written in the source; values are parameters

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet

WALKS = "SELECT * FROM {walks} walks"


def rows_for_each(walk: str, ids: Sequence[int], select: str = WALKS, **values: int) -> list[tuple[Any, ...]]:
    """Return the rows of one limited walk for each of ``ids``, in no order.

    ``walk`` is an SQL SELECT with ORDER BY and LIMIT that refers to the id as ``%(id)s`` and to the other values by
    their names; ``select`` may join more to ``{walks}``. Columns come raw: no field converts them. Where there is no
    LATERAL (SQLite), the same walk is written once for each id.
    """
    if not ids:
        return []
    parameters: dict[str, Any] = dict(values)
    if connection.vendor == "postgresql":
        parameters["ids"] = list(ids)
        each = walk.replace("%(id)s", "given.id")
        walks = f"(SELECT walk.* FROM unnest(%(ids)s::bigint[]) AS given(id), LATERAL ({each}) walk)"
    else:
        parameters |= {f"id{place}": row_id for place, row_id in enumerate(ids)}
        each_walk = (walk.replace("%(id)s", f"%(id{place})s") for place in range(len(ids)))
        walks = "(" + " UNION ALL ".join(f"SELECT * FROM ({text})" for text in each_walk) + ")"
    with connection.cursor() as cursor:
        cursor.execute(select.replace("{walks}", walks), parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def rows_of(
    queryset: Callable[[Sequence[int]], QuerySet[Any, Any]], ids: Sequence[int]
) -> list[tuple[Any, ...]]:
    """Return the rows of a ``values_list`` over ids, in no order; columns come raw: no field converts them.

    ``queryset`` makes it for given ids, which must be all that varies in it. Its SQL is kept by the number of ids: a
    page's three such queries took Django 3 ms to write, each time.
    """
    unique = list(dict.fromkeys(ids))
    if not unique:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_statement(queryset, len(unique), connection.vendor), unique)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


@lru_cache(maxsize=1_000)
def _statement(queryset: Callable[[Sequence[int]], QuerySet[Any, Any]], count: int, vendor: str) -> str:
    text, parameters = queryset(range(1, count + 1)).query.sql_with_params()
    assert tuple(parameters) == tuple(range(1, count + 1)), "nothing but the ids varies"
    return str(text)
