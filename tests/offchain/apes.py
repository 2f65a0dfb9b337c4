"""Apes that were minted and whose metadata a worker reads, with their contract and their documents in memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from core.db.keys import uint_key
from core.db.writing import writing
from core.net.http.fetch import Fetched, FetchError, FetchKind
from core.net.rpc.jsonrpc import Node
from tests.builders import APES, Line, contract, load_lines, transfer
from tests.offchain.played_contracts import TOKEN_URI, PlayedContracts, text
from tokens.metadata.worker import Scope, Worker
from tokens.models import MetadataFetch, Nft
from tokens.store import fetches

BASE = "https://meta.example/"
JSON = "application/json"
GOLD = {"name": "Ape", "attributes": [{"trait_type": "Fur", "value": "Gold"}], "image": "ipfs://bad"}


class Pages:
    """Documents by URI; a `FetchError` is raised, anything else but bytes is JSON. `asked` are the URIs seen."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.asked: list[str] = []
        self.before: Callable[[str], object] = lambda uri: None

    def fetch(self, uri: str) -> Fetched:
        self.asked.append(uri)
        self.before(uri)
        document = self.found.get(uri, FetchError("HTTP 404", FetchKind.MISSING))
        if isinstance(document, Exception):
            raise document
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return Fetched(uri, body, JSON)


class World:
    """Apes 1, 2, … that were minted and have no metadata yet, their contract, the documents, and a worker."""

    def __init__(self, contracts: PlayedContracts) -> None:
        self.contracts, self.pages = contracts, Pages()
        self.nodes: dict[str, Node] = {"ethereum": contracts.reader()}
        contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(f"{BASE}{token_id}"))

    def mint(self, count: int = 1, *more: Line) -> None:
        load_lines([contract(), *(transfer(str(one), log=one) for one in range(1, count + 1)), *more])

    def step(self, scope: Scope | None = None, **options: Any) -> bool:
        with Worker(self.nodes, self.pages, scope, **options) as worker:  # type: ignore[arg-type]
            return worker.step()

    def run(self) -> None:
        while self.step():
            pass


def row(token: int = 1) -> MetadataFetch:
    return MetadataFetch.objects.get(nft__token_key=uint_key(token))


def ape(token: int = 1) -> Nft:
    return Nft.objects.get(token_key=uint_key(token))


def again(token: int = 1, *, by_hand: bool = False) -> None:
    with writing():
        fetches.request([ape(token).pk], timezone.now(), by_hand=by_hand)


def wait(token: int = 1) -> timedelta:
    """How long after the attempt the next one is due."""
    found = row(token)
    assert found.next_attempt_at is not None
    assert found.tried_at is not None
    return found.next_attempt_at - found.tried_at
