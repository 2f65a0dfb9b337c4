"""What the page on metadata shows, and its line on the index of the admin."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.html import format_html

from core.backoffice import html, queues
from core.backoffice.site import Line
from tokens.admin.columns import nft_title
from tokens.admin.waiting import waiting
from tokens.models import ContractRarity, MetadataFetch, MetadataRefresh, Nft

State = MetadataFetch.State
MOST_FAILED = 3
"""NFTs of each failing state that the first page names."""
LATE = timedelta(hours=1)
"""For how long something has been due when that is worth a line."""


def context() -> dict[str, Any]:
    """Return the table of states, and what is to be done."""
    now = timezone.now()
    found = waiting(now)
    return {
        "states": queues.states(MetadataFetch, MetadataFetch.State, "NFTs"),
        "command": "fetch_metadata --follow",
        "facts": (
            (
                "Due",
                html.together(
                    queues.since(found.due_since, now), html.list_link(MetadataFetch, "list", show="due")
                ),
            ),
            (
                "Ranges to be read again",
                html.together(f"{found.ranges:,}", html.list_link(MetadataRefresh, "list")),
            ),
            (
                "Contracts whose rarity is to be computed",
                html.together(f"{found.rarities:,}", html.list_link(ContractRarity, "list", show="due")),
            ),
        ),
    }


def lines() -> list[Line]:
    """Return how many NFTs are in which state, and why the newest failed; and what else is to be done."""
    failing = {state: partial(_newest, state) for state in (State.UNUSABLE, State.UNREACHABLE, State.GONE)}
    found = queues.lines(MetadataFetch, State, failing, "read again")
    now = timezone.now()
    due = waiting(now).due_since
    if due is not None and now - due > LATE:
        stands = f"NFTs wait {queues.since(due, now)}: is fetch_metadata --follow at work?"
        found.append(Line("due", stands, True, html.page_link("metadata", "metadata")))
    return found


def _newest(state: State) -> list[str]:
    """Return the last NFTs in a state, by name, each with the reason."""
    rows = MetadataFetch.objects.filter(state=state).select_related("nft__contract").order_by("-nft_id")
    return [
        format_html("{}: {}", html.row_link(Nft, row.nft_id, nft_title(row.nft)), html.shortened(row.fault))
        for row in rows[:MOST_FAILED]
    ]
