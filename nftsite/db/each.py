"""A limited read for each of several rows, in one statement: no row costs more than its limit, whatever it has."""

# ruff: noqa: S608 - statements are written in the source; values are parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

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
