"""The sample's images, on their way through the worker that caches everybody's (``media.worker``)."""

from __future__ import annotations

import json
import os
import threading

from django.db.models import QuerySet

from media.fetching import head_fetcher, image_fetcher
from media.models import CachedImage
from media.usage import DiskLimit
from media.vetters import Vetters
from media.worker import ImageWorker
from nftsite.sample.loading import SAMPLE
from tokens.models import Nft

BATCH = 16
LEASE_SECONDS = 60.0
"""Nothing is waited for: the images lie in the database. What a killed run held is due again so soon."""


def addresses() -> list[str]:
    """Return the addresses of the sample's contracts, in the order of the file."""
    with SAMPLE.open(encoding="utf-8") as lines:
        return [
            json.loads(line)["contractAddress"] for line in lines if line.startswith('{"record":"contract"')
        ]


def images() -> QuerySet[CachedImage]:
    """Return the images that NFTs of the sample's contracts show, as far as they are `data:` URIs."""
    nfts = Nft.objects.filter(contract__address__in=addresses())
    return CachedImage.objects.filter(id__in=nfts.values("image_id"), url__startswith="data:")


def cache_images(stop: threading.Event) -> int:
    """Cache those that are not cached, until none is left, ``stop`` is set, or the disk limit is reached.

    Return how many came to an end. Safe to kill and to repeat; what another worker is at is waited for. One at which
    the service failed is tried again by `cache_images`, after minutes.
    """
    rows = images()
    left = rows.filter(next_attempt_at__isnull=False, fault="")
    limit, processes, count = DiskLimit(), min(os.cpu_count() or 1, 4), 0
    with Vetters(processes) as vetters:
        worker = ImageWorker(
            image_fetcher(),
            head_fetcher(),
            vetters,
            batch=BATCH,
            threads=processes,
            lease_seconds=LEASE_SECONDS,
            rows=rows,
        )
        while not stop.is_set() and not limit.is_reached() and left.exists():
            done = sum(worker.work().values())
            count += done
            if not done:
                stop.wait(0.5)
    return count
