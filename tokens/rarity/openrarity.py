"""The OpenRarity score and rank of a collection's NFTs. Pure: from traits to numbers.

The rules are those of the reference (the package open-rarity 0.7.5), and one of ours where it has none:

- Each trait type is a dimension; an NFT without it has the value "missing". The number of an NFT's traits is a
  dimension too. Types and values are trimmed and in lower case; an empty value and "none" are missing.
- A type that any NFT has with two values has no single one to count. It makes a dimension a value, with that value or
  missing.
- The score is the information content of an NFT's values, ``sum(-log2(share))``, over the entropy of all dimensions.
- Ranks go by the number of values that only this NFT has (missing is none), then by score. An NFT whose score equals
  that of the one before shares its rank, and the next rank is left out: 1, 1, 3. Scores are equal within a relative
  1e-9, as in the reference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

METHOD = "OpenRarity"
VERSION = "0.7.5+1"
"""Version of the reference whose numbers these are, and of our own rules on top of it; to be raised with any rule."""

Pair = tuple[str, str]
"""Type, and text of the value."""

_MISSING = ("", "none")


class Rating(NamedTuple):
    """Score (higher is rarer) and rank (1 is the rarest)."""

    score: float
    rank: int


def rate(nfts: Iterable[tuple[int, Iterable[Pair]]]) -> dict[int, Rating]:
    """Return the rating of each NFT among all, by its id; ``nfts`` are read once.

    A pair that an NFT has twice, as written here or after trimming and lower case, counts once. NFTs of equal traits
    have the very same score, in whatever order they come.
    """
    population = _Population()
    for nft_id, pairs in nfts:
        population.add(nft_id, pairs)
    return population.ratings()


@dataclass
class _Population:
    """The NFTs that are compared; ``multiple``: types that some NFT has with two values."""

    traits: dict[int, tuple[Pair, ...]] = field(default_factory=dict)
    counts: Counter[Pair] = field(default_factory=Counter)
    multiple: set[str] = field(default_factory=set)
    known: dict[Pair, Pair | None] = field(default_factory=dict)

    def add(self, nft_id: int, pairs: Iterable[Pair]) -> None:
        traits = tuple({one: None for one in map(self._normal, pairs) if one is not None})
        self.traits[nft_id] = traits
        self.counts.update(traits)
        if len({kind for kind, _ in traits}) < len(traits):
            of_kind = Counter(kind for kind, _ in traits)
            self.multiple.update(kind for kind, count in of_kind.items() if count > 1)

    def _normal(self, pair: Pair) -> Pair | None:
        """Return the pair as it is compared, one object for all NFTs; ``None`` where the value counts as missing."""
        if pair not in self.known:
            kind, value = (text.lower().strip() for text in pair)
            normal = None if value in _MISSING else (kind, value)
            self.known[pair] = normal if normal is None else self.known.setdefault(normal, normal)
        return self.known[pair]

    def ratings(self) -> dict[int, Rating]:
        size = len(self.traits)
        totals = Counter(map(len, self.traits.values()))
        missing = self._missing(size)
        entropy = math.fsum(
            count / size * math.log2(size / count)
            for counts in (self.counts, missing, totals)
            for count in counts.values()
        )
        # What an NFT with nothing would have; a value puts its own content in the place of the missing one's.
        bare = math.fsum(math.log2(size / count) for count in missing.values())
        content = {
            pair: math.log2(missing.get(self._dimension(pair), size) / count)
            for pair, count in self.counts.items()
        }
        of_total = {total: math.log2(size / count) for total, count in totals.items()}
        scored = {}
        for nft_id, traits in self.traits.items():
            parts = [bare, of_total[len(traits)], *(content[pair] for pair in traits)]
            unique = sum(self.counts[pair] == 1 for pair in traits) + (totals[len(traits)] == 1)
            scored[nft_id] = unique, math.fsum(parts) / (entropy or 1.0)
        return _ranked(scored)

    def _dimension(self, pair: Pair) -> str | Pair:
        return pair if pair[0] in self.multiple else pair[0]

    def _missing(self, size: int) -> dict[str | Pair, int]:
        """Return how many NFTs have no value, by dimension, where there are any."""
        having: Counter[str | Pair] = Counter()
        for pair, count in self.counts.items():
            having[self._dimension(pair)] += count
        return {dimension: size - count for dimension, count in having.items() if count < size}


def _ranked(scored: Mapping[int, tuple[int, float]]) -> dict[int, Rating]:
    """Return ratings of (number of unique values, score) by NFT."""
    ratings: dict[int, Rating] = {}
    before = Rating(math.nan, 0)
    for place, nft_id in enumerate(sorted(scored, key=scored.__getitem__, reverse=True), start=1):
        score = scored[nft_id][1]
        before = Rating(score, before.rank if math.isclose(score, before.score) else place)
        ratings[nft_id] = before
    return ratings
