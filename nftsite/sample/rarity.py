"""Rarity of the sample's NFTs: the OpenRarity score and rank, as stated values."""

from __future__ import annotations

from collections.abc import Sequence

from nftsite.sample.collections import Traits
from tokens.metadata.trait_texts import value_text
from tokens.rarity.openrarity import Rating, rate


def rarities(population: Sequence[Traits]) -> list[Rating]:
    """Return the rarity of each NFT among all.

    Scores are rounded, so that the last bit of a machine's logarithm cannot change the sample.
    """
    found = rate(
        (number, [(kind, value_text(value)) for kind, value in traits.items()])
        for number, traits in enumerate(population)
    )
    return [Rating(round(found[number].score, 9), found[number].rank) for number in range(len(population))]
