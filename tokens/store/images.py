"""Registers the images of NFTs with the cache of images, which fetches them later."""

from __future__ import annotations

from collections.abc import Iterable

from media import store as image_store
from media.models import CachedImage, url_key
from nftsite.db import bulk


def ids_of(urls: Iterable[str]) -> dict[str, int]:
    """Return the id of each URL's row, made as one to fetch when the URL is new, or was shown by nothing till now."""
    keys = {url_key(url): url for url in urls}
    columns = ("key", "id", "state", "next_attempt_at")
    rows = bulk.rows_by(CachedImage, ("key",), [(key,) for key in keys], columns)
    found: dict[str, int] = {key: row_id for key, row_id, _, _ in rows}
    idle = [
        row_id for _, row_id, state, due_at in rows if state == CachedImage.State.PENDING and due_at is None
    ]
    if idle:
        image_store.request_again(idle)
    new = [key for key in keys if key not in found]
    found.update(zip(new, bulk.take_ids(CachedImage, len(new)), strict=True))
    bulk.copy_rows(CachedImage, ("id", "key", "url"), [(found[key], key, keys[key]) for key in new])
    return {url: found[key] for key, url in keys.items()}
