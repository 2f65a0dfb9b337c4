"""Rows by SQL that is written once, not for every request: that takes Django longer than getting the rows."""

# ruff: noqa: S608 - statements are written in the source; values are parameters

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from core.db.keyset import Slot, filled
from core.db.reading import fetched

WALKS = "SELECT * FROM {walks} walks"

Make = Callable[..., QuerySet[Any, Any]]
"""Makes a ``values_list`` of what it is given, and of nothing else that varies. Its columns come raw: no field converts
them."""


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
    return fetched(select.replace("{walks}", walks), parameters)


def rows_of(make: Make, ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the rows of the query that ``make`` makes for given ids, in no order.

    The ids must be all that varies in it. Its SQL is kept by the number of ids: a page's three such queries took Django
    3 ms to write, each time.
    """
    unique = list(dict.fromkeys(ids))
    return fetched(_statement(make, len(unique), connection.vendor)[0], unique) if unique else []


def rows_where(make: Make, **values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the query that ``make`` makes for values by name, in its order.

    It is called with slots in place of the values, once a database.
    """
    text, parameters = _statement(make, tuple(values), connection.vendor)
    return fetched(text, filled(parameters, values))


@lru_cache(maxsize=1_000)
def _statement(make: Make, shape: int | tuple[str, ...], vendor: str) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL and the parameters of a query by its shape: how many ids, or which values, it is made for."""
    if not isinstance(shape, int):
        text, parameters = make(**{name: Slot(name) for name in shape}).query.sql_with_params()
        return str(text), tuple(parameters)
    numbers = range(1, shape + 1)
    text, parameters = make(numbers).query.sql_with_params()
    assert tuple(parameters) == tuple(numbers), "nothing but the ids varies"
    return str(text), tuple(parameters)
