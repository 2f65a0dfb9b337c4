"""What OpenSea's API v2 and its stream say of orders: listings, older orders, and events of a listing, as asks.

Specified by the OpenAPI document of the npm package ``@opensea/api-types`` (0.12.0). Its own price may hold a fee that
is in no order, and stands for all units that are left: it is compared, not taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core import values
from core.addresses import is_evm_address
from indexing.orders.seaport import TOO_DEAR, Book, RefusedOrderError, Shown, base_units, member, shown
from tokens.models.ask import FOREVER
from tokens.store.facts import AskFacts
from transfers.ledger.order_asks import whole

CHAINS = {"matic": "polygon", "ape_chain": "apechain"}
"""What OpenSea calls chains, or called them, that are named otherwise here."""
_ENVELOPES = 4
_OVER = ("cancelled", "finalized", "marked_invalid")
_SOLANA = "solana"
_LISTINGS = ("listing", "item_listed")
_NEWS = (*_LISTINGS, "cancel", "item_cancelled", "order_invalidate", "order_revalidate")
_HASH = re.compile(r"0x[0-9a-fA-F]{64}", re.ASCII)


def listing(payload: Any, book: Book, now: int) -> Shown:
    """Read a listing of the book, an order of ``GET /orders``, or what the stream says of one.

    Raises :class:`RefusedOrderError`.
    """
    if not isinstance(payload, Mapping):
        raise RefusedOrderError("is no object")
    chain = _chain(payload)
    if chain is not None and chain != book.chain:
        raise RefusedOrderError(f"is of another chain than {book.chain}")
    if payload.get("svm_order") is not None:
        return _on_solana(payload, payload["svm_order"], book, now)
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


def _on_solana(payload: Mapping[str, Any], order: Any, book: Book, now: int) -> Shown:
    """Read a listing that a Solana program settles: by its mint, the rest being OpenSea's word.

    Nothing of it can be computed but that its id is made of its parts. It says no end, no taker, and nobody to approve.
    """
    if book.chain != _SOLANA:
        raise RefusedOrderError("is settled by a Solana program")
    if not isinstance(order, Mapping):
        raise RefusedOrderError("has an `svm_order` that is no object")
    signature = member(order, "creation_signature", values.mint_signature)
    name = f"{signature}:{member(order, 'order_state', values.mint_account)}"
    if order.get("id") != name:
        raise RefusedOrderError("has not the id that its parts make")
    key = member(order, "asset_id", values.mint_token)
    units = member(payload, "remaining_quantity", values.uint256)
    made_at = payload.get("order_created_at")
    price = payload.get("price")
    current = price.get("current") if isinstance(price, Mapping) else None
    told = current if isinstance(current, Mapping) else {}
    total = base_units(told.get("value"))
    known = [
        one
        for one in book.currencies.values()
        if (one.symbol, one.decimals) == (told.get("currency"), told.get("decimals"))
    ]
    if not known:
        raise RefusedOrderError("is priced in what is no known currency")
    if not total or not units or total % units or whole(total, known[0], units) >= TOO_DEAR:
        raise RefusedOrderError("has no price that an ask can hold")
    facts = AskFacts(
        book.chain,
        book.source,
        name,
        token_key=key,
        identity=(book.chain, key),
        currency=known[0].symbol,
        price=whole(total, known[0], units),
        amount=units,
        maker=member(order, "maker", values.mint_account),
        valid_from=0 if made_at is None else member(payload, "order_created_at", values.seconds),
        valid_until=FOREVER,
        status="open",
        # Whom its program moves the NFT by, and whether its maker called it off, no log that is read tells.
        wakes=False,
        source=book.source,
        seen_at=now,
        gone_at=None if _is_offered(payload) else now,
        offered=units,
    )
    return Shown(facts, total, total)


def concerned(event: str | None, payload: Any) -> tuple[str, str] | None:
    """Return the order that an event says something new of, by its hash and its exchange, to be asked for.

    Events are those of the stream and of the Events API, ``None`` being a listing of the latter. What was sold or
    moved the chain tells, and bids are no asks. Without a whole hash, or without the exchange, nothing can be asked.
    """
    if not isinstance(payload, Mapping):
        return None
    order_hash, exchange = payload.get("order_hash"), payload.get("protocol_address")
    if not isinstance(order_hash, str) or not _HASH.fullmatch(order_hash):
        return None
    if _kind(event, payload) not in _NEWS or not isinstance(exchange, str) or not is_evm_address(exchange):
        return None
    return order_hash.lower(), exchange.lower()


def is_listing(event: str | None, payload: Mapping[str, Any]) -> bool:
    """Tell whether an event says no more of an order than that it was made."""
    return _kind(event, payload) in _LISTINGS


def _kind(event: str | None, payload: Mapping[str, Any]) -> Any:
    return payload.get("order_type", "listing") if event == "order" else "listing" if event is None else event


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
