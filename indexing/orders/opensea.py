"""What OpenSea's API v2 and its stream say of orders: listings, older orders, and events of a listing, as asks.

Specified by the OpenAPI document of the npm package ``@opensea/api-types`` (0.12.0). Its own price may hold a fee that
is in no order, and stands for all units that are left: it is compared, not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexing.orders.seaport import Book, RefusedOrderError, Shown, base_units, shown

CHAINS = {"matic": "polygon", "ape_chain": "apechain"}
"""What OpenSea calls chains, or called them, that are named otherwise here."""
_ENVELOPES = 4
_OVER = ("cancelled", "finalized", "marked_invalid")


def listing(payload: Any, book: Book, now: int) -> Shown:
    """Read a listing of the book, an order of ``GET /orders``, or what the stream says of one.

    Raises :class:`RefusedOrderError`.
    """
    if not isinstance(payload, Mapping):
        raise RefusedOrderError("is no object")
    chain = _chain(payload)
    if chain is not None and chain != book.chain:
        raise RefusedOrderError(f"is of another chain than {book.chain}")
    if "svm_order" in payload:
        raise RefusedOrderError("is settled by a Solana program")
    data = payload.get("protocol_data")
    left = payload.get("remaining_quantity", payload.get("quantity"))
    found = shown(
        data.get("parameters") if isinstance(data, Mapping) else None,
        exchange=payload.get("protocol_address"),
        stated_hash=payload.get("order_hash"),
        left=left,
        is_offered=_is_offered(payload),
        book=book,
        now=now,
    )
    return found._replace(stated=_stated_price(payload))


def _stated_price(payload: Mapping[str, Any]) -> int | None:
    price = payload.get("price")
    current = price.get("current") if isinstance(price, Mapping) else None
    told = current.get("value") if isinstance(current, Mapping) else None
    return base_units(payload.get("current_price", payload.get("base_price")) if told is None else told)


def unwrapped(frame: Any) -> tuple[str | None, Any]:
    """Return the event's name and the payload of a frame of the stream, out of whatever envelopes it is in.

    These are Phoenix's of version 2 (an array) and 1 (an object), and OpenSea's own around the payload. The name is
    ``None`` where only the payload was given.
    """
    name = None
    for _ in range(_ENVELOPES):
        if isinstance(frame, list) and len(frame) == 5:
            name, frame = frame[3], frame[4]
        elif isinstance(frame, Mapping) and "payload" in frame:
            name, frame = frame.get("event_type", frame.get("event")), frame["payload"]
        else:
            break
    return name if isinstance(name, str) else None, frame


def _chain(payload: Mapping[str, Any]) -> str | None:
    """Return the chain that a payload names, as it is called here."""
    item = payload.get("item")
    for told in (payload.get("chain"), item.get("chain") if isinstance(item, Mapping) else None):
        name = told.get("name") if isinstance(told, Mapping) else told
        if name is not None:
            return CHAINS.get(name, name) if isinstance(name, str) else ""
    return None


def _is_offered(payload: Mapping[str, Any]) -> bool:
    status = payload.get("status")
    if status is not None:
        return bool(status == "ACTIVE")
    return not any(payload.get(name) is True for name in _OVER)
