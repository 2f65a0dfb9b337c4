"""How the fetching of metadata stands, for operators and for monitoring, at the cost of a few pages of an index."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nftsite.db import bulk
from nftsite.db.estimates import planned_rows
from tokens.models import ContractRarity, MetadataFetch, MetadataRefresh

COUNTED = 100_000
"""NFTs in a state up to which they are counted: some milliseconds. Beyond, PostgreSQL's estimate serves."""

State = MetadataFetch.State


@dataclass(frozen=True, slots=True)
class StateCount:
    """How many NFTs are in a state; ``about`` where there are more than :data:`COUNTED`."""

    state: MetadataFetch.State
    number: int
    about: bool

    @property
    def text(self) -> str:
        """The number for people."""
        if not self.about:
            return f"{self.number:,}"
        return f"more than {COUNTED:,}" if self.number == COUNTED else f"about {self.number:,}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is to be done: since when the first NFT is due, ranges to be read again, contracts whose rarity changed."""

    due_since: datetime | None
    ranges: int
    rarities: int


def state_counts() -> list[StateCount]:
    """Return how many NFTs are in each state, in the order of the states: one query, while none has very many."""
    counted = (
        f"(SELECT count(*) FROM (SELECT 1 FROM {MetadataFetch._meta.db_table} "  # noqa: S608 - the model's own name
        f"WHERE state = %s LIMIT {COUNTED + 1}) found)"
    )
    (numbers,) = bulk.fetch("SELECT " + ", ".join([counted] * len(State)), [state.value for state in State])
    return [_count(state, number) for state, number in zip(State, numbers, strict=True)]


def waiting(now: datetime) -> Waiting:
    """Return what is to be done at ``now``; ranges and rarities are counted up to :data:`COUNTED`."""
    due = MetadataFetch.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
    return Waiting(
        due_since=due.values_list("next_attempt_at", flat=True).first(),
        ranges=MetadataRefresh.objects.order_by()[:COUNTED].count(),
        rarities=ContractRarity.objects.filter(due_at__isnull=False).order_by()[:COUNTED].count(),
    )


def _count(state: MetadataFetch.State, number: int) -> StateCount:
    if number <= COUNTED:
        return StateCount(state, number, about=False)
    planned = planned_rows(MetadataFetch.objects.filter(state=state).order_by())
    return StateCount(state, max(planned, COUNTED), about=True)
