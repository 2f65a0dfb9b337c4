"""Keyset paging: a page starts behind a (key, id), and several lists in the same order are merged into one.

Lists that differ in ids alone are written once, with slots for the ids: the ORM takes longer to write a list than the
database to read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BooleanField, F, FloatField, Func, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.sql.compiler import SQLCompiler

from core.db.reading import fetched
from core.db.statements import Filling, Slot, Statement, written

Row = tuple[Any, ...]
Filled = tuple[Statement, Sequence[Filling]]
"""Lists whose query is SQL already, and what fills its slots."""

MOST_TERMS = 400
"""Lists in one union; SQLite refuses more than 500, so that more of them are a union of unions."""


@dataclass(frozen=True, slots=True)
class Lists:
    """One or several lists in the same order: a query with slots, and what fills them, a list each.

    The query is a ``values_list`` ordered by its columns, all ascending or all descending.
    """

    query: QuerySet[Any, Any]
    fillings: Sequence[Filling] = field(default=({},))


def after(key_field: str, id_field: str, key: Any, row_id: Any, *, descending: bool = False) -> Q:
    """Return the condition for rows behind (key, id): values, or expressions such as columns of another row."""
    return behind((key_field, id_field), (key, row_id), descending=descending)


def behind(columns: Sequence[str], values: Sequence[Any], *, descending: bool = False) -> Q:
    """Return the condition for rows behind a place, by all the columns that the order goes by, the id last."""
    return Q(_Behind(columns, values, "<" if descending else ">"))


class _Behind(Func):
    """``(key, id) > (…, …)``: one comparison of rows, which both databases start an index at.

    Not Django's own, which on SQLite becomes "key > k OR (key = k AND id > i)": that is read from the start, or from
    the first of all rows that share a key.

    PostgreSQL is not told the key as it plans (a subquery is asked for it as the statement runs): of the row it would
    compare the key alone, and hold the list for empty behind one that very many rows share, such as those of no rarity.
    It counts on a third of the list instead, wherever a page starts, and goes on as it did on the first.
    """

    def __init__(self, columns: Sequence[str], values: Sequence[Any], way: str) -> None:
        place = [one if isinstance(one, Combinable) else Value(one) for one in values]
        super().__init__(*map(F, columns), *place, output_field=BooleanField())
        self.way = way

    def as_sql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        texts: list[str] = []
        parameters: list[Any] = []
        parts = self.get_source_expressions()
        is_postgresql = connection.vendor == "postgresql"
        for part in parts:
            text, values = compiler.compile(part)
            is_float = is_postgresql and any(map(_is_float, values))
            texts.append(f"{text}::double precision" if is_float else text)
            parameters += values
        half = len(texts) // 2
        if is_postgresql and isinstance(parts[half], Value):
            texts[half] = f"(SELECT {texts[half]})"
        return f"({', '.join(texts[:half])}) {self.way} ({', '.join(texts[half:])})", parameters


def _is_float(value: Any) -> bool:
    return isinstance(value, float) or (
        isinstance(value, Slot) and isinstance(value.output_field, FloatField)
    )


def merge(parts: Sequence[Lists], size: int, *, descending: bool = False) -> list[Row]:
    """Return the first ``size`` distinct rows of several lists, each cut to at most ``size`` rows, in one statement.

    PostgreSQL reads of all lists together little more than it returns: it merges them as they are read.
    """
    return merged(_written(parts), size, descending=descending)


def merged(parts: Sequence[Filled], size: int, *, descending: bool = False) -> list[Row]:
    """Return what :func:`merge` does, of lists whose query is SQL already."""
    union, parameters, columns, count = _union(parts)
    if count <= 1:
        return fetched(union, parameters) if union else []
    names, order = _columns(columns), _order(columns, descending)
    renamed = f"({names})" if connection.vendor == "postgresql" else ""
    # Names are c0, c1, …, and what the ORM compiled: no text of a request is in the statement.
    statement = f"SELECT DISTINCT {names} FROM ({union}) merged{renamed} ORDER BY {order} LIMIT %s"  # noqa: S608
    return fetched(statement, [*parameters, size])


def merge_many(lists: Lists, slot: str, size: int, *, descending: bool = False) -> list[Row]:
    """Return what :func:`merge` does, of thousands of lists that differ in one slot, at the cost of a look at the head
    of each (PostgreSQL).

    Only lists with one of the first ``size`` distinct heads can have one of the first ``size`` rows. One row may head
    several lists, all of which are read then: what follows it is in any of them.
    """
    statement = written(lists.query)
    if not statement.text:
        return []
    names, order = _columns(statement.columns), _order(statement.columns, descending)
    walk, values = _with_columns(statement, {slot: _Column(f"given.{slot}")})
    heads = (
        f"SELECT given.{slot}, dense_rank() OVER (ORDER BY {order}) AS head_rank "  # noqa: S608
        f"FROM unnest(%s::bigint[]) given({slot}), "
        f"LATERAL (SELECT * FROM ({walk}) walk({names}) LIMIT 1) head"
    )
    first = f"SELECT * FROM ({heads}) heads WHERE head_rank <= %s"  # noqa: S608
    rows = f"SELECT DISTINCT {names} FROM ({first}) given, LATERAL ({walk}) walk({names})"  # noqa: S608
    ids = [filling[slot] for filling in lists.fillings]
    return fetched(f"{rows} ORDER BY {order} LIMIT %s", [ids, *values, size, *values, size])


class _Column(str):
    """A column's name in the place of a value."""

    __slots__ = ()


