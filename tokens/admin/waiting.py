"""How the fetching of metadata stands, for operators, at the cost of a few pages of an index."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.db.states import COUNTED
from tokens.models import ContractRarity, MetadataFetch, MetadataRefresh


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is to be done: since when the first NFT is due, ranges to be read again, contracts whose rarity changed."""

    due_since: datetime | None
    ranges: int
    rarities: int


def waiting(now: datetime) -> Waiting:
    """Return what is to be done at ``now``; ranges and rarities are counted up to :data:`COUNTED`."""
    due = MetadataFetch.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
    return Waiting(
        due_since=due.values_list("next_attempt_at", flat=True).first(),
        ranges=MetadataRefresh.objects.order_by()[:COUNTED].count(),
        rarities=ContractRarity.objects.filter(due_at__isnull=False).order_by()[:COUNTED].count(),
    )
