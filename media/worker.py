"""Caches images: claims rows that are due, fetches and vets their bytes, stores the files, and only then says so.

Nothing is done twice at once (leases), nothing is lost by a kill: a row is due again when its lease ends, files lie
under the names of their content, and a row names a file only when it is whole.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from django.db.models import QuerySet
from django.utils import timezone

from media import cache, outcomes
from media.models import CachedImage, WithheldContent
from media.outcomes import Outcome, State
from media.renditions import Renditions
from media.sniff import media_type_of
from media.vetting import Verdict
from media.withholding import PATHS, doom, take_away
from nftsite.db import leases
from nftsite.db.leases import Lease
from nftsite.db.writing import writing
from nftsite.net.fetch import Fetched, FetchError, FetchKind

log = logging.getLogger(__name__)

OLD_FILES = timedelta(days=7)
"""How long the files of replaced content stay: answers that link to them may be kept by clients."""


class _Fetches(Protocol):
    def fetch(self, uri: str) -> Fetched: ...


class _Vets(Protocol):
    def vet(self, data: bytes) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class _Image:
    """A claimed row, as far as the work on it needs it."""

    id: int
    url: str
    attempts: int
    is_picture: bool


@dataclass(frozen=True, slots=True)
class _Result:
    """What became of a claimed image: an outcome, and what its bytes are as far as they came."""

    image: _Image
    outcome: Outcome
    verdict: Verdict | None = None
    source_hash: str = ""

    @property
    def renditions(self) -> Renditions | None:
        """What is to be stored, if it is an image."""
        return None if self.verdict is None else self.verdict.renditions


class ImageWorker:
    """Works on images in batches; any number of workers may be at it side by side."""

    def __init__(
        self,
        fetcher: _Fetches,
        heads: _Fetches,
        vetter: _Vets,
        *,
        batch: int,
        threads: int,
        lease_seconds: float,
        now: Callable[[], datetime] = timezone.now,
        luck: Callable[[], float] = random.random,
        rows: QuerySet[CachedImage] | None = None,
    ) -> None:
        """``heads`` fetches the first bytes of what is no picture, to see its type; ``rows`` are the images to choose
        from, all by default.

        ``lease_seconds`` must outlast a whole batch: fetching with its deadline, and vetting, of each in turn.
        """
        self._fetcher = fetcher
        self._heads = heads
        self._vetter = vetter
        self._batch = batch
        self._threads = threads
        self._seconds = lease_seconds
        self._now = now
        self._luck = luck
        self._rows = CachedImage.objects.all() if rows is None else rows

    def work(self) -> dict[str, int]:
        """Do one batch and return how many images came to which state; an empty answer: nothing is due."""
        lease = leases.claim(self._rows, self._batch, self._seconds, self._now())
        if not lease.keys:
            return {}
        rows = CachedImage.objects.filter(id__in=lease.keys)
        shown = _shown(lease.keys)
        images = [_Image(*row) for row in rows.values_list("id", "url", "attempts", "is_picture")]
        results = [
            _Result(one, Outcome(State.PENDING, NOT_SHOWN, None)) for one in images if one.id not in shown
        ]
        with ThreadPoolExecutor(self._threads) as pool:
            results += pool.map(self._one, [one for one in images if one.id in shown])
        return self._finish(lease, results)

    def _one(self, image: _Image) -> _Result:
        """Fetch and vet one image, and store its files. Nothing that is in the bytes gets further than this."""
        try:
            fetched = (self._fetcher if image.is_picture else self._heads).fetch(image.url)
        except FetchError as error:
            return _Result(image, outcomes.of_fetch(error, image.attempts, self._luck()))
        if not image.is_picture:
            return _Result(image, *outcomes.of_type(media_type_of(fetched.body)))
        source_hash = hashlib.sha256(fetched.body).hexdigest()
        try:
            verdict = self._vetter.vet(fetched.body)
            if verdict.renditions is not None:
                cache.store(verdict.renditions)
        except Exception as error:  # a defect of ours, or a full disk, on one image: the others go on
            log.exception("Image %s could not be cached", image.id)
            fault = FetchError(f"The service failed at it: {error!r}.", FetchKind.UNREACHABLE, None)
            return _Result(image, outcomes.of_fetch(fault, image.attempts, self._luck()))
        return _Result(image, outcomes.of_verdict(verdict), verdict, source_hash)

    def _finish(self, lease: Lease, results: Sequence[_Result]) -> dict[str, int]:
        counts: dict[str, int] = {}
        with writing():
            held = leases.held(CachedImage, lease)
            withheld = set(
                WithheldContent.objects.filter(
                    source_hash__in=[one.source_hash for one in results if one.source_hash]
                ).values_list("source_hash", flat=True)
            )
            for row in CachedImage.objects.filter(id__in=held):
                result = next(one for one in results if one.image.id == row.pk)
                _write(row, result, result.source_hash in withheld, self._now())
                counts[row.state] = counts.get(row.state, 0) + 1
        return counts


NOT_SHOWN = "No NFT shows it, so it is not fetched."


def _shown(image_ids: Sequence[int]) -> set[int]:
    """Return which images some NFT shows that may be shown."""
    found: set[int] = set()
    for nfts in ("nfts", "animated"):  # by the names of relations: this app knows no NFTs, they know it
        may_be_shown = {f"{nfts}__media_withheld": False, f"{nfts}__contract__media_withheld": False}
        rows = CachedImage.objects.filter(id__in=image_ids, **may_be_shown)
        found.update(rows.values_list("id", flat=True).distinct())
    return found


def _write(row: CachedImage, result: _Result, is_withheld: bool, now: datetime) -> None:
    """Write a result into its row. What was cached before stays when the new attempt gave nothing."""
    row.lease, row.tried_at = "", now
    if is_withheld:
        row.source_hash = result.source_hash
        row.save(update_fields=["lease", "tried_at", "source_hash"])
        take_away([row.pk])
        row.state = State.WITHHELD
        if result.renditions is not None:
            doom(file.name for file in result.renditions.files)
        return
    row.state, row.fault, wait = result.outcome
    row.next_attempt_at = None if wait is None else now + wait
    if result.renditions is not None:
        before = {getattr(row, path) for path in PATHS} - {""}
        cache.store(result.renditions)  # again: what nothing referred to may have been deleted since
        cache.make_ready(row, result.renditions)
        doom(before - {file.name for file in result.renditions.files}, now + OLD_FILES)
    if result.verdict is not None and row.state == State.READY:
        row.attempts = 0
        row.source_hash, row.media_type = result.source_hash, result.verdict.media_type
    row.save()
