"""Pieces of admin pages: links between rows, third-party addresses, moments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

NOTHING = "–"
MOST_SHOWN = 200
"""Characters of a third-party text that a table shows."""
MOST_SHOWN_OF_DATA = 50
"""Of a `data:` URI, which is one long word: the type and a little more, so that the columns behind it stay in sight."""
MOST_SHOWN_OF_HASHES = 14
MOST_JSON = 10_000
"""Characters of stored JSON that are shown."""


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """Return a text of at most `most` characters, with an ellipsis where it was cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


def short(text: str | None) -> str:
    """Return an address or hash with its middle left out."""
    if not text:
        return NOTHING
    return text if len(text) <= MOST_SHOWN_OF_HASHES else f"{text[:8]}…{text[-4:]}"


def external(url: str | None, at: str | None = None) -> str:
    """Return a third party's URL: a link if it is http or https, else text only (`javascript:`, `data:`, …).

    `at` is where a browser finds it, if not there.
    """
    if not url:
        return NOTHING
    is_data = url[:5].lower() == "data:"
    shown, target = shortened(url, MOST_SHOWN_OF_DATA if is_data else MOST_SHOWN), at or url
    try:
        safe = urlsplit(target).scheme in {"http", "https"} and target[:4].lower() == "http"
    except ValueError:
        safe = False
    if not safe:
        return shown
    return format_html('<a href="{}" rel="noopener noreferrer" target="_blank">{}</a>', target, shown)


def list_link(model: type[Model], text: str, **narrowing: Any) -> SafeString:
    """Return a link to a model's list, narrowed by one of its links or lists."""
    meta = model._meta
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(narrowing), text)


def together(*links: str) -> SafeString:
    """Return links in one line."""
    joined = format_html_join(" · ", "{}", ((link,) for link in links))
    return format_html('<span class="together">{}</span>', joined)


def row_link(model: type[Model], row_id: int | None, text: str) -> str:
    """Return a link to a row's page."""
    if row_id is None:
        return NOTHING
    meta = model._meta
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row_id])
    return format_html('<a href="{}">{}</a>', address, text)


def moment(seconds: int | None) -> str:
    """Return Unix seconds as date and time in UTC."""
    if seconds is None:
        return NOTHING
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):  # beyond the year 9999, or what the system can tell
        return str(seconds)


def span(seconds: int) -> str:
    """Return a length of time in words, in its two largest units."""
    parts = []
    rest = max(seconds, 0)
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        count, rest = divmod(rest, length)
        if count:
            parts.append(f"{count:,} {unit}")
    return " ".join(parts[:2]) or "0 s"


def picture(url: str) -> str:
    """Return a cached rendition (none: an empty URL) as an image; never the third party's address."""
    if not url:
        return NOTHING
    return format_html('<img src="{}" alt="" loading="lazy" class="thumbnail">', url)


def listed(texts: Iterable[str]) -> SafeString:
    """Return texts as a list; empty without any."""
    items = format_html_join("", "<li>{}</li>", ((text,) for text in texts))
    return format_html("<ul>{}</ul>", items) if items else SafeString()


def page_link(name: str, text: str) -> SafeString:
    """Return a link to a page of the site that is no table, by its name."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{name}"), text)


def rows_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> str:
    """Return a small table, with a note behind it. On a phone its rows are blocks, in which each cell has its head."""
    body = format_html_join(
        "",
        "<tr>{}</tr>",
        (
            (format_html_join("", '<td data-label="{}">{}</td>', zip(heads, row, strict=True)),)
            for row in rows
        ),
    )
    if not body:
        return NOTHING
    head = format_html_join("", "<th>{}</th>", ((text,) for text in heads))
    return format_html(
        '<table class="rows"><thead><tr>{}</tr></thead><tbody>{}</tbody></table><p class="help">{}</p>',
        head,
        body,
        note,
    )


def preformatted(text: str) -> str:
    """Return a text with its line breaks."""
    return format_html('<pre class="text">{}</pre>', text)


def json_text(text: str | None) -> str:
    """Return stored JSON as indented text, shortened; an empty list is nothing."""
    if not text or text == "[]":
        return NOTHING
    try:
        shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False) if len(text) <= MOST_JSON else text
    except ValueError:
        shown = text
    shown = shown.encode("utf-8", "replace").decode()
    return preformatted(shortened(shown, MOST_JSON))
