"""What was measured, as tables for the terminal and as JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import connection

from nftsite.bench.admin import AdminPage
from nftsite.bench.http import Load
from nftsite.bench.loading import Loaded
from nftsite.bench.probe import Cost


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    with connection.cursor() as cursor:
        cursor.execute("SELECT version(), current_setting('shared_buffers')")
        server, buffers = cursor.fetchone()
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": len(models),
        "python": platform.python_version(),
        "postgresql": server.split(" on ")[0],
        "shared_buffers": buffers,
    }


def cost_lines(costs: Iterable[Cost]) -> Iterator[str]:
    """Yield a line a query: buffers and milliseconds of its pages, the engine's own time, and what is over its bar."""
    head = f"{'operation':9} {'order':12} {'filter':42} {'first: buffers, ms':>20} {'deep':>16}"
    yield f"{head} {'last':>16} {'engine':>8}"
    for (operation, order, name), group in groupby(
        costs, lambda cost: (cost.operation, cost.order, cost.filter)
    ):
        pages = {cost.page: cost for cost in group}
        cells = [
            f"{pages[page].buffers:>8,} {pages[page].ms:7.2f}" if page in pages else " " * 16
            for page in ("first", "deep", "last")
        ]
        over = "; ".join(f"{cost.page}: over {cost.over}" for cost in pages.values() if cost.over)
        engine = pages["first"].engine_ms
        yield f"{operation:9} {order:12} {name:42} {'':4}{'  '.join(cells)} {engine:7.1f}  {over}".rstrip()


def load_line(name: str, load: Load) -> str:
    """Return a line of requests over HTTP."""
    return (
        f"{name:34} {load.requests:>6,} requests, {load.errors} errors  {load.per_second:8.1f}/s"
        f"  median {load.median:7.2f} ms  p99 {load.p99:7.2f}  CPU {load.cpu_ms:6.2f} ms"
    )


def loaded_line(loaded: Loaded) -> str:
    """Return a line of a load."""
    return (
        f"{loaded.name:34} {loaded.lines:>9,} lines  {loaded.seconds:7.1f} s  {loaded.per_second:>8,.0f} lines/s"
        f"  peak {loaded.peak_mib:,.0f} MiB"
    )


def admin_lines(pages: Iterable[AdminPage], most: int = 12) -> Iterator[str]:
    """Yield the slowest pages of the admin."""
    for page in list(pages)[:most]:
        yield f"{page.slowest:7.0f} ms (median {page.median:.0f}), {page.queries} queries  {page.address}"


def write_json(path: Path, sections: dict[str, Any]) -> None:
    """Write everything beside the terminal's report."""
    path.write_text(json.dumps(sections, indent=1) + "\n")
