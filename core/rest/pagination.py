"""Pages of a keyset walk: one item more than the limit is read, so that a cursor exists only when something follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.response import Response

from core.rest.cursors import FOREIGN, Cursor, Position, encode

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


class KeysetPagination(BasePagination):
    """A page of a query object, and its ``nextCursor``.

    The query object has ``order``, ``now``, ``cursor``, ``limit``, ``cap`` (items that its walk reaches; ``None``: all)
    and ``fingerprint()``. Subclasses name the operation that cursors are bound to, what its items are called, and the
    walk over what matches a query, in an order and at a moment.
    """

    operation: str
    items: str
    walk_class: Callable[[Any, Any, int], Walk]
    walk: Any

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        """Return the row ids of the page.

        Raises ``ValidationError`` where the walk refuses the query, and (``cursor_mismatch``) when the cursor came from
        another query.
        """
        self.walk = self.walk_class(queryset, queryset.order, queryset.now)
        query = self.operation, queryset.order.name, queryset.fingerprint()
        cursor, cap = queryset.cursor, queryset.cap
        _check(cursor, query)
        served = cursor.served if cursor and cap is not None else 0
        size = queryset.limit if cap is None else max(min(queryset.limit, cap - served), 0)
        entries = list(self.walk(cursor.position if cursor else None, size + 1))
        more = len(entries) > size
        entries = entries[:size]
        self.is_cut = cap is not None and more and served + len(entries) >= cap
        self.next_cursor = None
        if more and entries and not self.is_cut:
            depth = served + len(entries) if cap is not None else 0
            self.next_cursor = encode(Cursor(*query, depth, entries[-1].position))
        return [entry.row_id for entry in entries]

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page of these records as the answer."""
        body = {"data": data}
        if self.next_cursor is not None:
            body["nextCursor"] = self.next_cursor
        return Response(body, headers={"X-Result-Limit": str(DEPTH_CAP)} if self.is_cut else None)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON Schema of a page, by that of its list of records."""
        description = f"{self.items[0].upper()}{self.items[1:]}, in the order asked for."
        next_cursor = "Pass as `cursor` to get the next page; absent on the last one."
        return {
            "type": "object",
            "description": f"One page of {self.items}.",
            "properties": {
                "data": {**schema, "description": description, "maxItems": MAX_LIMIT},
                "nextCursor": {"type": "string", "description": next_cursor},
            },
            "required": ["data"],
        }


def _check(cursor: Cursor | None, query: tuple[str, str, str]) -> None:
    """Refuse a cursor of another operation, order or set of filters: error ``cursor_mismatch`` on ``cursor``."""
    if cursor is not None and (cursor.operation, cursor.order, cursor.fingerprint) != query:
        raise ValidationError({"cursor": [FOREIGN]}, code="cursor_mismatch")
