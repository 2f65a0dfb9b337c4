"""What pages about queues of work have in common: how many are in which state, and since when the first is due."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Model, TextChoices

from core.backoffice import html
from core.db.states import state_counts

TEMPLATE = "backoffice/queue.html"
"""Takes ``states``, ``facts`` (pairs of a label and a text) and the ``command`` that does the work."""


def states(model: type[Model], choices: type[TextChoices], things: str) -> str:
    """Return a table of the states with the number of things in each, linked to their lists."""
    return html.rows_table(
        ("state", "what it means", things),
        [
            (html.list_link(model, one.state.value, show=one.state.value), one.state.label, one.text)
            for one in state_counts(model, choices)
        ],
    )


def summary(model: type[Model], choices: type[TextChoices]) -> str:
    """Return how many are in which state, in a line; empty where there are none."""
    return ", ".join(f"{one.text} {one.state.value}" for one in state_counts(model, choices) if one.number)


def since(due: datetime | None, now: datetime) -> str:
    """Return for how long something has been due."""
    return "nothing is due" if due is None else f"since {html.span(int((now - due).total_seconds()))}"
