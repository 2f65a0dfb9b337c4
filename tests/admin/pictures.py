"""Pictures at addresses without a network, and how they come into the cache."""

from __future__ import annotations

from tests.images.one_colour import encoded
from tests.images.working import Clock, Web, due_at, worker

SHARED, ALONE = "https://images.example/shared.png", "https://images.example/alone.png"
UNSEEN = "https://images.example/nobody-has-fetched-it.png"
MOVIE, NEW = "https://x.example/1", "https://images.example/new.png"
WEB = {
    SHARED: encoded((300, 300), fill=(1, 2, 3)),
    ALONE: encoded((300, 300), fill=(4, 5, 6)),
    UNSEEN: encoded((300, 300), fill=(7, 7, 7)),
    MOVIE: b"GIF89a",
    NEW: encoded((300, 300), fill=(7, 8, 9)),
}


def cache() -> None:
    """Cache all that is due."""
    clock = Clock()
    due_at(clock)
    worker(Web(WEB), clock).work()
