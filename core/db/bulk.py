"""Many rows at once, by few statements: what loading and ingestion write with.

Values go in and come out as the database holds them (a key field's text, never its Python number): no field converts
them, no model instance is made. Any number of rows fits into one call. Callers hold the writer lock (``writing()``).
"""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Field, Model

Row = tuple[Any, ...]

_COPY_PART = 500
"""Rows sent at once."""

_MANY = 1_000
"""Rows written at once from which on it matters that they are looked up by an index."""


def fetch(sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
    """Return the rows of a statement."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[Row] = cursor.fetchall()
        return rows


def run(sql: str, parameters: Sequence[Any] = ()) -> int:
    """Execute a statement and return how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return int(cursor.rowcount)


def keyed_plans() -> None:
    """Make PostgreSQL follow indexes until the transaction ends.

    While a table grows from nothing within minutes its statistics are of a smaller one, and a look-up of a few
    thousand keys would be planned as a hash join that reads the whole table.
    """
    if connection.vendor == "postgresql":
        names = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit")
        fetch("SELECT " + ", ".join(["set_config(%s, 'off', true)"] * len(names)), names)


def take_ids(model: type[Model], count: int) -> list[int]:
    """Reserve ``count`` ids for new rows, ascending and above all that exist."""
    if not count:
        return []
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        sequence = fetch("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', _key_column(model)])[0][0]
        last = fetch("SELECT setval(%s, nextval(%s) + %s)", [sequence, sequence, count - 1])[0][0]
        return list(range(last - count + 1, last + 1))
    if not run("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table]):
        run("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
    last = fetch("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])[0][0]
    return list(range(last - count + 1, last + 1))


def copy_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows, by COPY on PostgreSQL.

    ``columns`` are names in the database (``chain_id``). A column that is not named gets its field's default, where
    the field has one.
    """
    rows = list(rows)
    if not rows:
        return
    defaults = _defaults(model, columns)
    names = ", ".join(f'"{name}"' for name in (*columns, *defaults))
    constant = tuple(defaults.values())
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.copy_expert(f'COPY "{table}" ({names}) FROM STDIN', _CopyText(rows, constant))
        _have_counted(table, len(rows))
        return
    marks = ", ".join(["%s"] * (len(columns) + len(constant)))
    with connection.cursor() as cursor:
        cursor.executemany(
            f'INSERT INTO "{table}" ({names}) VALUES ({marks})', [(*row, *constant) for row in rows]
        )


def add_rows(model: type[Model], columns: Sequence[str], rows: Sequence[Row]) -> int:
    """Insert the rows that no row stands in the way of, as :func:`copy_rows` would, and return how many they are."""
    if not rows:
        return 0
    defaults = _defaults(model, columns)
    names = ", ".join(f'"{name}"' for name in (*columns, *defaults))
    values = ", ".join([*(f"given.c{place}" for place in range(len(columns))), *["%s"] * len(defaults)])
    given, parameters = _given(model, columns, rows)
    table = model._meta.db_table
    count = run(
        f'INSERT INTO "{table}" ({names}) SELECT {values} FROM {given} WHERE true ON CONFLICT DO NOTHING',
        [*defaults.values(), *parameters],
    )
    _have_counted(table, count)
    return count


def _have_counted(table: str, count: int) -> None:
    """Have PostgreSQL gather statistics of a table if it believes it to have fewer rows than were just written to it.

    It multiplies the table's pages by the rows that a page had when they were last counted: hardly any, where those of
    a transaction that was rolled back still lay dead. Whatever keys are looked up it would then read the table whole,
    or an index, once and compare each row with each key.
    """
    if count < _MANY or connection.vendor != "postgresql":
        return
    believed = (
        "SELECT reltuples / relpages * (pg_relation_size(oid) / current_setting('block_size')::int) FROM pg_class "
        "WHERE oid = %s::regclass AND relpages > 0"
    )
    if any(rows < count for (rows,) in fetch(believed, [f'"{table}"'])):
        run(f'ANALYZE "{table}"')


def update_rows(model: type[Model], columns: Sequence[str], rows: Sequence[Row], key: int = 1) -> None:
    """Update rows found by their first ``key`` columns; the others are set."""
    if not rows:
        return
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        given, arrays = _given(model, columns, rows)
        sets = ", ".join(f'"{name}" = given.c{place}' for place, name in enumerate(columns) if place >= key)
        run(f'UPDATE "{table}" t SET {sets} FROM {given} WHERE {_matches(columns[:key])}', arrays)
        return
    sets = ", ".join(f'"{name}" = %s' for name in columns[key:])
    wheres = " AND ".join(f'"{name}" = %s' for name in columns[:key])
    with connection.cursor() as cursor:
        cursor.executemany(
            f'UPDATE "{table}" SET {sets} WHERE {wheres}', [(*row[key:], *row[:key]) for row in rows]
        )


def delete_rows(model: type[Model], columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Delete the rows whose columns have these values."""
    if not rows:
        return
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        given, arrays = _given(model, columns, rows)
        run(f'DELETE FROM "{table}" t USING {given} WHERE {_matches(columns)}', arrays)
        return
    wheres = " AND ".join(f'"{name}" = %s' for name in columns)
    with connection.cursor() as cursor:
        cursor.executemany(f'DELETE FROM "{table}" WHERE {wheres}', rows)


def rows_by(
    model: type[Model], keys: Sequence[str], values: Sequence[Row], columns: Sequence[str]
) -> list[Row]:
    """Return ``columns`` of the rows whose ``keys`` have one of the values, which are distinct tuples."""
    if not values:
        return []
    selected = ", ".join(f't."{name}"' for name in columns)
    given, parameters = _given(model, keys, values)
    return fetch(
        f'SELECT {selected} FROM {given} CROSS JOIN "{model._meta.db_table}" t WHERE {_matches(keys)}',
        parameters,
    )


def id_list(ids: Iterable[int] | Iterable[str], kind: str = "bigint") -> tuple[str, Any]:
    """Return a subquery of one column ``id`` over any number of ids, and its one parameter; ``kind`` is PostgreSQL's.

    Join it as ``FROM {subquery} wanted CROSS JOIN table t WHERE t.nft_id = wanted.id``: SQLite takes the order of a
    CROSS JOIN as it is written, and so goes from the ids to the table's index.
    """
    if connection.vendor == "postgresql":
        return f"(SELECT unnest(%s::{kind}[]) AS id)", array_text(list(ids))
    return "(SELECT value AS id FROM json_each(%s))", json.dumps(list(ids))


def array_text(values: Sequence[Any]) -> str:
    """Return values as PostgreSQL's text of an array.

    The driver would write an ``ARRAY[…]`` of as many literals, which takes both sides ten times as long.
    """
    kinds = set(map(type, values))
    if kinds == {int}:
        return "{" + ",".join(map(str, values)) + "}"
    if kinds == {str} and not any('"' in value or "\\" in value for value in values):
        return '{"' + '","'.join(values) + '"}'
    return "{" + ",".join(map(_array_element, values)) + "}"


def _array_element(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def _matches(columns: Sequence[str]) -> str:
    return " AND ".join(f't."{name}" = given.c{place}' for place, name in enumerate(columns))


def _given(model: type[Model], columns: Sequence[str], rows: Sequence[Row]) -> tuple[str, list[Any]]:
    """Return values as a table ``given(c0, c1, …)``, and its parameters."""
    if connection.vendor == "postgresql":
        names = ", ".join(f"c{place}" for place in range(len(columns)))
        arrays = ", ".join(f"%s::{_type(model, name)}[]" for name in columns)
        return f"unnest({arrays}) given({names})", [array_text(values) for values in zip(*rows, strict=True)]
    paths = ", ".join(f"json_extract(value, '$[{place}]') AS c{place}" for place in range(len(columns)))
    return f"(SELECT {paths} FROM json_each(%s)) given", [json.dumps(rows)]


@cache
def _type(model: type[Model], column: str) -> str:
    field = _fields(model)[column]
    name = str((field.target_field if field.is_relation else field).rel_db_type(connection))  # type: ignore[attr-defined]
    return "text" if name.startswith("varchar") else name


@cache
def _fields(model: type[Model]) -> dict[str, Field[Any, Any]]:
    return {field.column: field for field in model._meta.concrete_fields if field.column}


def _key_column(model: type[Model]) -> str:
    key = model._meta.pk
    assert key is not None
    assert key.column is not None
    return key.column


def _defaults(model: type[Model], columns: Sequence[str]) -> dict[str, Any]:
    missing = {name: field for name, field in _fields(model).items() if name not in columns}
    return {
        name: field.get_db_prep_save(field.get_default(), connection)
        for name, field in missing.items()
        if field.has_default()
    }


class _CopyText:
    """Rows in COPY's text format, made while the server takes in what was read before."""

    def __init__(self, rows: Sequence[Row], constant: Row) -> None:
        self._parts = (rows[start : start + _COPY_PART] for start in range(0, len(rows), _COPY_PART))
        self._tail = "".join("\t" + _copy_value(value) for value in constant) + "\n"

    def read(self, size: int = -1) -> str:
        """Return some rows whatever the ``size``, which the driver allows; nothing at the end."""
        part = next(self._parts, None)
        if part is None:
            return ""
        # Column by column, since most columns need no look at each value.
        columns = [_copy_column(values) for values in zip(*part, strict=True)]
        return self._tail.join(map("\t".join, zip(*columns, strict=True))) + self._tail


def _copy_column(values: Row) -> Iterable[str]:
    kinds = set(map(type, values))
    if kinds == {int}:
        return map(repr, values)
    if kinds == {type(None)}:
        return ["\\N"] * len(values)
    if kinds == {str}:
        whole = "".join(values)
        if whole.isprintable() and "\\" not in whole:
            return values
    return map(_copy_value, values)


def _copy_value(value: Any) -> str:
    if value is None:
        return "\\N"
    if value.__class__ is str:
        if "\\" in value:
            value = value.replace("\\", "\\\\")
        if value.isprintable():
            return value  # type: ignore[no-any-return]
        return value.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")  # type: ignore[no-any-return]
    if value.__class__ is bool:
        return "t" if value else "f"
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str):  # a member of TextChoices
        return _copy_value(str(value))
    return repr(value)
