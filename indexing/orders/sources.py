"""Where order books are read: one class a source, each by the same few questions.

A further source is one more class with a reader for its orders, and a name in the command.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from indexing.orders import opensea, reservoir
from indexing.orders.asking import Asker, Limit, SourceError
from indexing.orders.seaport import Book, Shown

ON_A_PAGE = 200
"""Orders asked for at once: OpenSea's most."""
LARGEST_FILE = 512 << 20
MOST_CHANGES = 500
"""Pages of changes that are read at once; who is further behind walks."""
_SLUG = 200
_WITHOUT_HASHES = "solana"
"""Where orders cannot be asked for by themselves."""
_CURSOR = 4_000


class Page(NamedTuple):
    """Orders as the source has them, and the cursor of the next page; ``None``: this one is the last."""

    orders: list[Any]
    cursor: str | None


class Named(NamedTuple):
    """An order by its hash and what fills it."""

    order_hash: str
    exchange: str
    is_listing: bool = True
    """Whether no more is said of it than that it was made: then there is nothing new to one that is known."""


class Source(Protocol):
    """An order book of one chain."""

    name: str
    """What asks of it have as their source."""
    is_complete: bool
    """Whether a walk to the end shows every order that it offers of a contract, so that others are gone."""
    has_changes: bool
    """Whether :meth:`changes` tells what was listed since."""
    limit: Limit
    """What it last said of its limits."""

    def collections(self, contract: str) -> list[str]:
        """Return what is to be walked to have seen a contract, each by a name of the source's own."""

    def page(self, collection: str, cursor: str | None) -> Page:
        """Return a page of what is to be walked; it may hold orders of other contracts. Raises ``SourceError``."""

    def read(self, order: Any, book: Book, now: int) -> Shown:
        """Read an order of a page, or of :meth:`one`. Raises ``RefusedOrderError``."""

    def changes(self, collection: str, since: int) -> Iterator[Named]:
        """Yield orders that were made since a moment in Unix seconds, newest first. Raises ``SourceError``."""

    def one(self, named: Named) -> Any | None:
        """Return an order; ``None`` where the source knows none of the hash. Raises ``SourceError``."""


class OpenSea:
    """OpenSea's API v2 below its address, by the key that ``asker`` sends along."""

    name = "opensea"
    is_complete = True

    def __init__(self, asker: Asker, chain: str) -> None:
        self._asker = asker
        self.limit = asker.limit
        self.has_changes = chain != _WITHOUT_HASHES
        self._chain = {here: theirs for theirs, here in opensea.CHAINS.items() if theirs != "matic"}.get(
            chain, chain
        )

    def collections(self, contract: str) -> list[str]:
        """Return the slug that OpenSea names for a contract; one with several has the others by the operator."""
        document = self._asker.get(f"/api/v2/chain/{self._chain}/contract/{contract}")
        slug = document.get("collection") if isinstance(document, dict) else None
        if not isinstance(slug, str) or not 0 < len(slug) <= _SLUG:
            raise SourceError(f"{self.name} names no collection of {contract}")
        return [slug]

    def page(self, collection: str, cursor: str | None) -> Page:
        """Return a page of a collection's listings."""
        query = {"limit": str(ON_A_PAGE)} | ({} if cursor is None else {"next": cursor})
        document = self._asker.get(f"/api/v2/listings/collection/{quote(collection, safe='')}/all", query)
        return _page(document, "listings", "next", self.name)

    def read(self, order: Any, book: Book, now: int) -> Shown:
        return opensea.listing(order, book, now)

    def changes(self, collection: str, since: int) -> Iterator[Named]:
        """Yield what the Events API says was listed, or otherwise changed."""
        cursor: str | None = None
        for _ in range(MOST_CHANGES):
            query = {"event_type": "listing", "after": str(since), "limit": str(ON_A_PAGE)}
            query |= {} if cursor is None else {"next": cursor}
            document = self._asker.get(f"/api/v2/events/collection/{quote(collection, safe='')}", query)
            events, cursor = _page(document, "asset_events", "next", self.name)
            for event in events:
                kind = event.get("event_type") if isinstance(event, dict) else None
                found = opensea.concerned(kind, event)
                if found is not None:
                    yield Named(*found, opensea.is_listing(kind, event))
            if cursor is None:
                return
        raise SourceError(f"{self.name}: more changes than are read at once")

    def one(self, named: Named) -> Any | None:
        """Return the order of a hash."""
        at = "/".join(quote(one, safe="") for one in (named.exchange, named.order_hash))
        try:
            document = self._asker.get(f"/api/v2/orders/chain/{self._chain}/protocol/{at}")
        except SourceError as fault:
            if fault.status in (400, 404):
                return None
            raise
        return document.get("order") if isinstance(document, dict) else None


