"""What one query costs the database: its key statements explained, executed and timed, at three depths of its walk."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.utils import OperationalError
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.exceptions import ValidationError

from core.db.keys import NEVER
from core.rest.cursors import Cursor, Position, encode
from core.rest.pagination import DEPTH_CAP, MAX_LIMIT
from nftsite.bench.shapes import PATHS, Shape
from nftsite.bench.world.shape import ESCROW
from tokens.engine.postings import narrowed
from tokens.engine.postings import walk as walk_nfts
from tokens.engine.walk import NftWalk
from tokens.models import Contract, Nft, Owner
from tokens.query.filters import NftFilterSet, OperationFilterSet
from tokens.query.ordering import ORDERS
from tokens.query.selection import Query
from transfers.filters import TransferFilterSet
from transfers.models import Transfer
from transfers.walk import TransferWalk

PAGE = MAX_LIMIT + 1
DEEP = 20_000
"""Items before the deep page, where there are so many."""

TIME_LIMIT_MS = 60_000
KINDS: dict[str, tuple[type[OperationFilterSet], type[NftWalk | TransferWalk]]] = {
    "nfts": (NftFilterSet, NftWalk),
    "transfers": (TransferFilterSet, TransferWalk),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """One page of one query.

    ``buffers``: 8 KiB pages that the key statements touched; ``rows``: rows and index entries they read (PostgreSQL);
    ``ms``: the median of their execution, planning included; ``engine_ms``: the median with resolving names and
    building SQL; ``queries`` and ``page_ms``: of the whole request in process, records with last transfers included.
    """

    operation: str
    order: str
    filter: str
    page: str
    items: int
    queries: int
    buffers: int
    rows: int
    ms: float
    engine_ms: float
    page_ms: float
    over: str


def names() -> dict[str, str]:
    """Return the addresses and token ids that the shapes ask for."""
    by_name = dict(
        Contract.objects.filter(name__in=["Bench 1", "Bench 3", "Bench 15"]).values_list("name", "address")
    )
    minted = Nft.objects.filter(token_key__gte=NEVER, transferred=True).order_by("id")[0]
    holder = Owner.objects.filter(amount__gt=0, contract__name="Bench 1").exclude(address=ESCROW)[0]
    wide = Nft.objects.filter(token_key__range=("77", NEVER)).order_by("token_key")[:29]
    return {
        "largest": by_name["Bench 1"],
        "shared": by_name["Bench 3"],
        "unrated": by_name["Bench 15"],
        "mint": minted.token_id,
        "escrow": ESCROW,
        "holder": holder.address,
        "rare_ids": ",".join(nft.token_id for nft in wide),
    }


def costs(shape: Shape, places: dict[str, str], now: int, repeats: int) -> Iterator[Cost]:
    """Yield what the first, a deep and the last page of a query cost; nothing where it is refused as too expensive."""
    filter_set, kind = KINDS[shape.operation]
    query = shape.query(places)

    def start() -> NftWalk | TransferWalk:
        selected: Query = filter_set(query).qs
        return kind(selected, selected.order, now)

    try:
        walk = start()
    except ValidationError:
        return
    for page, position in _positions(walk, shape):
        try:
            keyed = _key_cost(start, position, repeats)
            whole = _page_cost(_address(shape, query, start(), position), repeats)
        except OperationalError as error:  # the time limit
            over = f"more than {TIME_LIMIT_MS / 1000:.0f} s: {str(error).strip()}"
            keyed, whole = _KeyCost(0, 0, 0, TIME_LIMIT_MS, TIME_LIMIT_MS), (0, float(TIME_LIMIT_MS))
        else:
            over = _over(shape, keyed)
        yield Cost(
            operation=shape.operation,
            order=shape.order or "(recent)",
            filter=shape.filter.name,
            page=page,
            items=min(keyed.items, MAX_LIMIT),
            queries=whole[0],
            buffers=keyed.buffers,
            rows=keyed.rows,
            ms=round(keyed.ms, 3),
            engine_ms=round(keyed.engine_ms, 3),
            page_ms=round(whole[1], 3),
            over=over,
        )


class _KeyCost(NamedTuple):
    """What it costs to find the ids of a page."""

    items: int
    buffers: int
    rows: int
    ms: float
    engine_ms: float


def _key_cost(
    start: Callable[[], NftWalk | TransferWalk], position: Position | None, repeats: int
) -> _KeyCost:
    with transaction.atomic():
        _limit_time()
        walk = start()
        with CaptureQueriesContext(connection) as queries:
            found = walk(position, PAGE)
        statements = [query["sql"] for query in queries.captured_queries]
        plans = list(map(explained, statements)) if connection.vendor == "postgresql" else []
        repeats = 3 if timed(lambda: _execute(statements)) > 300 else repeats
        times = [timed(lambda: _execute(statements)) for _ in range(repeats)]
        engine = [timed(lambda: start()(position, PAGE)) for _ in range(repeats)]
    buffers = sum(
        plan["Plan"][name] for plan in plans for name in ("Shared Hit Blocks", "Shared Read Blocks")
    )
    rows = sum(_rows(plan["Plan"]) for plan in plans)
    return _KeyCost(len(found), buffers, rows, statistics.median(times), statistics.median(engine))


def _page_cost(address: str, repeats: int) -> tuple[int, float]:
    """Return the SQL queries of a request, and its milliseconds in process (median). Raises when it is not answered."""
    client = Client(headers={"host": "localhost"})
    with CaptureQueriesContext(connection) as queries:
        status = client.get(address).status_code
    if status != 200:
        raise RuntimeError(f"{address} was answered with {status}.")
    asked = [query for query in queries.captured_queries if "SELECT" in query["sql"]]
    return len(asked), statistics.median(timed(lambda: client.get(address)) for _ in range(repeats))


def _address(shape: Shape, query: str, walk: NftWalk | TransferWalk, position: Position | None) -> str:
    """Return the path and query string of the page behind a position."""
    parts = [query, "includeLastTransfer=true" if shape.operation == "nfts" else ""]
    if position is not None:
        place = Cursor(shape.operation, walk.order.name, walk.selection.fingerprint(), 0, position)
        parts.append(f"cursor={encode(place)}")
    return f"{PATHS[shape.operation]}?{'&'.join(filter(None, parts))}"


def _over(shape: Shape, cost: _KeyCost) -> str:
    if connection.vendor != "postgresql":
        return f"{shape.bar.embedded_ms:g} ms" if cost.ms > shape.bar.embedded_ms else ""
    faults = []
    if shape.bar.buffers is not None and cost.buffers > shape.bar.buffers:
        faults.append(f"{shape.bar.buffers} buffers")
    if cost.ms > shape.bar.ms:
        faults.append(f"{shape.bar.ms:g} ms")
    return ", ".join(faults)


def _limit_time() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {TIME_LIMIT_MS}")


def _positions(walk: NftWalk | TransferWalk, shape: Shape) -> list[tuple[str, Position | None]]:
    """Return where the pages start: at the start, half way to the deepest that is looked at, shortly before the end."""
    positions: list[tuple[str, Position | None]] = [("first", None)]
    most = DEPTH_CAP if walk.order.asks else DEEP
    found = walk(None, most)
    if len(found) > 2 * PAGE:
        positions.append(("deep", found[len(found) // 2].position))
        if len(found) < most or walk.order.asks:
            positions.append(("last", found[-20].position))
        else:
            positions.append(("last", _last(walk, shape)))
    return positions


def _last(walk: Any, shape: Shape) -> Position:
    """Return a place some items before the end of a long list: where the list read backwards arrives first."""
    if shape.operation == "transfers" and not shape.order:
        scope = {f"{walk.resolved.scope.field}__in": walk.resolved.scope.ids}
        if walk.resolved.token_keys is not None:
            scope = {"nft_id__in": narrowed(walk.resolved, walk.order).nft_ids}
        rows = Transfer.objects.filter(**scope).order_by("-recent_key", "-id").values_list("recent_key", "id")
        return tuple(rows[20])
    order = replace(ORDERS[shape.order], descending=not ORDERS[shape.order].descending)
    place = walk_nfts(walk.resolved, order, None, 20)[-1]
    return tuple(place) if shape.operation == "nfts" else (*place, NEVER, 0)


def explained(statement: str) -> dict[str, Any]:
    """Return the plan of a statement, executed, with the buffers that it touched."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {statement.replace('%', '%%')}", None
        )
        ((document,),) = cursor.fetchall()
    plan: dict[str, Any] = (json.loads(document) if isinstance(document, str) else document)[0]
    return plan


def _execute(statements: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.cursor.execute(statement)
            cursor.fetchall()


def timed(run: Callable[[], object]) -> float:
    """Return the milliseconds that it takes."""
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000


def _rows(node: dict[str, Any]) -> int:
    own = 0
    if "Relation Name" in node or "Index Name" in node:
        own = int((node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"])
    return own + sum(_rows(child) for child in node.get("Plans", ()))
