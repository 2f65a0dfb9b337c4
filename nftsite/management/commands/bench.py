"""Measure loading and pages on a generated world."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.test import Client

from nftsite.bench.lines import world
from tokens.models import Contract

QUERIES = {
    "newest": "",
    "newest, with last transfers": "includeLastTransfer=true",
    "a contract": "contractAddress={contract}",
    "a contract by token id": "contractAddress={contract}&sortBy=tokenId-desc",
    "a contract by rarity": "contractAddress={contract}&sortBy=rarity",
    "one trait": "contractAddress={contract}&traits=Fur-Noise",
    "traits of two types": "contractAddress={contract}&traits=Fur-Noise,Eyes-Laser,Eyes-Heart",
    "a marketplace": "contractAddress={contract}&marketplaces=looksrare",
    "by lowest ask": "contractAddress={contract}&sortBy=lowestAsk",
}
TRANSFER_QUERIES = {
    "transfers of a contract": "contractAddress={contract}",
    "transfers of a contract by rarity": "contractAddress={contract}&sortBy=rarity",
    "transfers of a token": "contractAddress={contract}&tokenId=0",
}
REPEATS = 15


class Command(BaseCommand):
    """Load a generated world into an empty database, then ask for pages of it, and print what each took."""

    help = (
        "Load a generated world into DATABASE_URL, which must be empty, in a process of its own; print lines and "
        "transfers per second and the peak of its memory, then the median time of some first pages."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the size of the world."""
        parser.add_argument(
            "--transfers", type=int, default=100_000, help="with a fifth as many NFTs (100,000)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure."""
        if Contract.objects.exists():
            raise CommandError("The database is not empty; name an empty one in DATABASE_URL.")
        self.stdout.write(f"{connection.vendor}, {options['transfers']:,} transfers")
        with tempfile.TemporaryDirectory() as folder:
            nfts, transfers = Path(folder) / "nfts.jsonl", Path(folder) / "transfers.jsonl"
            _split(world(options["transfers"]), nfts, transfers)
            for path in (nfts, transfers):
                self._load(path)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        self._ask("/api/v1/nfts/by-token", QUERIES)
        self._ask("/api/v1/transfers/by-token", TRANSFER_QUERIES)

    def _load(self, path: Path) -> None:
        with path.open("rb") as file:
            lines = sum(1 for _ in file)
        started = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "manage.py", "load", str(path)], cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise CommandError(f"load ended with {os.waitstatus_to_exitcode(status)}")
        seconds = time.perf_counter() - started
        self.stdout.write(
            f"load {path.stem:9} {lines:>9,} lines  {seconds:7.1f} s  {lines / seconds:>8,.0f} lines/s"
            f"  peak {usage.ru_maxrss / 1024:,.0f} MiB"
        )

    def _ask(self, path: str, queries: dict[str, str]) -> None:
        largest = Contract.objects.order_by("-nft_count").values_list("address", flat=True)[0]
        client = Client(headers={"host": "localhost"})
        for name, query in queries.items():
            address = f"{path}?{query.format(contract=largest)}"
            taken = [_seconds(client, address) for _ in range(REPEATS)]
            self.stdout.write(f"{name:36} {statistics.median(taken) * 1000:7.1f} ms")


def _seconds(client: Client, address: str) -> float:
    started = time.perf_counter()
    answer = client.get(address)
    if answer.status_code != 200:
        raise CommandError(f"{address} answered {answer.status_code}")
    return time.perf_counter() - started


def _split(lines: Iterable[bytes] | Iterator[bytes], others: Path, transfers: Path) -> None:
    """Write the transfers to one file and everything else to another."""
    with others.open("wb") as first, transfers.open("wb") as second:
        for line in lines:
            (second if line.startswith(b'{"record":"transfer"') else first).write(line)
