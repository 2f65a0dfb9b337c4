"""Orders in the shape of Reservoir's ``/orders/asks/v5``, which self-hosted indexers and files still have.

Only orders of Seaport are taken, with their ``rawData``: of others nothing can be computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexing.judge.markets.seaport import ADDRESSES
from indexing.orders.seaport import Book, RefusedOrderError, Shown, base_units, shown

_EXCHANGES = {"seaport": ADDRESSES["seaport-1.1"][0]} | {
    f"seaport-v{version}": ADDRESSES[f"seaport-{version}"][0] for version in ("1.4", "1.5", "1.6")
}
"""What fills an order of a kind."""
_OFFERED = ("active", "inactive")
"""One that is ``inactive`` waits for its maker's NFT or approval: of that the chain tells."""


def order(payload: Any, book: Book, now: int) -> Shown:
    """Read an ask. Raises :class:`RefusedOrderError`."""
    if not isinstance(payload, Mapping):
        raise RefusedOrderError("is no object")
    kind = payload.get("kind")
    if not isinstance(kind, str) or kind not in _EXCHANGES:
        raise RefusedOrderError("is of no kind of Seaport's")
    found = shown(
        payload.get("rawData"),
        exchange=_EXCHANGES[kind],
        stated_hash=payload.get("id"),
        left=payload.get("quantityRemaining"),
        is_offered=payload.get("status", _OFFERED[0]) in _OFFERED,
        book=book,
        now=now,
    )
    price = _stated_price(payload)
    return found._replace(stated=None if price is None else price * found.units)


def _stated_price(payload: Mapping[str, Any]) -> int | None:
    """Return what a unit costs by the source's own word."""
    found: Any = payload
    for name in ("price", "amount", "raw"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return base_units(found)
