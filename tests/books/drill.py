"""A large order book beside a service that answers others, and walks that are killed.

    make drill NAME=books ARGS="--listings 100000 --kills 30"

The exit code is 1 where the first walk took longer than --limit seconds, its process grew by more than a tenth from the
second quarter to the last, a second walk wrote anything, or a walk that was killed left something else than a calm one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.books.kills import kills
from tests.books.walks import Walk, large, walk
from tests.processes import ROOT, databases
from tests.strangers.setups import gunicorn, silent_node

LIMIT = 600
GROWTH = 1.1


def main() -> None:
    """Run the drill."""
    parser = argparse.ArgumentParser(prog="python -m tests.books", description=__doc__.partition("\n")[0])
    parser.add_argument("--listings", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of the first walk (600)")
    options = parser.parse_args()
    if not os.environ.get("TEST_DATABASE_URL"):
        parser.error("run it by `make drill NAME=books`: it needs a PostgreSQL")
    with tempfile.TemporaryDirectory() as folder:
        faults = list(_walked(Path(folder), options.listings, options.limit)) if options.listings else []
        if options.kills:
            print("Walks that are killed: " + kills(Path(folder), options.kills, options.seed), flush=True)
            given = os.environ.pop("TEST_DATABASE_URL")
            print("The same on SQLite: " + kills(Path(folder), options.kills, options.seed), flush=True)
            os.environ["TEST_DATABASE_URL"] = given
    for fault in faults:
        print(f"FAILED: {fault}", file=sys.stderr)
    sys.exit(bool(faults))


def _walked(folder: Path, listings: int, limit: float) -> list[str]:
    """Walk twice; return what was wrong."""
    log = folder / "gunicorn.log"
    with (
        databases(folder, ["books"]) as (url,),
        large(listings) as vendor,
        silent_node() as node,
        gunicorn(url, ROOT, node, log) as port,
    ):
        first, second = (walk(url, vendor, port) for _ in range(2))
    for name, one in (("First walk", first), ("Second walk", second)):
        print(one.told(name, listings), flush=True)
    return _wrong(first, second, limit)


def _wrong(first: Walk, second: Walk, limit: float) -> list[str]:
    quarter = max(len(first.sizes) // 4, 1)
    early, late = max(first.sizes[quarter : 2 * quarter], default=0), max(first.sizes[-quarter:], default=0)
    found = []
    if first.seconds > limit:
        found.append(f"the first walk took more than {limit:,.0f} s")
    if early and late > GROWTH * early:
        found.append(f"it grew from {early >> 20:,} to {late >> 20:,} MiB")
    if second.written:
        found.append(f"the second walk wrote {second.written}")
    return found
