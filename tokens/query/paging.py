"""From the validated parameters of either operation to a page of row ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from core.chains import EVM
from core.rest.cursors import Position
from core.rest.freshness import Subject
from core.rest.pagination import DEPTH_CAP, Entry, Page, Query, paginate
from tokens.query.filters import OperationFilterSet, Options
from tokens.query.ordering import ORDERS, Order
from tokens.query.selection import Selection


class OrderedWalk(Protocol):
    """A walk over what matches a selection, in an order."""

    selection: Selection
    order: Order

    def __call__(self, start: Position | None, size: int, /) -> Sequence[Entry]:
        """Read at most ``size`` entries behind ``start``."""


W = TypeVar("W", bound=OrderedWalk)


def walk_of(kind: Callable[[Selection, Order, int], W], filterset: OperationFilterSet, now: int) -> W:
    """Return the walk that a query asks for, at a moment (Unix seconds).

    Raises ``ValidationError`` with every fault of the query.
    """
    return kind(filterset.selection(), ORDERS[filterset.options.sort], now)


def subject_of(selection: Selection) -> Subject:
    """Return the chain and contract that a query is about. Only EVM chains are indexed from a node."""
    if selection.contract is None:
        return Subject(selection.chain)
    if selection.contract.kind != EVM or selection.contract.address is None:
        return Subject()
    return Subject(selection.chain, selection.contract.address)


def page_of(operation: str, walk: OrderedWalk, options: Options) -> Page:
    """Return the page that a query asks for; ``operation`` is the name that its cursors are bound to.

    Raises ``ValidationError`` when the cursor is of another query.
    """
    query = Query(operation, walk.order.name, walk.selection.fingerprint())
    return paginate(walk, query, options.cursor, options.limit, cap=DEPTH_CAP if walk.order.asks else None)
