"""What was measured, as tables for the terminal and as JSON."""

from __future__ import annotations

import json
import platform
import sqlite3
import statistics
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import connection

from nftsite.bench.admin import AdminPage
from nftsite.bench.http import Load
from nftsite.bench.images import Cached
from nftsite.bench.indexing import Run
from nftsite.bench.loading import Loaded
from nftsite.bench.probe import Cost
from nftsite.bench.shapes import Shape


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    found: dict[str, Any] = {
        "processor": models[0] if models else platform.processor(),
        "cores": len(models),
        "python": platform.python_version(),
    }
    if connection.vendor != "postgresql":
        return found | {"sqlite": sqlite3.sqlite_version}
    with connection.cursor() as cursor:
        cursor.execute("SELECT version(), current_setting('shared_buffers')")
        server, buffers = cursor.fetchone()
    return found | {"postgresql": server.split(" on ")[0], "shared_buffers": buffers}


def cost_lines(costs: Iterable[Cost]) -> Iterator[str]:
    """Yield a line a query: buffers and milliseconds of its pages, the first one's time with Python, what is over."""
    head = f"{_named('operation', 'order', 'filter')} {'first: buffers, ms':>20} {'deep':>16}"
    yield f"{head} {'last':>16} {'engine':>8} {'page':>7} {'SQL':>4}"
    for (operation, order, name), group in groupby(
        costs, lambda cost: (cost.operation, cost.order, cost.filter)
    ):
        pages = {cost.page: cost for cost in group}
        cells = [
            f"{pages[page].buffers:>8,} {pages[page].ms:7.2f}" if page in pages else " " * 16
            for page in ("first", "deep", "last")
        ]
        over = "; ".join(f"{cost.page}: over {cost.over}" for cost in pages.values() if cost.over)
        first = pages["first"]
        whole = (
            f"{first.engine_ms:7.1f} {first.page_ms:7.1f} {max(cost.queries for cost in pages.values()):4}"
        )
        yield f"{_named(operation, order, name)} {'':4}{'  '.join(cells)} {whole}  {over}".rstrip()


def refused_line(shape: Shape) -> str:
    """Return the line of a query that is refused as too expensive."""
    return f"{_named(shape.operation, shape.order or '(recent)', shape.filter.name)} {'refused':>20}"


def _named(operation: str, order: str, name: str) -> str:
    """Return the first columns of a line: which query it is of."""
    return f"{operation:9} {order:12} {name:42}"


def summary(costs: Sequence[Cost]) -> str:
    """Return how many pages there were, what they took, and how many took too much."""
    times = sorted(cost.ms for cost in costs)
    places = [f"{share:.0%} within {times[int(len(times) * share)]:.1f} ms" for share in (0.9, 0.99)]
    return (
        f"{len(costs):,} pages: key queries median {statistics.median(times):.1f} ms, {', '.join(places)}, slowest "
        f"{times[-1]:.0f} ms; whole pages median {statistics.median(cost.page_ms for cost in costs):.1f} ms, at most "
        f"{max(cost.queries for cost in costs)} SQL queries; {sum(bool(cost.over) for cost in costs)} over their bar."
    )


def load_line(name: str, load: Load) -> str:
    """Return a line of requests over HTTP."""
    return (
        f"{name:34} {load.requests:>6,} requests, {load.refused} refused as too expensive, {load.errors} errors"
        f"  {load.per_second:8.1f}/s"
        f"  median {load.median:7.2f} ms  p99 {load.p99:7.2f}  CPU {load.cpu_ms:6.2f} ms"
    )


def loaded_line(loaded: Loaded) -> str:
    """Return a line of a load."""
    return (
        f"{loaded.name:34} {loaded.lines:>9,} lines  {loaded.seconds:7.1f} s  {loaded.per_second:>8,.0f} lines/s"
        f"  peak {loaded.peak_mib:,.0f} MiB"
    )


def indexing_line(run: Run) -> str:
    """Return a line of logs that were indexed, or derived from again."""
    return (
        f"{run.name:34} {run.logs:>9,} logs   {run.seconds:7.1f} s  {run.per_second:>8,.0f} logs/s"
        f"  CPU {run.own_cpu:.1f} s, PostgreSQL's {run.database_cpu:.1f} s  peak {run.peak_mib:,.0f} MiB"
        f"  (load average of the machine {run.load_average:.1f})"
    )


def cached_line(cached: Cached) -> str:
    """Return a line of images that were cached."""
    return (
        f"{cached.images:,} images of a megapixel, {cached.workers} workers {cached.seconds:8.1f} s"
        f"  {cached.per_second:6.1f} images/s  CPU {cached.cpu_ms:5.1f} ms  peak {cached.peak_mib:,.0f} MiB"
        f"  (load average of the machine {cached.load_average:.1f})"
    )


def admin_lines(pages: Iterable[AdminPage]) -> Iterator[str]:
    """Yield the slowest pages of the admin."""
    for page in list(pages)[:12]:
        yield f"{page.slowest:7.0f} ms (median {page.median:.0f}), {page.queries} queries  {page.address}"


def write_json(path: Path, sections: dict[str, Any]) -> None:
    """Write everything beside the terminal's report."""
    path.write_text(json.dumps(sections, indent=1) + "\n")
