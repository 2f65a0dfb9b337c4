"""Bounded walks of a list, some of whose rows are not asked for and looked at one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.db.models import BooleanField, Case, Q, QuerySet, Value, When

from core.db.keyset import behind
from core.rest.cursors import Position

LOOKED_AT: Final = 900
"""Rows that a page looks at where not every one of its list is asked for."""


class Listed(NamedTuple):
    """A list: its rows, what they are in the order of (the id last), whether that descends, and what else is asked."""

    rows: QuerySet[Any]
    keys: Sequence[str]
    descending: bool
    condition: Q


def walk(listed: Listed, start: Position | None, size: int) -> tuple[list[int], Position | None]:
    """Return the ids of the first matches behind a place, and the place that the next page starts behind.

    ``None``: there is no next page. A page may hold fewer than ``size``, or none, and have one all the same.
    """
    rows = listed.rows
    if start is not None:
        rows = rows.filter(behind(listed.keys, start, descending=listed.descending))
    way = "-" if listed.descending else ""
    rows = rows.order_by(*(f"{way}{name}" for name in listed.keys))
    if not listed.condition:
        read = list(rows.values_list(*listed.keys)[: size + 1])
        return [row[-1] for row in read[:size]], tuple(read[size - 1]) if len(read) > size else None
    matches = Case(
        When(listed.condition, then=Value(True)), default=Value(False), output_field=BooleanField()
    )
    looked = list(rows.annotate(matches=matches).values_list(*listed.keys, "matches")[:LOOKED_AT])
    found = [tuple(row[:-1]) for row in looked if row[-1]]
    if len(found) > size:
        return [place[-1] for place in found[:size]], found[size - 1]
    return [place[-1] for place in found], tuple(looked[-1][:-1]) if len(looked) == LOOKED_AT else None
