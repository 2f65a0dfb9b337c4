"""The same lines in another order, or in several files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.builders import Line
from tests.strategies.pools import NOW
from tests.strategies.worlds import IDENTITIES

Draw = Callable[..., Any]


def line_identity(line: Line) -> tuple[Any, ...]:
    """What a line is about. A collection is an attribute of a mint, and a currency is known by any letter case."""
    names = [name for name in IDENTITIES[line["record"]] if name not in ("usd", "address")]
    if line["record"] == "nft" and line["chain"] == "solana":
        names.remove("contractAddress")
    return tuple(
        str(line.get(name) or 0).lower() if name == "marketplace" else line.get(name) or 0 for name in names
    )


def shuffled(draw: Draw, lines: list[Line]) -> list[Line]:
    """Lines in any order, those of one identity in theirs."""
    waiting: dict[tuple[Any, ...], list[Line]] = defaultdict(list)
    for line in lines:
        waiting[line_identity(line)].append(line)
    return [waiting[line_identity(line)].pop(0) for line in draw(st.permutations(lines))]


def cut_into_files(draw: Draw, lines: list[Line]) -> list[list[Line]]:
    """One to four files. A last transfer without its log index has to find its transfer, so those NFTs come last."""

    def searches(line: Line) -> bool:
        return "logIndex" not in line.get("lastTransfer", {"logIndex": 0})

    lines = sorted(lines, key=searches)
    cuts = sorted(draw(st.lists(st.integers(0, len(lines)), max_size=3)))
    return [lines[start:end] for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True)]


def without_coming_rates(lines: list[Line]) -> list[Line]:
    """Lines without rates dated after now: asks are keyed anew when something is loaded, not when the time comes."""
    return [line for line in lines if line["record"] != "rate" or line["timestamp"] <= NOW]
