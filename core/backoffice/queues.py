"""What pages about queues of work have in common: how many are in which state, and since when the first is due."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Model, TextChoices
from django.utils.html import format_html

from core.backoffice import html
from core.backoffice.site import Line
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


def lines(
    model: type[Model],
    choices: type[TextChoices],
    failing: Mapping[Any, Callable[[], Sequence[str]]],
    act: str,
) -> list[Line]:
    """Return a line a state in which there is something: how many, what that means and, of those that are ``failing``,
    why the newest of them are; ``act`` is what the link to these is called."""
    found = []
    for one in state_counts(model, choices):
        if not one.number:
            continue
        stands, needs = format_html("{}: {}", one.text, one.state.label), one.state in failing
        if needs:
            stands = format_html("{}{}", stands, html.listed(failing[one.state]()))
        link = html.list_link(model, act if needs else "list", show=one.state.value)
        found.append(Line(one.state.value, stands, needs, link))
    return found


def since(due: datetime | None, now: datetime) -> str:
    """Return for how long something has been due."""
    return "nothing is due" if due is None else f"since {html.span(int((now - due).total_seconds()))}"
