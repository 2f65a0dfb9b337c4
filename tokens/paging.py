"""From the validated parameters of either operation to a page of row ids."""

from __future__ import annotations

from collections.abc import Callable

from nftsite.rest.pagination import DEPTH_CAP, Page, Query, Walk, paginate
from tokens.filters import OperationFilterSet
from tokens.ordering import ORDERS, Order
from tokens.selection import Selection

WalkOf = Callable[[Selection, Order, int], Walk]
"""Makes the walk over what matches a selection, in an order, at a moment (Unix seconds)."""


def page_of(operation: str, walk_of: WalkOf, filterset: OperationFilterSet, now: int) -> Page:
    """Return the page that a query asks for; ``operation`` is the name that its cursors are bound to.

    Raises ``ValidationError`` with every fault of the query, or ``cursor_mismatch`` when it has no other.
    """
    selection, options = filterset.selection(), filterset.options
    order = ORDERS[options.sort]
    query = Query(operation, order.name, selection.fingerprint())
    cap = DEPTH_CAP if order.asks else None
    return paginate(walk_of(selection, order, now), query, options.cursor, options.limit, cap=cap)
