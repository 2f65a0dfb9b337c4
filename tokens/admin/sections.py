"""What hangs on an NFT and has no list of its own, or a long one: its first rows, on the NFT's page."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import Any

from django.db.models import BinaryField
from django.db.models.functions import Length, Substr
from django.utils.html import format_html, format_html_join

from core.backoffice import html
from tokens.models import MetadataDocument, MetadataFetch, Nft, NftMarket, NftTrait, Owner
from tokens.models.market import ANYWHERE

MOST = 50
"""Rows that a section shows."""
MOST_TEXT = 10_000
"""Bytes of a document that are shown."""
MOST_BYTES = 1_000
"""Bytes of a document that are shown when they are no text."""


def _section(heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    note = f"Only the first {MOST} are shown." if len(rows) > MOST else ""
    return html.rows_table(heads, rows[:MOST], note)


def traits(nft: Nft) -> str:
    """Return the traits, by the number of NFTs that have them in common."""
    rows = NftTrait.objects.filter(nft=nft, trait__contract__isnull=False).order_by("trait_id")
    columns = rows.values_list("trait__type", "trait__value", "trait__count")[: MOST + 1]
    return _section(
        ("type", "value", "NFTs of the contract"),
        [(html.shortened(kind), html.shortened(value), f"{count:,}") for kind, value, count in columns],
    )


def markets(nft: Nft) -> str:
    """Return the marketplaces, and whether it was traded there or only has asks."""
    rows = NftMarket.objects.filter(nft=nft, market_id__gt=ANYWHERE).order_by("market_id")
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


def fetch_state(nft: Nft) -> str:
    """Return where the work on the metadata stands, with a link to its row."""
    row = MetadataFetch.objects.filter(nft=nft).first()
    if row is None:
        return "not to be read: it was stated, or nothing has asked for it yet"
    parts = [html.row_link(MetadataFetch, row.pk, row.state), row.get_state_display()]
    if row.fault:
        parts.append(html.shortened(row.fault))
    if row.next_attempt_at is not None:
        parts.append(f"next attempt {row.next_attempt_at:%Y-%m-%d %H:%M:%S} UTC")
    return format_html_join(" · ", "{}", ((part,) for part in parts))


def document(nft_id: int) -> str:
    """Return the document that an NFT's metadata was read from as text, or as bytes where it is none, shortened."""
    found = MetadataDocument.objects.filter(nft_id=nft_id)
    head = Substr("body", 1, MOST_TEXT, output_field=BinaryField())
    row = found.values_list(head, Length("body"), "url", "media_type", "fetched_at").first()
    if row is None:
        return html.NOTHING
    body, size, url, media_type, fetched_at = row  # SQLite has no part of an empty body
    about = f"{size:,} bytes, {media_type or 'of no stated type'}, {fetched_at:%Y-%m-%d %H:%M:%S} UTC"
    more = f" (the first {MOST_TEXT:,} are shown)" if size > MOST_TEXT else ""
    return format_html("{}{}, from {}<br>{}", about, more, html.external(url), _readable(bytes(body or b"")))


def _readable(body: bytes) -> str:
    """Return bytes as text, which may end within a character, else in hexadecimal digits."""
    try:
        text = getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        text = html.shortened(body[:MOST_BYTES].hex(" "), 3 * MOST_BYTES)
    return html.preformatted(text.replace("\0", "\N{SYMBOL FOR NULL}"))
