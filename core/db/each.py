"""Rows by SQL that is written once, not for every request: that takes Django longer than getting the rows."""

# ruff: noqa: S608 - statements are written in the source; values are parameters

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connections
from django.db.models import QuerySet

from core.db.keyset import Slot, filled
from core.db.reading import fetched, server

_AS_WRITTEN = "SET LOCAL join_collapse_limit = 1; "
"""Until the snapshot ends, joins are made in the order that Django writes: from the table of the ids, by primary keys.

PostgreSQL looks for a better order among seven tables for several times as long as it takes to get the rows.
"""

Make = Callable[..., QuerySet[Any, Any]]
"""Makes a ``values_list`` of what it is given, and of nothing else that varies. Its columns come raw: no field converts
them."""


class Walks(NamedTuple):
    """One limited walk for each of some ids.

    ``walk`` is an SQL SELECT with ORDER BY and LIMIT that refers to the id as ``%(id)s`` and to other values by their
    names; ``select`` selects from ``{walks}``, and may join more.
    """

    walk: str
    ids: Sequence[int]
    select: str


def rows_for_each(walks: Sequence[Walks], others: Sequence[str] = (), **values: int) -> list[tuple[Any, ...]]:
    """Return the rows of walks, and of other SQL SELECTs with the same columns, in no order and by one statement.

    Columns come raw: no field converts them. Where there is no LATERAL (SQLite), a walk is written once for each id.
    """
    parameters: dict[str, Any] = dict(values)
    terms = [_term(one, number, parameters) for number, one in enumerate(walks) if one.ids]
    return fetched(" UNION ALL ".join([*terms, *others]), parameters) if terms or others else []


def _term(walks: Walks, number: int, parameters: dict[str, Any]) -> str:
    """Return the SQL of walks. Their ids are in it, where they need not be parameters for SQLite to know it again."""
    name, (walk, ids, select) = f"ids{number}", walks
    if connections[server()].vendor == "postgresql":
        each, given = walk.replace("%(id)s", "given.id"), ",".join(map(str, map(int, ids)))
        text = f"(SELECT walk.* FROM unnest('{{{given}}}'::bigint[]) AS given(id), LATERAL ({each}) walk)"
    else:
        parameters |= {f"{name}_{place}": row_id for place, row_id in enumerate(ids)}
        each_walk = (walk.replace("%(id)s", f"%({name}_{place})s") for place in range(len(ids)))
        text = "(" + " UNION ALL ".join(f"SELECT * FROM ({text})" for text in each_walk) + ")"
    return select.replace("{walks}", text)


def rows_of(make: Make, ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the rows of the query that ``make`` makes for given ids, in no order.

    The ids must be all that varies in it. Its SQL is kept by the number of ids: a page's three such queries took Django
    3 ms to write, each time.
    """
    unique = list(dict.fromkeys(ids))
    if not unique:
        return []
    connection = connections[server()]
    vendor = connection.vendor
    text, _ = _statement(make, len(unique), vendor)
    if vendor == "postgresql":  # whose driver takes longer to make text of ids than to send it
        ahead = _AS_WRITTEN if getattr(connection, "end_of_snapshot", None) else ""
        return fetched(ahead + text % tuple(map(int, unique)), None)
    return fetched(text, unique)


def rows_where(make: Make, **values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the query that ``make`` makes for values by name, in its order.

    It is called with slots in place of the values, once a database.
    """
    text, parameters = _statement(make, tuple(values), connections[server()].vendor)
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
