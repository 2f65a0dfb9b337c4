"""Figures of the web processes, for `/metrics`: what was asked, how long it took, what was refused.

Each process counts for itself, in files that all read, where PROMETHEUS_MULTIPROC_DIR names a folder
(`nftsite/server/counting.py`); else only in its memory. A page takes some ten microseconds of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from core.rest.facts import Facts

is_counting = True
"""Whether this process counts; not where the disk has no room for it."""
OWN = CollectorRegistry()
"""What this process counted, where no others count beside it."""
BUCKETS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)
"""Seconds. A page takes a few thousandths of one; a statement is ended after 15 (STATEMENT_TIMEOUT)."""

REQUESTS = Counter(
    "nft_http_requests",
    "Requests answered, by operation (or place), status, class of cost, and database that was read.",
    ["operation", "status", "cost", "database"],
    registry=OWN,
)
SECONDS = Histogram(
    "nft_http_request_duration_seconds",
    "Seconds from the request's arrival at a thread to its answer.",
    ["operation", "status", "cost"],
    buckets=BUCKETS,
    registry=OWN,
)
REFUSED = Counter(
    "nft_http_refused",
    "Requests refused: over the limit (429), for want of a good key (401), or of a share of the threads (503).",
    ["operation", "reason"],
    registry=OWN,
)
CACHE_FAULTS = Counter(
    "nft_limit_cache_faults",
    "Times that the cache of CACHE_URL did not answer, and this process began to count limits by itself.",
    registry=OWN,
)


def count(facts: Facts, status: int, seconds: float) -> None:
    """Count a request that has been answered."""
    if not is_counting:
        return
    labels = facts.operation, str(status), facts.cost.name.lower()
    REQUESTS.labels(*labels, facts.database).inc()
    SECONDS.labels(*labels).observe(seconds)
    if facts.refused:
        REFUSED.labels(facts.operation, facts.refused).inc()


class WebCollector(Collector):
    """What all web processes counted; outside of gunicorn, what this one did."""

    def collect(self) -> Iterable[Metric]:
        """Return each figure with its samples."""
        folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        if folder and Path(folder).is_dir():
            yield from MultiProcessCollector(None, folder).collect()  # type: ignore[no-untyped-call]
        else:
            yield from OWN.collect()


def cache_failed() -> None:
    """Count that the cache did not answer."""
    if is_counting:
        CACHE_FAULTS.inc()
