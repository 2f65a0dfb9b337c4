"""An NFT's animation: what may be shown of it, and only once somebody asks for it, since it lies at a third party."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

_DIRECTIVES = {"video": "media-src", "audio": "media-src", "document": "frame-src"}


@dataclass(frozen=True, slots=True)
class Animation:
    """What it is (``video``, ``audio``, ``document`` or ``other``), of which type, where, and at which host."""

    kind: str
    media_type: str
    url: str
    host: str

    @property
    def directive(self) -> str | None:
        """The part of the page's policy that lets it be played; ``None`` where it is not played here."""
        return _DIRECTIVES.get(self.kind)


def animation(record: Mapping[str, Any]) -> Animation | None:
    """Return the animation of an NFT record; ``None`` without one, and for one that no page may lead to.

    A record has none of what is withheld. Only http and https are followed; a document is played without the rights of
    any origin (``sandbox``), and by its type, which its bytes told where they were read.
    """
    metadata = record.get("metadata") or {}
    url, media_type = metadata.get("mediaUrl"), metadata.get("mediaType") or ""
    if not isinstance(url, str) or not isinstance(media_type, str):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if (
        parts.scheme not in ("http", "https")
        or not host
        or not url.isascii()
        or any(one in url for one in " ;,'\"<>\\")
    ):
        return None
    first = media_type.partition("/")[0]
    kind = (
        first
        if first in ("video", "audio")
        else "document"
        if media_type.startswith("text/html")
        else "other"
    )
    return Animation(kind, media_type or "of a type that is not known", url, host)
