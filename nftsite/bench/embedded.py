"""The same queries in the embedded database: the world that stands, dumped and loaded into an SQLite file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings

from nftsite.bench.loading import Loaded, load


def measure(folder: Path, repeats: int) -> tuple[Loaded, list[dict[str, Any]]]:
    """Copy the world into a file in ``folder``; return what the load took, and the costs of all queries there.

    Raises ``CalledProcessError`` or ``RuntimeError`` when one of the commands fails.
    """
    world, figures = folder / "world.jsonl", folder / "figures.json"
    there = {"DATABASE_URL": f"sqlite:///{folder / 'world.sqlite3'}"}
    _manage({}, "dump", "--output", str(world))
    with world.open("rb") as file:
        lines = sum(1 for _ in file)
    _manage(there, "migrate", "-v0")
    loaded = load("the world into SQLite", world, lines, there)
    _manage(there, "bench", "--parts", "queries", "--repeats", str(repeats), "--json", str(figures))
    costs: list[dict[str, Any]] = json.loads(figures.read_text())["queries"]
    return loaded, costs


def _manage(environment: dict[str, str], *words: str) -> None:
    """Run a command of ours, with another database."""
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "manage.py", *words],
        cwd=settings.BASE_DIR,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
