"""Writes what marketplaces are called."""

from __future__ import annotations

from collections.abc import Iterable

from tokens.models import Market
from tokens.store.facts import UNSET, MarketFacts
from tokens.store.registers import market_ids


def write(facts: Iterable[MarketFacts]) -> None:
    """Register marketplaces with their names; of one marketplace the last name counts. Called within ``writing()``."""
    facts = list(facts)
    ids = market_ids(one.slug for one in facts)
    for slug, name in {one.slug: one.name for one in facts if one.name is not UNSET}.items():
        Market.objects.filter(id=ids[slug]).update(name=name or "")
