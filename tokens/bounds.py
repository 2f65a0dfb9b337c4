"""How many entries of a list a page may have to pass at most, as far as filters alone tell it, and where that ends.

A filter that most NFTs of a list fail has the list walked until a page is full. How often it fails is known before:
an excluded trait is had by so many NFTs, and of a trait's list no more are passed than it has. Where that is too many
a page would take seconds of a database that others use too, and the query is refused before anything is read. It is
the same on every page of a walk.
"""

from __future__ import annotations

from typing import Final

from rest_framework.exceptions import ErrorDetail, ValidationError

from tokens.conditions import MANY
from tokens.resolving import Resolved

MOST_MERGED: Final = 2_000_000
"""Entries that a page may pass where lists are merged, some tenths of a microsecond each."""

MOST_LOOKED_UP: Final = 50_000
"""Likewise where a trait has a list in each of more than :data:`tokens.conditions.MANY` contracts, and the traits of
each NFT are looked up: some microseconds each."""

CHEAP: Final = 5_000
"""Entries up to which a page is one like any other."""


def passed_at_most(resolved: Resolved) -> int:
    """Return how many entries a page passes at most because of traits; 0 where they make it pass none."""
    sizes = [group.size for group in resolved.trait_groups]
    if resolved.nft_ids is not None or resolved.token_keys is not None:
        return 0
    if resolved.excluded is not None:
        return min([resolved.excluded.size, *sizes])
    beside = len(sizes) > 1 or resolved.market_ids is not None or resolved.price is not None
    return min(sizes) if sizes and (beside or resolved.unmarked) else 0


def check(resolved: Resolved) -> int:
    """Return what a page passes at most.

    Raises ``ValidationError`` on ``traits`` or ``excludedTraits`` where that is too much.
    """
    passed = passed_at_most(resolved)
    groups = [*resolved.trait_groups, *filter(None, [resolved.excluded])]
    looked_up = any(len(group.ids) > MANY for group in groups)
    most = MOST_LOOKED_UP if looked_up else MOST_MERGED
    if passed <= most:
        return passed
    detail = (
        f"Too expensive: a page might have to pass {passed:,} NFTs, and {most:,} are allowed. "
        "Name a contractAddress or a chain, or a trait that fewer NFTs have."
    )
    name = "traits" if resolved.excluded is None else "excludedTraits"
    raise ValidationError({name: [ErrorDetail(detail, code="invalid")]})
