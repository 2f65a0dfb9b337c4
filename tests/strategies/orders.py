"""The same lines in another order, or in several files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.builders import Line
from tests.strategies.pools import Token
from tests.strategies.worlds import IDENTITIES, is_erc721

Draw = Callable[..., Any]


def line_identity(line: Line) -> tuple[Any, ...]:
    """What a line is about. A collection is an attribute of a mint, and a currency is known by any letter case."""
    names = [name for name in IDENTITIES[line["record"]] if name not in ("usd", "address")]
    if line["record"] == "nft" and line["chain"] == "solana":
        names.remove("contractAddress")
    return tuple(
        str(line.get(name) or 0).lower() if name == "marketplace" else line.get(name) or 0 for name in names
    )


def token_of(line: Line) -> Token:
    """The NFT that a line names."""
    return Token(line["chain"], line.get("contractAddress"), line["tokenId"])


def shuffled(draw: Draw, lines: list[Line]) -> list[Line]:
    """Lines in any order, those of one identity in theirs."""
    waiting: dict[tuple[Any, ...], list[Line]] = defaultdict(list)
    for line in lines:
        waiting[line_identity(line)].append(line)
    return [waiting[line_identity(line)].pop(0) for line in draw(st.permutations(lines))]


def cut_into_files(draw: Draw, lines: list[Line]) -> list[list[Line]]:
    """One to four files.

    Last are the NFTs whose last transfer, without a log index, has to find its transfer; and those with owners as of
    now, which earlier would be as of the middle of their history, unless only the last receiver counts anyway.
    """

    def waits(line: Line) -> bool:
        searches = "logIndex" not in line.get("lastTransfer", {"logIndex": 0})
        as_of_now = {"owner", "owners"} & line.keys() and not {"asOf", "asOfBlock"} & line.keys()
        return searches or bool(as_of_now and not is_erc721(token_of(line), lines))

    lines = sorted(lines, key=waits)
    cuts = sorted(draw(st.lists(st.integers(0, len(lines)), max_size=3)))
    return [lines[start:end] for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True)]