class _OfReservoir:
    """The shape of Reservoir's ``/orders/asks/v5``, which has no events; contracts are asked for by their addresses."""

    name = "reservoir"
    has_changes = False

    def collections(self, contract: str) -> list[str]:
        return [contract]

    def read(self, order: Any, book: Book, now: int) -> Shown:
        return reservoir.order(order, book, now)

    def changes(self, collection: str, since: int) -> Iterator[Named]:
        return iter(())


class Reservoir(_OfReservoir):
    """An indexer that still serves it; changes are found by walking."""

    is_complete = True

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self.limit = asker.limit

    def page(self, collection: str, cursor: str | None) -> Page:
        """Return a page of a contract's asks."""
        query = {"contracts": collection, "status": "active", "includeRawData": "true", "limit": "1000"}
        query |= {} if cursor is None else {"continuation": cursor}
        return _page(self._asker.get("/orders/asks/v5", query), "orders", "continuation", self.name)

    def one(self, named: Named) -> Any | None:
        """Return the ask of a hash."""
        query = {"ids": named.order_hash, "includeRawData": "true"}
        found = _page(self._asker.get("/orders/asks/v5", query), "orders", "continuation", self.name).orders
        return found[0] if found else None


class ReservoirFile(_OfReservoir):
    """A file that holds such an answer, or one a line, walked whole each time. What is not in it is not gone."""

    is_complete = False

    def __init__(self, path: Path) -> None:
        """Read the file. Raises :class:`SourceError`."""
        self.limit = Limit()
        self._orders: list[Any] = []
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise SourceError(f"{path} has more than {LARGEST_FILE:,} bytes")
            text = path.read_text(encoding="utf-8")
            for document in _documents(text):
                self._orders += _page(document, "orders", "continuation", str(path)).orders
        except OSError as fault:
            raise SourceError(f"Cannot read {path}: {fault.strerror}") from None
        except (ValueError, RecursionError):
            raise SourceError(f"{path} is no JSON") from None

    def page(self, collection: str, cursor: str | None) -> Page:
        """Return the next orders of the file."""
        begin = int(cursor) if cursor is not None and cursor.isdecimal() else 0
        end = begin + ON_A_PAGE
        return Page(self._orders[begin:end], str(end) if end < len(self._orders) else None)

    def one(self, named: Named) -> Any | None:
        """Return the ask of a hash."""
        return next((one for one in self._orders if isinstance(one, dict) and _is(one, named)), None)


def _is(order: dict[str, Any], named: Named) -> bool:
    return order.get("id") == named.order_hash


def _documents(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text)
    except ValueError:
        yield from (json.loads(line) for line in text.splitlines() if line.strip())


def _page(document: Any, orders: str, cursor: str, name: str) -> Page:
    """Return a page out of an answer, whose members are named so. Raises :class:`SourceError`."""
    listed = document.get(orders) if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise SourceError(f"{name}: the answer has no list of `{orders}`")
    told = document.get(cursor)
    if told is not None and not (isinstance(told, str) and len(told) <= _CURSOR):
        raise SourceError(f"{name}: the answer has no usable `{cursor}`")
    return Page(listed, told or None)
