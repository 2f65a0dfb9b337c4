"""Orders in the shape of Reservoir's ``/orders/asks/v5``, which self-hosted indexers and files still have.

Only orders of Seaport are taken, with their ``rawData``: of others nothing can be computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexing.orders.seaport import Book, RefusedOrderError, Shown, base_units, shown

_EXCHANGES = {
    "seaport": "0x00000000006c3852cbef3e08e8df289169ede581",
    "seaport-v1.4": "0x00000000000001ad428e4906ae43d8f9852d0dd6",
    "seaport-v1.5": "0x00000000000000adc04c56bf30ac9d3c0aaf14dc",
    "seaport-v1.6": "0x0000000000000068f116a894984e2db1123eb395",
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
