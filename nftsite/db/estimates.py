"""How many rows a table has, without reading it."""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model


def estimated_rows(model: type[Model], using: str = DEFAULT_DB_ALIAS) -> int:
    """Return PostgreSQL's own estimate (of its last ANALYZE) of a table's rows; 0 where it has none, as on SQLite."""
    connection = connections[using]
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT reltuples::bigint FROM pg_class WHERE oid = %s::regclass",
            [connection.ops.quote_name(model._meta.db_table)],
        )
        (rows,) = cursor.fetchone()
    return max(int(rows), 0)
