"""Clients that read at a steady pace through the proxy, and what they were answered in each part of the run."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from typing import Any

from tests.deploying.site import HOST, Site

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"


class Seen:
    """Answers by part of the run: how many of each status, and milliseconds. ``part`` is the one that goes on."""

    def __init__(self) -> None:
        self.part = "start"
        self.answers: dict[str, Counter[str]] = defaultdict(Counter)
        self.times: dict[str, list[float]] = defaultdict(list)
        self._lock = threading.Lock()

    def note(self, part: str, answer: str, seconds: float) -> None:
        """Count an answer to a request that was sent in a part."""
        with self._lock:
            self.answers[part][answer] += 1
            self.times[part].append(seconds * 1000)


class Reader:
    """Walks lists page by page on a connection that is kept, as a client does, or asks anew."""

    def __init__(self, site: Site, number: int, contracts: Sequence[str], seen: Seen) -> None:
        self._site, self._seen = site, seen
        self._source = f"127.0.1.{number + 1}"
        self._chance = random.Random(number)
        self._contracts = contracts
        self._cursor = ""
        self._address = ""
        self._stack = ExitStack()
        self._connection: HTTPConnection | None = None

    def ask(self) -> None:
        """Ask for one page."""
        if not self._cursor:
            self._address = self._any()
        part, begun = self._seen.part, time.perf_counter()
        self._seen.note(part, self._answer(), time.perf_counter() - begun)

    def close(self) -> None:
        """Close what is open."""
        self._stack.close()
        self._connection = None

    def _answer(self) -> str:
        try:
            if self._connection is None:
                self._connection = self._stack.enter_context(self._site.connected(self._source))
            follow = f"&cursor={self._cursor}" if self._cursor else ""
            self._cursor = ""
            self._connection.request("GET", self._address + follow, headers={"Host": HOST})
            response = self._connection.getresponse()
            body: dict[str, Any] = json.loads(response.read() or b"{}")
            if self._connection.sock is None:  # nginx closes one after a thousand requests
                self.close()
            if response.status == 200 and self._chance.random() < 0.9:
                self._cursor = body.get("nextCursor", "")
            return str(response.status)
        except (OSError, HTTPException, ValueError) as fault:
            self.close()
            self._stack = ExitStack()
            return type(fault).__name__

    def _any(self) -> str:
        contract = self._chance.choice(self._contracts)
        order = self._chance.choice(["", "tokenId", "tokenId-desc", "rarity", "lowestAsk"])
        choices = (
            f"{NFTS}?contractAddress={contract}&sortBy={order}&limit=30",
            f"{NFTS}?contractAddress={contract}&traits=Hue-{self._chance.randrange(8)}&limit=30",
            f"{NFTS}?chain=ethereum&sortBy={order}&limit=30&includeLastTransfer=true",
            f"{NFTS}?priceFilter=eth,0.1,2&limit=30",
            f"{TRANSFERS}?contractAddress={contract}&limit=30",
        )
        return self._chance.choice(choices)


@contextmanager
def reading(make: Callable[[int], Reader], number: int, per_second: float) -> Iterator[None]:
    """So many readers that together ask so often; 0: as fast as they are answered."""
    stop = threading.Event()

    def work(reader: Reader) -> None:
        due = time.monotonic()
        while not stop.is_set():
            reader.ask()
            if per_second:
                due = max(due + number / per_second, time.monotonic() - 1)
                stop.wait(max(due - time.monotonic(), 0))
        reader.close()

    threads = [threading.Thread(target=work, args=(make(n),)) for n in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