def _with_columns(statement: Statement, filling: Filling) -> tuple[str, list[Any]]:
    """Return SQL with the columns that fill its slots written in place of their parameters, and those that are left."""
    pieces, parameters = statement.text.split("%s"), statement.filled(filling)
    places = [str(value) if isinstance(value, _Column) else "%s" for value in parameters]
    written = pieces[0] + "".join(place + piece for place, piece in zip(places, pieces[1:], strict=True))
    return written, [value for value in parameters if not isinstance(value, _Column)]


def first_of_each(groups: Sequence[tuple[Sequence[Lists], int]]) -> list[list[Row]]:
    """Return, for each group of lists, at most so many of its rows, in no order; all groups in one statement.

    Lists are read one behind the other: no more rows of a group are read than are returned.
    """
    terms, parameters = [], []
    for number, (group, most) in enumerate(groups):
        union, values = _in_turn(group)
        if union:
            rows = f"SELECT {number} AS number, part.* FROM ({union}) part LIMIT {most}"  # noqa: S608
            terms.append(f"SELECT * FROM ({rows}) cut")  # noqa: S608
            parameters += values
    found: list[list[Row]] = [[] for _ in groups]
    for number, *row in fetched(" UNION ALL ".join(terms), parameters) if terms else ():
        found[number].append(tuple(row))
    return found


def count_up_to(group: Iterable[Lists], most: int) -> int:
    """Return how many rows lists have together, or ``most`` where they have more: no more than these are read."""
    union, parameters = _in_turn(list(group))
    if not union:
        return 0
    ((count,),) = fetched(f"SELECT count(*) FROM (SELECT 1 FROM ({union}) part LIMIT {most}) cut", parameters)  # noqa: S608
    return int(count)


def _in_turn(group: Sequence[Lists]) -> tuple[str, list[Any]]:
    """Return the SQL of the rows of lists, one list behind the other; PostgreSQL plans those that are alike once."""
    if connection.vendor != "postgresql":
        union, parameters, _, _ = _union(_written(group))
        return union, parameters
    terms: list[str] = []
    parameters = []
    for lists in group:
        names = list(lists.fillings[0])
        statement = written(lists.query)
        texts, values = statement.of_each(lists.fillings)
        if texts and names:
            walk, values = _with_columns(statement, {name: _Column(f"given.{name}") for name in names})
            given = ", ".join([f"({', '.join(['%s'] * len(names))})"] * len(lists.fillings))
            texts = [f"SELECT walk.* FROM (VALUES {given}) given({', '.join(names)}), LATERAL ({walk}) walk"]  # noqa: S608
            values = [filling[name] for filling in lists.fillings for name in names] + values
        terms += [f"({text})" for text in texts]
        parameters += values
    return " UNION ALL ".join(terms), parameters


