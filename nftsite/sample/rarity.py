"""Rarity of the sample's NFTs: the OpenRarity score and rank, as stated values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from nftsite.sample.collections import Traits


class Rarity(NamedTuple):
    """Score (information content over entropy; higher is rarer) and rank (1 is the rarest; equal ones share it)."""

    score: float
    rank: int


def rarities(population: Sequence[Traits]) -> list[Rarity]:
    """Return the rarity of each NFT among all.

    A missing trait counts as a value of its type, and the number of traits as a trait. Ranks go by the number of values
    that only this NFT has, then by score.
    """
    kinds = sorted({kind for traits in population for kind in traits})
    rows = [[*(str(traits.get(kind)) for kind in kinds), str(len(traits))] for traits in population]
    counts = [Counter(column) for column in zip(*rows, strict=True)]
    total = len(rows)
    entropy = sum(-count / total * math.log2(count / total) for column in counts for count in column.values())
    scored = []
    for row in rows:
        frequencies = [column[value] for column, value in zip(counts, row, strict=True)]
        content = sum(-math.log2(frequency / total) for frequency in frequencies)
        # Rounded, so that the last bit of a machine's logarithm cannot change the sample.
        scored.append((frequencies.count(1), round(content / entropy, 9) if entropy else 0.0))
    order = sorted(scored, reverse=True)
    return [Rarity(score, order.index((unique, score)) + 1) for unique, score in scored]
