"""OpenSea's API v2 as it lives: a book that changes while it is walked, limits, faults, pages that overlap.

What it answers is what the OpenAPI document of the npm package ``@opensea/api-types`` says, unless it was given lies to
tell: see ``described`` and ``lies`` beside this.
"""

from __future__ import annotations

import base64
import collections
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from core.addresses import ZERO_ADDRESS
from tests.net.played import Answer
from tests.orders.stand_in import StandIn

Listing = dict[str, Any]
BUSY = Answer(b"", 503)
MOST_ON_A_PAGE = 200
WINDOW = 3600
"""Seconds until a limit begins anew."""


class Vendor(StandIn):
    """Lists what was ``put``, the newest first: the active orders that are for everybody.

    A cursor names the last order of its page, so that what comes or goes meanwhile moves nothing. ``moods`` come before
    any other answer, one a request; ``turn`` is called after each page that was listed, as the world turns meanwhile.
    """

    def __init__(
        self, slugs: dict[str, str], *, most: int | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        """``slugs``: the collection of each contract. ``most``: requests an hour, by a clock in Unix seconds."""
        super().__init__(**{slug: [] for slug in slugs.values()})
        self.slugs = dict(slugs)
        self.per_page = MOST_ON_A_PAGE
        self.overlaps = 0
        """Orders of a page that the next one shows again."""
        self.moods: collections.deque[Answer] = collections.deque()
        self.turn: Callable[[], None] = lambda: None
        self.refused = 0
        """Requests that were too many."""
        self.exchanges: list[tuple[str, Answer]] = []
        """What was asked, and what was answered."""
        self._most, self._clock = most, clock
        self._left, self._resets_at = most or 0, clock() + WINDOW
        self._places: dict[str, tuple[str, int]] = {}

    def put(self, slug: str, *listings: Listing) -> None:
        """List orders in a collection; one that is known by its hash is shown as it is given now, where it was."""
        for one in listings:
            of = self.listings[slug]
            _, place = self._places.setdefault(str(one.get("order_hash")), (slug, len(of)))
            of[place : place + 1] = [one]

    def say(self, order_hash: str, **changes: Any) -> None:
        """Say something else of an order that is listed: another ``status``, say."""
        slug, place = self._places[order_hash]
        self.listings[slug][place] = self.listings[slug][place] | changes

    def withdraw(self, order_hash: str) -> None:
        """Show an order no more, as after its maker has taken it back off the chain."""
        self.say(order_hash, status="CANCELLED")

    def limited(self, seconds: int) -> Answer:
        """What is answered to one request too many."""
        return Answer({"errors": ["Too many requests"]}, 429, {"Retry-After": str(seconds)})

    def answer(self, address: str) -> Answer:
        """What goes back to a request with a key: also what is left of the limit."""
        if self._most is not None and not self._is_allowed():
            self.refused += 1
            found = self.limited(max(int(self._resets_at - self._clock()) + 1, 1))
        else:
            found = self.moods.popleft() if self.moods else super().answer(address)
        if found.status == 200 and "/listings/" in urlsplit(address).path:
            self.turn()
        if self._most is not None:
            found = replace(found, headers=found.headers | self._told())
        self.exchanges.append((address, found))
        return found

    def listed(self, slug: str, query: dict[str, str]) -> Answer:
        """A page of a collection's listings."""
        private = query.get("include_private_listings") == "true"
        shown = [
            (place, one)
            for place, one in enumerate(self.listings[slug])
            if not isinstance(one, dict)
            or (one.get("status", "ACTIVE") == "ACTIVE" and (private or not is_private(one)))
        ]
        return self._newest("listings", shown, query)

    def happened(self, slug: str, query: dict[str, str]) -> Answer:
        """A page of what was listed in a collection since a moment."""
        after = int(query.get("after", 0))
        events = [
            (place, event(one))
            for place, one in enumerate(self.listings[slug])
            if isinstance(one, dict) and one.get("order_created_at", 0) >= after
        ]
        return self._newest("asset_events", events, query)

    def _newest(self, name: str, of: list[tuple[int, Any]], query: dict[str, str]) -> Answer:
        cursor, limit = query.get("next"), query.get("limit", "20")
        before = None if cursor is None else _place(cursor)
        if (cursor is not None and before is None) or not (
            limit.isdecimal() and 0 < int(limit) <= MOST_ON_A_PAGE
        ):
            return Answer({"errors": ["Invalid cursor or limit"]}, 400)
        size = min(int(limit), self.per_page)
        rest = [(place, one) for place, one in reversed(of) if before is None or place < before]
        page = rest[:size]
        more = {}
        if len(rest) > size:
            more = {"next": _cursor(page[-1 - min(self.overlaps, size - 1)][0])}
        return Answer({name: [one for _, one in page]} | more)

    def _is_allowed(self) -> bool:
        if self._clock() >= self._resets_at:
            self._left, self._resets_at = self._most or 0, self._clock() + WINDOW
        self._left -= 1
        return self._left >= 0

    def _told(self) -> dict[str, str]:
        told = {"Limit": self._most, "Remaining": max(self._left, 0), "Reset": int(self._resets_at) + 1}
        return {f"X-RateLimit-{name}": str(value) for name, value in told.items()}


def is_private(listing: Listing) -> bool:
    """Whether an order asks for the NFT that it offers, for somebody."""
    data = listing.get("protocol_data")
    parameters = data.get("parameters") if isinstance(data, dict) else None
    wants = parameters.get("consideration") if isinstance(parameters, dict) else None
    return isinstance(wants, list) and any(
        isinstance(one, dict) and one.get("itemType") in (2, 3) for one in wants
    )


def event(listing: Listing) -> dict[str, Any]:
    """What the Events API says of a listing."""
    order = listing["protocol_data"]["parameters"]
    price = listing["price"]["current"]
    return {
        "event_type": "order",
        "order_type": "listing",
        "event_timestamp": listing.get("order_created_at", 0),
        "order_hash": listing["order_hash"],
        "protocol_address": listing["protocol_address"],
        "chain": listing["chain"],
        "payment": {
            "quantity": price["value"],
            "token_address": ZERO_ADDRESS,
            "decimals": price["decimals"],
            "symbol": price["currency"],
        },
        "start_date": int(order["startTime"]),
        "expiration_date": int(order["endTime"]),
        "quantity": listing["remaining_quantity"],
        "maker": order["offerer"],
        "taker": "",
        "is_private_listing": is_private(listing),
    }


def _cursor(place: int) -> str:
    return base64.urlsafe_b64encode(f"-pk={place}".encode()).decode().rstrip("=")


def _place(cursor: str) -> int | None:
    """Return the place that a cursor names; ``None`` for one that is none."""
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        return None
    return int(text[4:]) if text.startswith("-pk=") and text[4:].isdecimal() else None
