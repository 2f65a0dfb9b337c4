"""Keyset paging: a page starts behind a (key, id), and several lists in the same order are merged into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Q, QuerySet

Row = tuple[Any, ...]

MOST_TERMS = 400
"""Lists in one union; SQLite refuses more than 500, so that more of them are a union of unions."""


def after(key_field: str, id_field: str, key: Any, row_id: int, *, descending: bool = False) -> Q:
    """Return the condition for rows behind (key, id).

    The leading bound on the key alone is redundant, and what lets a database start in the middle of its index: a
    bare "key > k OR (key = k AND id > i)" is read from the start.
    """
    way = "lt" if descending else "gt"
    bound = Q(**{f"{key_field}__{way}e": key})
    return bound & (Q(**{f"{key_field}__{way}": key}) | Q(**{f"{id_field}__{way}": row_id}))


def merge(branches: Sequence[QuerySet[Any, Row]], size: int, *, descending: bool = False) -> list[Row]:
    """Return the first ``size`` distinct rows of several lists, in one statement.

    Each branch is a ``values_list`` in the order of its columns, all ascending or all ``descending``, cut to at most
    ``size`` rows. The ORM refuses a union of cut branches on SQLite, so the union is written here.
    """
    if len(branches) == 1:
        return list(branches[0])
    union, parameters, columns = _union(branches)
    if not union:
        return []
    order = ", ".join(f"c{number}{' DESC' if descending else ''}" for number in range(columns))
    names = ", ".join(f"c{number}" for number in range(columns))
    # Names are c0, c1, …, and what the ORM compiled: no text of a request is in the statement.
    statement = f"SELECT DISTINCT {names} FROM ({union}) merged ORDER BY {order} LIMIT %s"  # noqa: S608
    return _rows(statement, [*parameters, size])


def concatenate(branches: Sequence[QuerySet[Any, Row]]) -> list[Row]:
    """Return the rows of several cut lists in one statement; the caller orders them."""
    if len(branches) == 1:
        return list(branches[0])
    union, parameters, _ = _union(branches)
    return _rows(union, parameters) if union else []


def _union(branches: Sequence[QuerySet[Any, Row]]) -> tuple[str, list[Any], int]:
    texts: list[str] = []
    parameters: list[Any] = []
    columns = 0
    for branch in branches:
        try:
            text, values = branch.query.sql_with_params()
        except EmptyResultSet:
            continue
        columns = len(branch.query.values_select) + len(branch.query.annotation_select)
        names = ", ".join(f"c{number}" for number in range(columns))
        # Named by a CTE, since only there both databases rename the columns of a subquery that has a LIMIT.
        texts.append(f"SELECT * FROM (WITH branch({names}) AS ({text}) SELECT * FROM branch) part")  # noqa: S608
        parameters += values
    while len(texts) > MOST_TERMS:
        parts = (texts[start : start + MOST_TERMS] for start in range(0, len(texts), MOST_TERMS))
        texts = [f"SELECT * FROM ({' UNION ALL '.join(part)}) part" for part in parts]  # noqa: S608
    return " UNION ALL ".join(texts), parameters, columns


def _rows(statement: str, parameters: Sequence[Any]) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Row] = cursor.fetchall()
        return rows
