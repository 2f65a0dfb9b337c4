"""What pages for people cost: the buffers of all their statements, and milliseconds in process."""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nftsite.browse.places import collection_url, transfer_url
from tokens.models import Contract, Nft
from tokens.records.cards import nft_url
from transfers.figures.counting import count
from transfers.models import Transfer

MOST_BUFFERS, MOST_MS = 1_000, 50.0
"""What a page may cost, however much is stored."""


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """A page: its address, its queries, the 8 KiB pages that they touch, and its median and slowest milliseconds."""

    name: str
    queries: int
    buffers: int
    median: float
    slowest: float

    @property
    def is_over(self) -> bool:
        """Whether it costs more than a page may."""
        return self.buffers > MOST_BUFFERS or self.median > MOST_MS


def measure(repeats: int) -> tuple[float, list[PeoplePage]]:
    """Count the largest collection, then visit each kind of page (PostgreSQL).

    Returns the seconds of that count, and the pages. Raises ``RuntimeError`` for a page that fails.
    """
    first = Contract.objects.filter(address__gt="").order_by("-nft_count").select_related("chain")[0]
    began = time.perf_counter()
    count(first.pk, int(time.time()))
    took = time.perf_counter() - began
    return took, [_visit(name, address, repeats) for name, address in _addresses(first)]


def _addresses(first: Contract) -> Iterator[tuple[str, str]]:
    own = collection_url(first.chain.slug, first.address)
    yield "start page", "/"
    yield "start page, the second", f"/?after={first.nft_count}-{first.pk}"
    yield "search for a name", "/?q=bench+1"
    yield "the largest collection", own
    yield "its sales", f"{own}/sales"
    yield "its sales above a price that none has", f"{own}/sales?from=999999999"
    yield "its marked NFTs", f"{own}/marked"
    nft = Nft.objects.filter(contract=first).order_by("token_key")[7]
    yield "an NFT", nft_url(first.chain.slug, first.address, nft.token_id)
    row = Transfer.objects.filter(nft=nft).order_by("recent_key", "id").first()
    if row is not None:
        yield (
            "a transfer",
            transfer_url(first.chain.slug, row.transaction_hash, row.log_index, row.batch_index),
        )


def _visit(name: str, address: str, repeats: int) -> PeoplePage:
    client = Client(headers={"host": "localhost", "accept": "text/html"})
    with CaptureQueriesContext(connection) as queries:
        _get(client, address)
    statements = [one["sql"] for one in queries.captured_queries]
    asked = [re.sub(r"^BEGIN[^;]*; ", "", sql) for sql in statements]
    asked = [sql for sql in asked if sql.lstrip("( ").startswith(("SELECT", "WITH"))]
    taken = [_timed(client, address) for _ in range(repeats)]
    buffers = sum(map(_buffers, asked))
    return PeoplePage(name, len(asked), buffers, round(statistics.median(taken), 1), round(max(taken), 1))


def _buffers(sql: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + sql.replace("%", "%%"), None)
        ((document,),) = cursor.fetchall()
    plan = (json.loads(document) if isinstance(document, str) else document)[0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def _timed(client: Client, address: str) -> float:
    began = time.perf_counter()
    _get(client, address)
    return (time.perf_counter() - began) * 1000


def _get(client: Client, address: str) -> None:
    status = client.get(address).status_code
    if status != 200:
        raise RuntimeError(f"{address} answered {status}")


def lines(took: float, pages: list[PeoplePage]) -> Iterator[str]:
    """Yield a line a page, and one for the count."""
    yield f"{'page for people':<40} {'buffers':>8} {'median ms':>10} {'slowest':>8} {'SQL':>4}"
    for one in pages:
        over = f"  over {MOST_BUFFERS:,} buffers or {MOST_MS:.0f} ms" if one.is_over else ""
        yield f"{one.name:<40} {one.buffers:>8,} {one.median:>10.1f} {one.slowest:>8.1f} {one.queries:>4}{over}"
    yield f"Counting the figures of the largest collection takes {took:.1f} s."
