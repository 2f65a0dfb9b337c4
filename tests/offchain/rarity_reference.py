"""OpenRarity in plain words, as slow as it is simple: a table of all NFTs by all dimensions, in exact fractions.

Written from the rules (`docs/rarity.md`), not from the service's code, which it is there to be compared with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

Traits = Sequence[tuple[str, str]]

MISSING = "(missing)"


def ratings(population: Mapping[int, Traits]) -> dict[int, tuple[float, int]]:
    """Score and rank of each NFT."""
    cleaned = {nft: clean(traits) for nft, traits in population.items()}
    table = {nft: row(traits, dimensions(cleaned)) for nft, traits in cleaned.items()}
    entropy = sum(-share * math.log2(share) for shares in columns(table) for share in shares.values())
    scores, unique = {}, {}
    for nft, values in table.items():
        shares = [column[value] for column, value in zip(columns(table), values, strict=True)]
        scores[nft] = sum(-math.log2(share) for share in shares) / (entropy or 1)
        alone = Fraction(1, len(table))
        unique[nft] = sum(
            share == alone and value != MISSING for share, value in zip(shares, values, strict=True)
        )
    order = sorted(table, key=lambda nft: (-unique[nft], -scores[nft]))
    ranks: dict[int, int] = {}
    for place, nft in enumerate(order):
        tied = place > 0 and math.isclose(scores[nft], scores[order[place - 1]], rel_tol=1e-9)
        ranks[nft] = ranks[order[place - 1]] if tied else place + 1
    return {nft: (scores[nft], ranks[nft]) for nft in table}


def clean(traits: Traits) -> set[tuple[str, str]]:
    """Trimmed, lower case, without what is missing, each pair once."""
    lowered = {(kind.strip().lower(), value.strip().lower()) for kind, value in traits}
    return {(kind, value) for kind, value in lowered if value not in ("", "none")}


def dimensions(population: Mapping[int, set[tuple[str, str]]]) -> list[tuple[str, str | None]]:
    """A dimension a type; a dimension a value for types that somebody has two of."""
    kinds = {kind for traits in population.values() for kind, _ in traits}
    several = {
        kind
        for kind in kinds
        if any(sum(kind == other for other, _ in traits) > 1 for traits in population.values())
    }
    whole: list[tuple[str, str | None]] = [(kind, None) for kind in sorted(kinds - several)]
    pairs = {pair for traits in population.values() for pair in traits if pair[0] in several}
    return [*whole, *sorted(pairs)]


def row(traits: set[tuple[str, str]], dimensions: Sequence[tuple[str, str | None]]) -> list[str]:
    """An NFT's value in each dimension, and the number of its traits."""
    values = []
    for kind, value in dimensions:
        if value is None:
            values.append(next((own for other, own in traits if other == kind), MISSING))
        else:
            values.append("yes" if (kind, value) in traits else MISSING)
    return [*values, str(len(traits))]


def columns(table: Mapping[int, Sequence[str]]) -> list[dict[str, Fraction]]:
    """The share of each value, dimension by dimension."""
    shares = []
    for column in zip(*table.values(), strict=True):
        shares.append({value: Fraction(column.count(value), len(column)) for value in set(column)})
    return shares
