"""How many rows of a table are in which state, at the cost of a few pages of an index."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Model, TextChoices

from core.db import bulk
from core.db.estimates import planned_rows

COUNTED = 100_000
"""Rows in a state up to which they are counted: some milliseconds. Beyond, PostgreSQL's estimate serves."""


@dataclass(frozen=True, slots=True)
class StateCount:
    """How many rows are in a state; ``about`` where there are more than :data:`COUNTED`."""

    state: TextChoices
    number: int
    about: bool

    @property
    def text(self) -> str:
        """The number for people."""
        if not self.about:
            return f"{self.number:,}"
        return f"more than {COUNTED:,}" if self.number == COUNTED else f"about {self.number:,}"


def state_counts(model: type[Model], states: type[TextChoices]) -> list[StateCount]:
    """Return how many rows are in each state, in the order of the states: one query, while none has very many.

    The model has an index on its ``state``.
    """
    counted = (
        f"(SELECT count(*) FROM (SELECT 1 FROM {model._meta.db_table} "  # noqa: S608 - the model's own name
        f"WHERE state = %s LIMIT {COUNTED + 1}) found)"
    )
    (numbers,) = bulk.fetch("SELECT " + ", ".join([counted] * len(states)), [state.value for state in states])
    return [_count(model, state, number) for state, number in zip(states, numbers, strict=True)]


def _count(model: type[Model], state: TextChoices, number: int) -> StateCount:
    if number <= COUNTED:
        return StateCount(state, number, about=False)
    planned = planned_rows(model._default_manager.filter(state=state.value).order_by())
    return StateCount(state, max(planned, COUNTED), about=True)
