"""The sample's images, on their way through the worker that caches everybody's (``media.worker``)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from django.db.models import QuerySet

from core.db.writing import writing
from media import cache
from media.fetching import head_fetcher, image_fetcher
from media.models import CachedImage
from media.store import request_again
from media.usage import DiskLimit
from media.vetters import Vetters
from media.worker import ImageWorker
from nftsite.sample.collections import COLLECTIONS
from tokens.models import Nft

BATCH = 16
LEASE_SECONDS = 60.0
"""Nothing is waited for: the images lie in the database. What a killed run held is due again so soon."""

State = CachedImage.State


def images() -> QuerySet[CachedImage]:
    """Return the images that NFTs of the sample's contracts show, as far as they are `data:` URIs."""
    nfts = Nft.objects.filter(contract__address__in=[collection.address for collection in COLLECTIONS])
    return CachedImage.objects.filter(id__in=nfts.values("image_id"), url__startswith="data:")


def missing() -> int:
    """Return how many of the sample's images are to be cached.

    Those whose files are gone, and those at which the service failed, are asked for again.
    """
    ready = images().filter(state=State.READY)
    again = [image.pk for image in ready if not cache.is_stored(image)]
    again += _unfinished().exclude(fault="").values_list("id", flat=True)
    if again:
        with writing():
            request_again(again)
    return _unfinished().count()


def cache_images(
    on_done: Callable[[int], object] = lambda count: None, is_over: Callable[[], bool] = lambda: False
) -> bool:
    """Cache what is missing, until nothing is, ``is_over`` says so, or the disk limit is reached.

    Return whether nothing is missing. ``on_done`` is told after each batch how many more came to an end. Safe to kill
    and to repeat; what another worker is at is waited for.
    """
    limit = DiskLimit()
    processes = min(os.cpu_count() or 1, 4)
    with Vetters(processes) as vetters:
        worker = ImageWorker(
            image_fetcher(),
            head_fetcher(),
            vetters,
            batch=BATCH,
            threads=processes,
            lease_seconds=LEASE_SECONDS,
            rows=images(),
        )
        # One at which the service failed is tried again after minutes, by the next run or by ``cache_images``.
        while not is_over() and not limit.is_reached() and _unfinished().filter(fault="").exists():
            done = sum(worker.work().values())
            on_done(done)
            if not done:
                time.sleep(0.5)
    return not _unfinished().exists()


def _unfinished() -> QuerySet[CachedImage]:
    return images().filter(next_attempt_at__isnull=False)
