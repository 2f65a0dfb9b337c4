"""Changes to the cache of images that operators ask for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from core.db.writing import writing
from media import cache, withholding
from media.models import CachedImage

FAILED_FOR = timedelta(days=1)
"""How long a failed image is left alone, however often it is named."""

TOGETHER = 200
"""Images whose files are looked for at once."""


def request_again(image_ids: Sequence[int]) -> int:
    """Have images fetched again, as if for the first time; return how many there were.

    What is cached is served until the new bytes are there. One that is withheld stays so. Called within ``writing()``.
    """
    return (
        CachedImage.objects.filter(id__in=image_ids)
        .exclude(state=CachedImage.State.WITHHELD)
        .update(
            state=CachedImage.State.PENDING, attempts=0, next_attempt_at=timezone.now(), lease="", fault=""
        )
    )


def request_lost() -> int:
    """Have images fetched again whose files are gone, as after a backup without them; return how many there are."""
    count, last = 0, 0
    while True:
        rows = list(CachedImage.objects.filter(id__gt=last, original_path__gt="").order_by("id")[:TOGETHER])
        if not rows:
            return count
        last = rows[-1].pk
        with writing():
            count += request_again([row.pk for row in rows if not cache.is_stored(row)])


def come_to_be_shown(image_ids: Sequence[int]) -> None:
    """Have images fetched that an NFT has come to show, though nothing was to be done about them. In ``writing()``.

    Those that waited for it, those taken away with the media of others only, and those that failed over a day ago.
    """
    withholding.put_back(image_ids)
    failed = CachedImage.objects.filter(id__in=image_ids, state=CachedImage.State.FAILED)
    old = failed.filter(tried_at__lt=timezone.now() - FAILED_FOR)
    request_again(list(old.values_list("id", flat=True)))
