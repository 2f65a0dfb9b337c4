"""Brings the sample into an empty database, and its images into the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from tempfile import TemporaryFile

from django.conf import settings

from media import cache
from media.models import CachedImage, url_key
from nftsite.db.writing import writing
from nftsite.interchange.load import LoadReport, load_files
from nftsite.sample.drawing import image_urls
from nftsite.sample.lines import sample
from nftsite.sample.workers import drawn
from tokens.models import Contract, Nft

TOGETHER = 50
"""Images whose rows are written in one transaction."""


class NotEmptyError(Exception):
    """The database holds a contract or an NFT already."""


def load_sample() -> LoadReport:
    """Load the sample's lines in one transaction: a load that is killed leaves the database empty, as it was.

    Raises :class:`NotEmptyError`, having written nothing, when there is a contract or an NFT.
    """
    with writing():
        if Contract.objects.exists() or Nft.objects.exists():
            raise NotEmptyError
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        # A file without a name, so that a killed load leaves none; the loader opens it by its descriptor.
        with TemporaryFile(dir=settings.VAR_DIR) as file:
            file.writelines(sample())
            file.seek(0)
            report = load_files([f"/dev/fd/{file.fileno()}"], strict=True)
        if report.fault_count:
            raise RuntimeError(f"The sample is faulty: {report.faults[0]}")  # takes the transaction back
        return report


def missing_images() -> list[CachedImage]:
    """Return the images of the sample that the database names and that are not, or no longer, in the cache.

    They are found by the sample's own addresses, on a reserved host: no image of other data is ever among them.
    """
    keys = [url_key(url) for url in image_urls()]
    return [
        image for image in CachedImage.objects.filter(key__in=keys).order_by("id") if not _is_cached(image)
    ]


def draw_images(images: Iterable[CachedImage], on_done: Callable[[int], object] = lambda count: None) -> None:
    """Draw images, store them in all sizes, and mark their rows ready, some at a time. Safe to kill and to repeat.

    ``on_done`` is told how many have been added.
    """
    images = list(images)
    ready = zip(images, drawn([image.url for image in images]), strict=True)
    while some := list(islice(ready, TOGETHER)):
        for _, renditions in some:
            cache.store(renditions)
        with writing():
            for image, renditions in some:
                cache.make_ready(image, renditions)
                image.save(update_fields=cache.READY_FIELDS)
        on_done(len(some))


def _is_cached(image: CachedImage) -> bool:
    return image.state == CachedImage.State.READY and cache.is_stored(image)
