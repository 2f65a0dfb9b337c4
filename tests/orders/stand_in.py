"""A stand-in for OpenSea's API v2, and for an indexer in Reservoir's shape, over made-up orders, on loopback."""

from __future__ import annotations

import collections
import json
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.loopback import Loopback, Quiet
from tests.net.played import Answer
from tests.orders.made_up import APES

KEY = "very-secret-key-of-opensea"
_WITHOUT_KEY = {"errors": ["An API key is needed"]}


class StandIn(Loopback):
    """Serves ``listings`` by collection, ``per_page`` at once; ``script`` has answers that come before any other."""

    def __init__(self, **listings: list[dict[str, Any]]) -> None:
        self.listings = listings
        self.slugs = {APES: next(iter(listings), "")}
        self.events: list[dict[str, Any]] = []
        self.per_page = 2
        self.script: collections.deque[Answer] = collections.deque()
        self.asked: list[str] = []
        self.limit: dict[str, str] = {}
        """Headers of every answer."""
        self.is_repeating = False
        """Whether each page names itself as the next."""
        server = self

        class Handler(Quiet, BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                given = server.script.popleft() if server.script else None
                if given is None and self.headers.get("X-API-KEY") != KEY:
                    given = Answer(_WITHOUT_KEY, 401)
                made = given or server.answer(self.path)
                body = made.body if isinstance(made.body, bytes) else json.dumps(made.body).encode()
                self.send_response(made.status)
                for name, value in ({"Content-Length": str(len(body))} | server.limit | made.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        super().__init__(Handler)

    def answer(self, address: str) -> Answer:
        """What goes back to a request with a key."""
        parts = urlsplit(address)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match parts.path.split("/")[1:]:
            case ["api", "v2", "chain", _, "contract", contract] if contract in self.slugs:
                named = {"name": "Made up", "contract_standard": "erc721"}
                return Answer(
                    named | {"address": contract, "chain": "ethereum", "collection": self.slugs[contract]}
                )
            case ["api", "v2", "listings", "collection", slug, "all"] if slug in self.listings:
                return self.listed(slug, query)
            case ["api", "v2", "events", "collection", slug] if slug in self.listings:
                return self.happened(slug, query)
            case ["api", "v2", "orders", "chain", _, "protocol", _, order_hash]:
                orders = [one for some in self.listings.values() for one in some if isinstance(one, dict)]
                known = {one.get("order_hash"): one for one in reversed(orders)}
                return (
                    Answer({"order": known[order_hash]})
                    if order_hash in known
                    else Answer({"errors": ["Order not found"]}, 400)
                )
            case ["orders", "asks", "v5"]:
                return self._page("orders", "continuation", self.listings["asks"], query.get("continuation"))
        return Answer({"errors": ["Not found"]}, 404)

    def listed(self, slug: str, query: dict[str, str]) -> Answer:
        """A page of a collection's listings."""
        return self._page("listings", "next", self.listings[slug], query.get("next"))

    def happened(self, slug: str, query: dict[str, str]) -> Answer:
        """A page of a collection's events."""
        return self._page("asset_events", "next", self.events, query.get("next"))

    def _page(self, name: str, following: str, of: list[dict[str, Any]], cursor: str | None) -> Answer:
        begin = int(cursor or 0)
        end = begin + self.per_page
        more = {following: str(begin if self.is_repeating else end)} if end < len(of) else {}
        return Answer({name: of[begin:end]} | more)
