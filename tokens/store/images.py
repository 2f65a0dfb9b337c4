"""Registers the images of NFTs with the cache of images, which fetches them later."""

from __future__ import annotations

from collections.abc import Iterable

from core.db import bulk
from media import store as image_store
from media.models import CachedImage, url_key


def ids_of(images: Iterable[str], media: Iterable[str] = ()) -> dict[str, int]:
    """Return the id of each URL's row, made as one to fetch when the URL is new, or was shown by nothing till now.

    Of ``media`` only the type is wanted; what is an image's URL too is an image's.
    """
    wanted = {url_key(url): (url, False) for url in media} | {url_key(url): (url, True) for url in images}
    if not wanted:
        return {}
    columns = ("key", "id", "state", "next_attempt_at", "is_picture")
    rows = bulk.rows_by(CachedImage, ("key",), [(key,) for key in wanted], columns)
    found: dict[str, int] = {key: row_id for key, row_id, *_ in rows}
    promoted = [row[1] for row in rows if wanted[row[0]][1] and not row[4]]
    CachedImage.objects.filter(id__in=promoted).update(is_picture=True)
    image_store.request_again(promoted)
    image_store.come_to_be_shown(
        [row[1] for row in rows if row[3] is None and row[2] != CachedImage.State.READY]
    )
    new = [key for key in wanted if key not in found]
    found.update(zip(new, bulk.take_ids(CachedImage, len(new)), strict=True))
    bulk.copy_rows(
        CachedImage, ("id", "key", "url", "is_picture"), [(found[key], key, *wanted[key]) for key in new]
    )
    return {url: found[key] for key, (url, _) in wanted.items()}
