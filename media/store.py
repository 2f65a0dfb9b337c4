"""Changes to the cache of images that operators ask for."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from media.models import CachedImage


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
