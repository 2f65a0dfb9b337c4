"""SQL that is written once and kept by its shape: to write it takes Django longer than the database to get the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import Field, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler

from core.db.reading import fetched, server

_AS_WRITTEN = "SET LOCAL join_collapse_limit = 1; "
"""Until the snapshot ends, joins are made in the order that Django writes: from the table of the ids, by primary keys.

PostgreSQL looks for a better order among seven tables for several times as long as it takes to get the rows.
"""

Filling = Mapping[str, Any]
Make = Callable[..., QuerySet[Any, Any]]
"""Makes a ``values_list`` of what it is given, and of nothing else that varies. Its columns come raw: no field converts
them. Ids of other rows are named by their own column (``nft__id__in``): Django would take slots for them elsewhere."""


class Slot(Value):
    """A place in a query, by name, for a value that is filled in each time."""

    def __init__(self, name: str, output_field: Field[Any, Any] | None = None) -> None:
        super().__init__(name, output_field=output_field)

    def as_sql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """Return a parameter that is this slot itself."""
        return "%s", [self]


class Statement(NamedTuple):
    """A query as SQL: its text, its parameters with slots among them, and the number of its columns."""

    text: str
    parameters: Sequence[Any]
    columns: int

    def filled(self, filling: Filling) -> list[Any]:
        """Return the parameters with what fills the slots."""
        return [filling[str(one.value)] if isinstance(one, Slot) else one for one in self.parameters]

    def of_each(self, fillings: Sequence[Filling]) -> tuple[list[str], list[Any]]:
        """Return the SQL once for each filling, and all parameters; nothing where there is no row."""
        if not self.text:
            return [], []
        return [self.text] * len(fillings), [one for filling in fillings for one in self.filled(filling)]


NO_ROW = Statement("", (), 0)


def written(query: QuerySet[Any, Any]) -> Statement:
    """Return a ``values_list`` as SQL; :data:`NO_ROW` where it is plain that it has none."""
    sql = query.query
    try:
        text, parameters = sql.sql_with_params()
    except EmptyResultSet:
        return NO_ROW
    return Statement(text, parameters, len(sql.values_select) + len(sql.annotation_select))


def rows_where(make: Make, **values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the query that ``make`` makes for values by name, in its order.

    A list of ids is a value too: each is asked for once, and without any there is no row. ``make`` is called with slots
    in place of the values, once a database and number of ids.
    """
    shape: list[tuple[str, int | None]] = []
    filling: dict[str, Any] = {}
    for name, value in values.items():
        if not isinstance(value, list):
            filling[name] = value
            shape.append((name, None))
            continue
        unique = dict.fromkeys(value)
        if not unique:
            return []
        filling |= {f"{name} {place}": one for place, one in enumerate(unique)}
        shape.append((name, len(unique)))
    connection = connections[server()]
    statement = _kept(make, tuple(shape), connection.vendor)
    given, text = statement.filled(filling), statement.text
    if connection.vendor == "postgresql" and any(count for _, count in shape):
        text = (_AS_WRITTEN if getattr(connection, "end_of_snapshot", None) else "") + text
        # Of numbers the driver takes longer to make text than to send it.
        if all(isinstance(one, int) for one in given):
            return fetched(text % tuple(given), None)
    return fetched(text, given)


@lru_cache(maxsize=1_000)
def _kept(make: Make, shape: tuple[tuple[str, int | None], ...], vendor: str) -> Statement:
    """Return a query by its shape: the names of the values that it is made for, and how many they are where they are
    ids."""
    assert getattr(make, "__closure__", None) is None, "nothing but what it is given varies"
    slots: dict[str, Any] = {
        name: Slot(name) if count is None else [Slot(f"{name} {place}") for place in range(count)]
        for name, count in shape
    }
    return written(make(**slots))
