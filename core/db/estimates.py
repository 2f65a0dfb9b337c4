"""How many rows a table has, without reading it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connections
from django.db.models import Model, QuerySet

from core.db.reading import server


def estimated_rows(model: type[Model], using: str | None = None) -> int:
    """Return PostgreSQL's own estimate (of its last ANALYZE) of a table's rows; 0 where it has none, as on SQLite."""
    connection = connections[using or server()]
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT reltuples::bigint FROM pg_class WHERE oid = %s::regclass",
            [connection.ops.quote_name(model._meta.db_table)],
        )
        (rows,) = cursor.fetchone()
    return max(int(rows), 0)


def estimated_rows_of(models: Sequence[type[Model]]) -> list[int]:
    """Return what :func:`estimated_rows` does of several tables, by one query."""
    connection = connections[server()]
    if connection.vendor != "postgresql":
        return [0] * len(models)
    terms = ", ".join(["(SELECT reltuples::bigint FROM pg_class WHERE oid = %s::regclass)"] * len(models))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {terms}", [connection.ops.quote_name(one._meta.db_table) for one in models])
        rows = cursor.fetchone()
    return [max(int(one), 0) for one in rows]


def planned_rows(rows: QuerySet[Any]) -> int:
    """Return PostgreSQL's own estimate of how many rows a query has, which costs only its planning; 0 on SQLite."""
    if connections[rows.db].vendor != "postgresql":
        return 0
    return int(json.loads(rows.explain(format="json"))[0]["Plan"]["Plan Rows"])