def concatenate(parts: Sequence[Lists]) -> list[Row]:
    """Return the rows of several cut lists in one statement; the caller orders them."""
    union, parameters, _, _ = _union(_written(parts))
    return fetched(union, parameters) if union else []


def fenced(
    lists: Lists, *, names: Sequence[str] = ("c0", "c1"), descending: bool = False
) -> tuple[str, list[Any]]:
    """Return PostgreSQL's SQL of the rows of several uncut lists in their order, which its planner may not take apart.

    Beside a walk in the same order it has one good plan, to merge the two, and finds it whatever it believes of how
    many rows they share. ``names``: of the columns, of which the first two are the order. Empty where no list has a
    row.
    """
    texts, parameters = written(lists.query).of_each(lists.fillings)
    if not texts:
        return "", []
    # OFFSET 0 is the fence: without it the planner would see through to the tables.
    ordered = [f"({text} OFFSET 0)" for text in texts]
    columns, way = ", ".join(names), " DESC" if descending else ""
    order = ", ".join(f"{name}{way}" for name in names[:2])
    union = " UNION ALL ".join(ordered)
    merged = f"SELECT {columns} FROM ({union}) merged({columns}) ORDER BY {order} OFFSET 0"  # noqa: S608
    return (merged if len(texts) > 1 else f"SELECT * FROM {ordered[0]} one({columns})"), parameters  # noqa: S608


def sifted(lists: Lists, names: Sequence[str], kept: QuerySet[Any, Any]) -> list[Row]:
    """Return what a query makes of several uncut lists, merged as they are read, in place of its table (PostgreSQL).

    What it asks of a row is planned once then, and not for each list. ``names``: the lists' columns, as those of the
    query's model are called; the first two are the order, which the query has to keep.
    """
    source, values = fenced(lists, names=names)
    if not source:
        return []
    try:
        text, parameters = kept.query.sql_with_params()
    except EmptyResultSet:
        return []
    table = connection.ops.quote_name(kept.model._meta.db_table)
    before, after_table = text.split(f" FROM {table} ", 1)
    assert "%s" not in before
    return fetched(f"{before} FROM ({source}) {table} {after_table}", [*values, *parameters])


def _written(parts: Sequence[Lists]) -> list[Filled]:
    return [(written(one.query), one.fillings) for one in parts]


def _union(parts: Sequence[Filled]) -> tuple[str, list[Any], int, int]:
    texts: list[str] = []
    parameters: list[Any] = []
    columns = 0
    for statement, fillings in parts:
        some, values = statement.of_each(fillings)
        texts += some
        parameters += values
        columns = columns or statement.columns
    count = len(texts)
    if count > 1:
        texts = [_branch(text, _columns(columns)) for text in texts]
    while len(texts) > MOST_TERMS:
        groups = (texts[start : start + MOST_TERMS] for start in range(0, len(texts), MOST_TERMS))
        texts = [f"SELECT * FROM ({' UNION ALL '.join(group)}) part" for group in groups]  # noqa: S608
    return " UNION ALL ".join(texts), parameters, columns, count


def _branch(text: str, names: str) -> str:
    """Return a cut list as a term of a union: SQLite takes no parentheses there, PostgreSQL merges by nothing else."""
    if connection.vendor == "postgresql":
        return f"({text})"
    # Named by a CTE, since SQLite renames the columns of a subquery nowhere else.
    return f"SELECT * FROM (WITH branch({names}) AS ({text}) SELECT * FROM branch) part"  # noqa: S608


def _columns(count: int) -> str:
    return ", ".join(f"c{number}" for number in range(count))


def _order(count: int, descending: bool) -> str:
    return ", ".join(f"c{number}{' DESC' if descending else ''}" for number in range(count))
