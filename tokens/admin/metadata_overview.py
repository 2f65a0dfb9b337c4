"""What the page on metadata shows, and its line on the index of the admin."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from core.backoffice import html, queues
from tokens.admin.waiting import waiting
from tokens.models import ContractRarity, MetadataFetch, MetadataRefresh


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


def summary() -> str:
    """Return how many NFTs are in which state, in a line; empty where there are none."""
    return queues.summary(MetadataFetch, MetadataFetch.State)
