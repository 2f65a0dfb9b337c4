"""Pages of a keyset walk: one item more than the limit is read, so that a cursor exists only when something follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rest_framework.exceptions import ValidationError

from core.rest.cursors import Cursor, Position, encode

MAX_LIMIT = 30
"""Items of a page at most, and when the query does not say (specification, Limits)."""

DEPTH_CAP = 10_000
"""Items that a walk in an order by asks reaches (specification, Limits)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a walk: its place, and the row it stands for."""

    position: Position
    row_id: int


Walk = Callable[[Position | None, int], Sequence[Entry]]
"""Reads at most so many entries behind a place (``None``: from the start)."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a cursor is bound to."""

    operation: str
    order: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Page:
    """Row ids of a page in order, the cursor behind it, and whether the depth cap cut the walk here."""

    row_ids: list[int]
    next_cursor: str | None
    cut: bool


def paginate(walk: Walk, query: Query, cursor: Cursor | None, limit: int, *, cap: int | None = None) -> Page:
    """Return the page of at most ``limit`` items behind ``cursor``; with a ``cap``, none deeper than that many items.

    Raises ``ValidationError`` (``cursor_mismatch``) when the cursor came from another query.
    """
    check_cursor(query, cursor)
    served = cursor.served if cursor and cap is not None else 0
    size = limit if cap is None else max(min(limit, cap - served), 0)
    entries = list(walk(cursor.position if cursor else None, size + 1))
    more = len(entries) > size
    entries = entries[:size]
    cut = cap is not None and more and served + len(entries) >= cap
    next_cursor = None
    if more and entries and not cut:
        depth = served + len(entries) if cap is not None else 0
        place = Cursor(query.operation, query.order, query.fingerprint, depth, entries[-1].position)
        next_cursor = encode(place)
    return Page([entry.row_id for entry in entries], next_cursor, cut)


def check_cursor(query: Query, cursor: Cursor | None) -> None:
    """Refuse a cursor of another operation, order or set of filters: error ``cursor_mismatch`` on ``cursor``."""
    if cursor is None:
        return
    if (cursor.operation, cursor.order, cursor.fingerprint) != (
        query.operation,
        query.order,
        query.fingerprint,
    ):
        detail = (
            "This cursor belongs to another query. Repeat the filters and the sortBy of the request that gave it; "
            "only limit and includeLastTransfer may change between pages."
        )
        raise ValidationError({"cursor": [detail]}, code="cursor_mismatch")
