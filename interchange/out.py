"""How a dump writes rows as lines, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db.models import Model

PAGE = 2_000
"""Rows that are held at once."""


class Raw(str):
    """Text that is JSON already."""

    __slots__ = ()


NULL = Raw("null")


def pages(model: type[Model], columns: Sequence[str], **scope: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table in the order of their first column, which is unique within the scope.

    Page by page, since a cursor of the server would not outlive a pooler, and SQLite has none.
    """
    rows = model._default_manager.filter(**scope).order_by(columns[0]).values_list(*columns)
    page = list(rows[:PAGE])
    while page:
        yield from page
        page = list(rows.filter(**{f"{columns[0]}__gt": page[-1][0]})[:PAGE]) if len(page) == PAGE else []


def line(record: str, *members: tuple[str, Any]) -> str:
    """Return a line. Members that are ``None`` are left out."""
    texts = [f'{{"record":"{record}"']
    for name, value in members:
        if value is not None:
            texts.append(f'"{name}":{value if isinstance(value, Raw) else _encode(value)}')
    return ",".join(texts) + "}\n"


_encode: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False).encode


def raw_json(text: str | None) -> Raw | None:
    """Return stored JSON as it stands; a line break in it, which can only be white space, becomes a space."""
    return None if text is None else Raw(text.replace("\n", " "))
