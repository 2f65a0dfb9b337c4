"""What one who means well gets of the service meanwhile."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException

from tests.strangers.setups import status

UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Row:
    """What came of asking for one address over and over: answers of 200 a second, and milliseconds of all requests.

    ``errors`` counts what was not a 200, by status, or as unanswered.
    """

    setup: str
    attack: str
    target: str
    requests: int
    per_second: float
    p50: float
    p99: float
    errors: Mapping[str, int]


def measured(
    setup: str, attack: str, target: str, port: int, address: str, seconds: float, wait: float
) -> Row:
    """Ask for so many seconds, each time on a new connection, and wait for each answer as long as ``wait``.

    Who waits in vain counts with what was waited. At least one request is made.
    """
    times: list[float] = []
    outcomes: Counter[str] = Counter()
    begun = time.perf_counter()
    while not times or time.perf_counter() - begun < seconds:
        before = time.perf_counter()
        outcomes[_ask(port, address, wait)] += 1
        times.append((time.perf_counter() - before) * 1000)
    took = time.perf_counter() - begun
    good = outcomes.pop("200", 0)
    return Row(
        setup=setup,
        attack=attack,
        target=target,
        requests=len(times),
        per_second=round(good / took, 1),
        p50=round(percentile(times, 0.5), 1),
        p99=round(percentile(times, 0.99), 1),
        errors=dict(outcomes),
    )


def percentile(values: list[float], share: float) -> float:
    """The least of the values that so large a share of them does not exceed."""
    return sorted(values)[math.ceil(len(values) * share) - 1]


def _ask(port: int, address: str, wait: float) -> str:
    try:
        return str(status(port, address, wait))
    except (OSError, HTTPException):
        return UNANSWERED
