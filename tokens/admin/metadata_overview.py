"""What the page on metadata shows, and its line on the index of the admin."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from nftsite.backoffice import html
from tokens.models import ContractRarity, MetadataFetch, MetadataRefresh
from tokens.status import state_counts, waiting


def context() -> dict[str, Any]:
    """Return the table of states, and what is to be done."""
    now = timezone.now()
    found = waiting(now)
    since = "nothing is due"
    if found.due_since is not None:
        since = f"since {html.span(int((now - found.due_since).total_seconds()))}"
    return {
        "states": html.rows_table(
            ("state", "what it means", "NFTs"),
            [
                (
                    html.list_link(MetadataFetch, one.state.value, show=one.state.value),
                    one.state.label,
                    one.text,
                )
                for one in state_counts()
            ],
        ),
        "facts": (
            ("Due", html.together(since, html.list_link(MetadataFetch, "list", show="due"))),
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


def summary() -> str:
    """Return how many NFTs are in which state, in a line; empty where there are none."""
    return ", ".join(f"{one.text} {one.state.value}" for one in state_counts() if one.number)
