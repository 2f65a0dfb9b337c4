"""What hangs on an NFT and has no list of its own, or a long one: its first rows, on the NFT's page."""

from __future__ import annotations

import json
from typing import Any

from nftsite.backoffice import html
from tokens.models import Nft, NftMarket, NftTrait, Owner

MOST = 50
"""Rows that a section shows."""
MOST_JSON = 10_000
"""Characters of metadata that are shown."""


def _section(heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    note = f"Only the first {MOST} are shown." if len(rows) > MOST else ""
    return html.rows_table(heads, rows[:MOST], note)


def traits(nft: Nft) -> str:
    """Return the traits, by the number of NFTs that have them in common."""
    rows = NftTrait.objects.filter(nft=nft).order_by("trait_id")
    columns = rows.values_list("trait__type", "trait__value", "trait__count")[: MOST + 1]
    return _section(
        ("type", "value", "NFTs of the contract"),
        [(html.shortened(kind), html.shortened(value), f"{count:,}") for kind, value, count in columns],
    )


def markets(nft: Nft) -> str:
    """Return the marketplaces, and whether it was traded there or only has asks."""
    rows = NftMarket.objects.filter(nft=nft).order_by("market_id")
    columns = rows.values_list("market__slug", "traded")[: MOST + 1]
    return _section(
        ("marketplace", ""), [(slug, "traded" if traded else "asks only") for slug, traded in columns]
    )


def owners(nft: Nft) -> str:
    """Return the holders, most units first."""
    rows = Owner.objects.filter(nft=nft, amount__gt=0).order_by("-amount", "entered_key", "address")
    found = list(rows[: MOST + 1])
    return _section(
        ("owner", "units", "since"), [(one.address, one.amount, html.moment(one.entered_at)) for one in found]
    )


def json_text(text: str | None) -> str:
    """Return stored JSON as indented text, shortened."""
    if not text:
        return html.NOTHING
    try:
        shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False) if len(text) <= MOST_JSON else text
    except ValueError:
        shown = text
    shown = shown.encode("utf-8", "replace").decode()
    return html.preformatted(html.shortened(shown, MOST_JSON))
