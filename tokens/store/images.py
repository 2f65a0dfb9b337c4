"""Registers the images of NFTs with the cache of images, which fetches them later."""

from __future__ import annotations

from collections.abc import Iterable

from media.models import CachedImage, url_key
from nftsite.db import bulk


def ids_of(urls: Iterable[str]) -> dict[str, int]:
    """Return the id of each URL's row, made as one to fetch when the URL is new."""
    keys = {url_key(url): url for url in urls}
    found: dict[str, int] = dict(bulk.rows_by(CachedImage, ("key",), [(key,) for key in keys], ("key", "id")))
    new = [key for key in keys if key not in found]
    found.update(zip(new, bulk.take_ids(CachedImage, len(new)), strict=True))
    bulk.copy_rows(CachedImage, ("id", "key", "url"), [(found[key], key, keys[key]) for key in new])
    return {url: found[key] for key, url in keys.items()}
