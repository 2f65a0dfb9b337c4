"""Limited walks, one for each of some ids, by SQL of the source."""

# ruff: noqa: S608 - statements are written in the source; values are parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connections

from core.db.reading import fetched, server


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
