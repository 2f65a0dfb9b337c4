"""What earlier transactions said of listings that sales name by a number alone: the currency, the seller, the bids."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from indexing.node.logs import RawLog
from transfers.ledger.order_facts import OrderEvent, OrderKind

KINDS = (OrderKind.LISTING, OrderKind.BID)
"""Events of orders that are remembered for sales."""


class Bid(NamedTuple):
    """What somebody bid, in base units of the listing's currency."""

    bidder: str
    amount: int


class Listing(NamedTuple):
    """A listing as it stood before a log."""

    seller: str | None
    """``None``: what was listed was in no custody, or who brought it there is not known."""
    currency: str
    bid: Bid | None
    """The last one."""


class Noted(NamedTuple):
    """A listing that was made, or a bid in it. ``who``: the seller, where known, or the bidder."""

    name: str
    block_number: int
    log_index: int
    is_bid: bool
    who: str | None
    currency: str | None
    amount: int | None


class Listings:
    """Listings and bids that were seen so far, by the exchange's own name, in the order of the chain.

    It holds all of a chain, since any may be sold at any time: only of exchanges whose sales cannot do without it.
    """

    def __init__(self, noted: Iterable[Noted] = ()) -> None:
        self._noted: dict[str, list[Noted]] = {}
        self.add(noted)

    def add(self, noted: Iterable[Noted]) -> None:
        """Take note of listings and bids; one that is known already is not doubled."""
        for one in noted:
            known = self._noted.setdefault(one.name, [])
            place = bisect_left(known, _place(one), key=_place)
            if place == len(known) or _place(known[place]) != _place(one):
                known.insert(place, one)

    def before(self, name: str, log: RawLog) -> Listing | None:
        """Return a listing as it stood before a log; ``None`` where its making was not seen."""
        known = self._noted.get(name, [])
        earlier = known[: bisect_left(known, (log.block_number, log.log_index), key=_place)]
        made = next((one for one in earlier if not one.is_bid), None)
        if made is None or made.currency is None:
            return None
        bids = [Bid(one.who, one.amount or 0) for one in earlier if one.is_bid and one.who is not None]
        return Listing(made.who, made.currency, bids[-1] if bids else None)


def noted(events: Iterable[tuple[int, OrderEvent]]) -> Iterator[Noted]:
    """Yield what events of orders say of listings, each with the number of its block."""
    for block, one in events:
        if one.kind in KINDS and one.order_hash is not None:
            is_bid = one.kind is OrderKind.BID
            yield Noted(one.order_hash, block, one.log_index, is_bid, one.maker, one.currency, one.price)


def numbered(exchange: str, number: int) -> str:
    """Return the name of a listing that its exchange knows by a number."""
    return f"{exchange}:{number}"


def names_in(logs: Sequence[RawLog]) -> set[str]:
    """Return all names of listings that logs may be of: a number stands in the first topic after the event's."""
    found = set()
    for log in logs:
        with suppress(IndexError, ValueError):
            found.add(numbered(log.address, int(log.topics[1], 16)))
    return found


def _place(one: Noted) -> tuple[int, int]:
    return one.block_number, one.log_index
