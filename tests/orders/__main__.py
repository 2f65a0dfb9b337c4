"""A stand-in for OpenSea to try `sync_asks` with: `python -m tests.orders [--serve]`.

It lists 300 made-up orders of one contract, lies among them, fails and limits now and then. Without `--serve` the real
command reads it twice into an empty database, the second time after a third of the orders has gone. With it, it serves
until Ctrl-C, for a database of your own: something is listed and something goes with each page that is read.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import django

ORDERS = 300


def main() -> None:
    """Show it."""
    from tests.orders.lies import refused
    from tests.orders.made_up import APES, standing
    from tests.orders.stand_in import KEY
    from tests.orders.vendor import BUSY, Vendor
    from tests.processes import ROOT, databases, environment

    parser = argparse.ArgumentParser(
        prog="python -m tests.orders", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--serve", action="store_true", help="only serve, until Ctrl-C")
    options = parser.parse_args()
    with Vendor({APES: "apes"}, most=600) as vendor:
        vendor.per_page = 100
        vendor.put(
            "apes", *(standing(token_id, price=token_id * 10**16) for token_id in range(1, ORDERS + 1))
        )
        vendor.listings["apes"] += refused(standing(7)).values()
        vendor.moods.extend([BUSY, vendor.limited(2)])
        keys = f"OPENSEA_API_URL={vendor.url} OPENSEA_API_KEY={KEY}"
        print(f"A stand-in for OpenSea lists {ORDERS} orders of {APES}, and lies.", flush=True)
        if options.serve:
            print(
                f"\n    {keys} .venv/bin/python manage.py sync_asks --contract {APES}\n\nCtrl-C ends it.",
                flush=True,
            )
            tokens = itertools.count(ORDERS + 1)

            def turn() -> None:
                new = next(tokens)
                vendor.put("apes", standing(new, price=new * 10**16))
                vendor.withdraw(standing(new - ORDERS, price=(new - ORDERS) * 10**16)["order_hash"])

            vendor.turn = turn
            serve()
            return
        with tempfile.TemporaryDirectory() as folder, databases(Path(folder), ["tried"]) as (url,):
            variables = environment(url, OPENSEA_API_URL=vendor.url, OPENSEA_API_KEY=KEY, LOG_LEVEL="ERROR")
            for gone in (range(0), range(1, ORDERS, 3)):
                for token_id in gone:
                    vendor.withdraw(standing(token_id, price=token_id * 10**16)["order_hash"])
                print(f"\n$ {keys} python manage.py sync_asks --contract {APES}", flush=True)
                command = [sys.executable, "manage.py", "sync_asks", "--contract", APES]
                subprocess.run(command, cwd=ROOT, env=variables, check=True)
                subprocess.run([sys.executable, "-c", CHEAPEST, APES], cwd=ROOT, env=variables, check=True)


def serve() -> None:
    """Wait for Ctrl-C."""
    try:
        sys.stdin.read() if not sys.stdin.isatty() else input()
    except KeyboardInterrupt:
        print()


CHEAPEST = """
import sys, django
django.setup()
from django.test import Client
query = {"contractAddress": sys.argv[1], "sortBy": "lowestAsk", "limit": "3"}
for nft in Client(SERVER_NAME="localhost").get("/api/v1/nfts/by-token", query).json()["data"]:
    print("  ", nft["tokenId"], nft["orderbook"])
"""
"""Asks the service for the cheapest NFTs of a contract."""

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    main()
