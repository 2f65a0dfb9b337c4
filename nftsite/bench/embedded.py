"""The embedded database: the same queries of the world that stands, dumped and loaded into a file, and a page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings

from nftsite.bench import http, lines
from nftsite.bench.loading import Loaded, load, write_lines
from nftsite.bench.shapes import PATHS


def measure(folder: Path, repeats: int) -> tuple[Loaded, list[dict[str, Any]]]:
    """Copy the world into a file in ``folder``; return what the load took, and the costs of all queries there.

    Raises ``CalledProcessError`` or ``RuntimeError`` when one of the commands fails.
    """
    world, figures = folder / "world.jsonl", folder / "figures.json"
    there = {"DATABASE_URL": f"sqlite:///{folder / 'world.sqlite3'}"}
    _manage({}, "dump", "--output", str(world))
    with world.open("rb") as file:
        count = sum(1 for _ in file)
    _manage(there, "migrate", "-v0")
    loaded = load("the world into SQLite", world, count, there)
    _manage(there, "bench", "--parts", "queries", "--repeats", str(repeats), "--json", str(figures))
    costs: list[dict[str, Any]] = json.loads(figures.read_text())["queries"]
    return loaded, costs


def page(folder: Path, nfts: int, port: int, requests: int) -> http.Load:
    """Load so many NFTs with five transfers each into a file in ``folder``; return what a page of 30 takes there.

    The page is of the largest contract, with last transfers, asked for one by one. Raises ``CalledProcessError`` or
    ``RuntimeError`` when a command or the server fails.
    """
    world = folder / "page.jsonl"
    there = {"DATABASE_URL": f"sqlite:///{folder / 'page.sqlite3'}"}
    count = write_lines(world, lines.world(nfts * lines.TRANSFERS_PER_NFT))
    _manage(there, "migrate", "-v0")
    load("a world for SQLite", world, count, there)
    path = f"{PATHS['nfts']}?contractAddress=0x{1:040x}&includeLastTransfer=true"
    with http.server("nftsite.wsgi:application", port, there) as master:
        return http.ask(master, port, [path] * requests, 1)


def _manage(environment: dict[str, str], *words: str) -> None:
    """Run a command of ours, with another database."""
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "manage.py", *words],
        cwd=settings.BASE_DIR,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
