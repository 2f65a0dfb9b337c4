"""Tries very many addresses on both databases: `python -m tests.addresses --help`."""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys

from django.db import connection
from django.test import Client
from django.test.utils import setup_databases, setup_test_environment, teardown_databases

from tests.addresses.admin_addresses import admin_requests
from tests.addresses.query_strings import api_requests, real_cursors
from tests.addresses.sending import Tally, admin_fault, api_fault, send_all
from tests.addresses.standing import OperatorClient, stand

SHOWN = 40


def main() -> None:
    """Try them on SQLite, and on PostgreSQL where there is one; the exit code is 1 when an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.addresses", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1, help="what the addresses are made of (1)")
    parser.add_argument("--admin", type=int, default=10_000, help="addresses of the admin (10,000)")
    parser.add_argument(
        "--queries", type=int, default=20_000, help="query strings of the operations (20,000)"
    )
    parser.add_argument("--one", action="store_true", help="only on the database of TEST_DATABASE_URL")
    asked = parser.parse_args()
    if asked.one:
        sys.exit(1 if tried(asked.seed, asked.admin, asked.queries) else 0)
    command = [sys.executable, "-m", "tests.addresses", "--one", *sys.argv[1:]]
    urls = ["", *filter(None, [os.environ.get("TEST_DATABASE_URL")])]
    codes = [
        subprocess.run(command, env=os.environ | {"TEST_DATABASE_URL": url}, check=False).returncode
        for url in urls
    ]
    sys.exit(max(codes))


def tried(seed: int, admin: int, queries: int) -> bool:
    """Tell whether anything was wrong with the answers to so many addresses and queries on this process' database."""
    logging.disable(logging.CRITICAL)
    setup_test_environment()
    names = setup_databases(verbosity=0, interactive=False)
    try:
        stand()
        cursors = real_cursors()
        operator, anybody = (kind(raise_request_exception=False) for kind in (OperatorClient, Client))
        fine = told("admin", seed, send_all(operator, admin_requests(seed, admin), admin_fault))
        return (
            not told("queries", seed, send_all(anybody, api_requests(seed, queries, cursors), api_fault))
            or not fine
        )
    finally:
        teardown_databases(names, verbosity=0)


def told(name: str, seed: int, tally: Tally) -> bool:
    """Print how it went, and tell whether it went well."""
    print(f"{connection.vendor}, {name}, seed {seed}: {summary(tally)}", flush=True)
    print("".join(f"  {line}\n" for line in tally.wrong[:SHOWN]), end="", flush=True)
    return not tally.wrong


def summary(tally: Tally) -> str:
    """How many answers there were of each method and status, and how many were wrong."""
    counts = ", ".join(
        f"{method} {status}: {count}" for (method, status), count in sorted(tally.counts.items())
    )
    return f"{sum(tally.counts.values())} answers ({counts}), {len(tally.wrong)} wrong"
