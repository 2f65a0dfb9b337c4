"""How many rows of a table are in which state, at the cost of a few pages of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet, TextChoices, Value

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
    return counts_of({state: model._default_manager.filter(state=state.value) for state in states})


def counts_of(parts: Mapping[TextChoices, QuerySet[Any]]) -> list[StateCount]:
    """Return how many rows each state's query has, in one query, while none has very many. Each has an index."""
    return [
        StateCount(state, estimated(number, rows), about=number > COUNTED)
        for (state, rows), number in zip(parts.items(), capped_counts(list(parts.values())), strict=True)
    ]


def capped_counts(parts: Sequence[QuerySet[Any]], most: int | None = None) -> list[int]:
    """Return how many rows each query has, or one more than ``most`` (:data:`COUNTED`) where it has more: one query
    for all."""
    most = COUNTED if most is None else most
    texts: list[str] = []
    parameters: list[Any] = []
    for part in parts:
        text, values = part.order_by().values_list(Value(1))[: most + 1].query.sql_with_params()
        texts.append(f"(SELECT count(*) FROM ({text}) found)")  # noqa: S608 - what the ORM compiled
        parameters += values
    (numbers,) = bulk.fetch("SELECT " + ", ".join(texts), parameters)
    return list(numbers)


def estimated(number: int, rows: QuerySet[Any]) -> int:
    """Return a capped count, or PostgreSQL's estimate where it was capped."""
    return number if number <= COUNTED else max(planned_rows(rows.order_by()), COUNTED)
