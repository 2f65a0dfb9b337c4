"""What is backed up: a drawn world of which the oracle knows all, and what operators decided besides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.builders import Line
from tests.oracle.model import Oracle
from tests.strategies.queries import Query, draw_query, draw_transfer_query
from tests.strategies.worlds import worlds

Draw = Callable[..., Any]
Scenario = dict[str, Any]
DECIDED: list[Line] = [
    {"record": "currency", "currency": "GOLD"},
    {"record": "currency", "currency": "WGOLD", "wraps": "GOLD"},
    {"record": "currency", "currency": "AUX", "aliasOf": "GOLD"},
    {"record": "market", "marketplace": "bazaar", "name": "The Bazaar"},
    {
        "record": "marketContract",
        "chain": "polygon",
        "contractAddress": "0x" + "ba" * 20,
        "marketplace": "bazaar",
    },
    {"record": "takedown", "contentHash": "c" * 64, "reason": "a court said so"},
    {"record": "takedown", "chain": "ethereum", "contractAddress": "0x" + "dd" * 20, "reason": ""},
    {"record": "takedown", "url": "https://images.example.org/1.png", "reason": "spam"},
]
"""Of this no query of the oracle tells: a dump does."""


@st.composite
def scenarios(draw: Draw, most: int, queries: int) -> Scenario:
    """A world of up to ``most`` NFTs with so many queries of each operation."""
    lines = draw(worlds(most))
    oracle = Oracle(lines)

    def some(make: Callable[..., Query]) -> list[Query]:
        return [make(draw, oracle) for _ in range(queries)]

    return {"lines": lines, "nfts": some(draw_query), "transfers": some(draw_transfer_query)}


def drawn(most: int, queries: int, number: int) -> Scenario:
    """The largest of some worlds, the same ones for each number."""
    found: list[Scenario] = []

    @seed(number)
    @settings(
        max_examples=8,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(scenarios(most, queries))
    def look(scenario: Scenario) -> None:
        found.append(scenario)

    look()
    return max(found, key=lambda one: len(one["lines"]))


def written(path: Path, lines: list[Line]) -> Path:
    """Write lines of the interchange format; return the file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
