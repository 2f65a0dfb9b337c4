"""What pages cost on partitioned tables, without a change of a query.

    make drill NAME=partitions ARGS="--nfts 50000 --plans"

It fills a PostgreSQL of its own with the benchmark's world, copies the hot tables partitioned by chain (a list) and by
contract (eight parts by hash, as Citus would have shards), asks for pages as clients do, and executes each statement of
these pages on all three. `docs/scaling.md` has what came of it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.db import bulk
from core.db.planning import PAGES
from nftsite.bench import probe
from nftsite.bench.world.build import World
from tests.partitions.layouts import Layout, layouts

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
OF = "contractAddress={largest}&chain=ethereum"
QUERIES = {
    "NFTs of a contract, newest first": f"{NFTS}?{OF}",
    "the same, by token id": f"{NFTS}?{OF}&sortBy=tokenId",
    "the same, cheapest first": f"{NFTS}?{OF}&sortBy=lowestAsk",
    "30 token ids of a contract": f"{NFTS}?{OF}&tokenId={','.join(map(str, range(30)))}",
    "a trait of a contract": f"{NFTS}?{OF}&traits=Metal-Bronze",
    "a market of a contract": f"{NFTS}?{OF}&marketplaces=opensea",
    "transfers of a contract": f"{TRANSFERS}?{OF}",
    "transfers of an NFT": f"{TRANSFERS}?{OF}&tokenId=1",
    "a chain, newest first": f"{NFTS}?chain=ethereum",
    "a market of a chain": f"{NFTS}?chain=ethereum&marketplaces=blur",
    "everything, newest first": NFTS,
    "everything, cheapest first": f"{NFTS}?sortBy=lowestAsk",
}
SHOWN = (
    "NFTs of a contract, newest first",
    "a trait of a contract",
    "a chain, newest first",
    "everything, newest first",
)
"""Of which queries the plan is printed."""


@dataclass
class Cost:
    """Of all statements of a page: 8 KiB buffers, milliseconds with planning, and partitions that were looked into."""

    buffers: int = 0
    ms: float = 0.0
    parts: int = 0
    plan: str = ""


def main() -> None:
    """Make the world and its copies, and print the tables."""
    parser = argparse.ArgumentParser(prog="make drill NAME=partitions", description=__doc__)
    parser.add_argument("--nfts", type=int, default=50_000, help="NFTs of the world (50000)")
    parser.add_argument("--plans", action="store_true", help="print plans too")
    options = parser.parse_args()
    if connection.vendor != "postgresql":
        sys.exit("Partitions are PostgreSQL's.")
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    World(options.nfts, lambda line: print(line, file=sys.stderr)).build()
    places = probe.names()
    found = layouts()
    for layout in found[1:]:
        print(f"Copying: {layout.name}", file=sys.stderr)
        layout.make()
    _tune()
    print("\n".join(_costs(found, places, options.plans)))
    print("\n".join(_constraints(found)))
    print("\n".join(_sizes(options.nfts)))


def _tune() -> None:
    with connection.cursor() as cursor:
        for word in PAGES.split():
            if word != "-c":
                name, value = word.split("=", 1)
                cursor.execute(f"SET {name} = {value}")


def _costs(found: list[Layout], places: dict[str, str], with_plans: bool) -> Iterator[str]:
    yield "| page | " + " | ".join(f"{one.name}: buffers | ms | parts" for one in found) + " |"
    yield "|---|" + "---|" * (3 * len(found))
    plans = []
    for name, address in QUERIES.items():
        statements = list(_statements(address.format(**places)))
        costs = [_cost(layout, statements) for layout in found]
        cells = (f"{one.buffers:,} | {one.ms:.1f} | {one.parts or '-'}" for one in costs)
        yield f"| {name} | {' | '.join(cells)} |"
        if name in SHOWN:
            plans += [
                (name, layout.name, cost.plan) for layout, cost in zip(found[1:], costs[1:], strict=True)
            ]
    for name, layout_name, plan in plans if with_plans else ():
        yield f"\n{name}, {layout_name}, the statement that finds its rows:\n\n```\n{plan}\n```"


def _statements(address: str) -> Iterator[str]:
    """The statements of a page, with their values; the one that finds the page's rows is among them."""
    client = Client()
    client.get(address)  # what is kept in the process is there
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    for query in captured.captured_queries:
        text = re.sub(r"^BEGIN [A-Z ]+; ", "", query["sql"])
        if text.lstrip("( ").startswith(("SELECT", "WITH")):
            yield text


def _cost(layout: Layout, statements: list[str]) -> Cost:
    cost, dearest = Cost(), -1
    with connection.cursor() as cursor:
        cursor.execute(f"SET search_path = {layout.name}, public")
        for text in statements:
            # Reads what it needs into memory.
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {text}")
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {text}")
            told = cursor.fetchone()[0]
            ((top,),) = ((told if isinstance(told, list) else json.loads(told)),)
            plan = top["Plan"]
            buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
            cost.buffers += buffers
            cost.ms += top["Planning Time"] + top["Execution Time"]
            cost.parts += len(set(_parts(plan)))
            if re.search(r"LIMIT 31\)?\s*$", text) and buffers > dearest:
                dearest = buffers
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) {text}")
                cost.plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("SET search_path = public")
    return cost


def _parts(node: dict[str, Any]) -> Iterator[str]:
    name = node.get("Relation Name", "")
    if node.get("Actual Loops") and re.search(r"_\d+$", name):
        yield name
    for child in node.get("Plans", ()):
        yield from _parts(child)


def _constraints(found: list[Layout]) -> Iterator[str]:
    for layout in found[1:]:
        yield f"\nUnique over all parts no longer, {layout.name}: {'; '.join(layout.weaker) or 'none'}."


def _sizes(nfts: int) -> Iterator[str]:
    yield "\n| table | rows | bytes an NFT, rows | indexes | GB at 100 M NFTs |\n|---|---|---|---|---|"
    rows = bulk.fetch(
        "SELECT relname, greatest(reltuples, 0)::bigint, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class "
        "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace "
        "AND relname ~ '^(tokens|transfers|media|indexing)_' "
        "ORDER BY pg_total_relation_size(oid) DESC",
        [],
    )
    total = 0
    for number, (name, count, table, indexes) in enumerate(rows):
        total += table + indexes
        if number < 12:
            whole = (table + indexes) / nfts / 10
            yield f"| {name} | {count:,} | {table / nfts:,.0f} | {indexes / nfts:,.0f} | {whole:,.0f} |"
    yield f"| all | | | | {total / nfts / 10:,.0f} |"
