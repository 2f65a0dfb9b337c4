"""A world without network for the worker on images: what lies at addresses, and a vetter in this process."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings as configured

from core.net.http.fetch import Fetched, FetchError
from media.decoding import BadImageError
from media.models import CachedImage
from media.renditions import render
from media.sniff import media_type_of
from media.vetting import Verdict, Vetter
from media.worker import ImageWorker
from tests.builders import load_lines, nft
from tests.images.one_colour import encoded

START = datetime(2026, 1, 1, tzinfo=UTC)
GOOD = "https://images.example/good.png"
BAD = "https://images.example/bad.png"
DOWN = "https://down.example/1.png"
PICTURE = encoded((400, 200), fill=(1, 2, 3))


def show(*urls: str) -> None:
    """Load an NFT for each image."""
    load_lines([nft(str(number), metadata={"imageUrl": url}) for number, url in enumerate(urls)])


def files() -> set[str]:
    """Names of all stored files."""
    root = Path(configured.MEDIA_ROOT)
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


class Web:
    """Bytes, or the error, at each address; ``asked`` in order."""

    def __init__(self, pages: Mapping[str, bytes | FetchError]) -> None:
        self.pages = dict(pages)
        self.asked: list[str] = []

    def fetch(self, uri: str) -> Fetched:
        """Return what lies there."""
        self.asked.append(uri)
        found = self.pages[uri]
        if isinstance(found, FetchError):
            raise found
        return Fetched(uri, found, "text/html")


class Here:
    """Vets in this process."""

    def vet(self, data: bytes) -> Verdict:
        """Return what the bytes are."""
        media_type = media_type_of(data)
        try:
            return Verdict(media_type, render(data))
        except BadImageError as error:
            return Verdict(media_type, fault=str(error))


class Clock:
    """A time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        """Let time pass."""
        self.now += timedelta(**span)


def worker(web: Web, clock: Clock, vetter: Here | Vetter | None = None, **options: Any) -> ImageWorker:
    """A worker at these addresses, whose pauses have no luck in them.

    SVGs need a real vetter: resvg keeps to one thread.
    """
    given: dict[str, Any] = {"batch": 10, "threads": 1, "lease_seconds": 100} | options
    return ImageWorker(web, web, vetter or Here(), now=clock, luck=lambda: 0.5, **given)


def due_at(clock: Clock) -> None:
    """Have all images due at a clock's time: rows are made with the real one."""
    CachedImage.objects.filter(next_attempt_at__isnull=False).update(next_attempt_at=clock.now)
