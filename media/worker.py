"""Caches images: claims rows that are due, fetches and vets their bytes, stores the files, and only then says so.

Nothing is done twice at once (leases), nothing is lost by a kill: a row is due again when its lease ends, files lie
under the names of their content, and a row names a file only when it is whole.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from core.db import leases
from core.db.leases import Lease
from core.db.texts import storable
from core.db.writing import writing
from core.net.http.fetch import Fetched, FetchError
from media import cache, outcomes
from media.files import File, Renditions
from media.models import CachedImage
from media.outcomes import Outcome, State
from media.sniff import media_type_of
from media.uses import uses
from media.vetting import Verdict
from media.withholding import OLD_FILES, PATHS, doom, is_withheld, spare, take_away

log = logging.getLogger(__name__)


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
    is_ours: bool = False
    """Whether it was the service that failed, which does not count as an attempt."""

    @property
    def files(self) -> tuple[File, ...]:
        """What was stored of it."""
        return () if self.renditions is None else self.renditions.files

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
        """Do one batch and return how many images came to which state; an empty answer: nothing is due.

        Each image is written as soon as it is done, so that no more of them are held in memory than are worked on.
        """
        lease = leases.claim(self._rows, self._batch, self._seconds, self._now())
        if not lease.keys:
            return {}
        rows = CachedImage.objects.filter(id__in=lease.keys)
        images = [_Image(*row) for row in rows.values_list("id", "url", "attempts", "is_picture")]
        may_be_shown = uses().shown(lease.keys)
        counts = Counter[str]()
        todo = []
        for one in images:
            if one.attempts > outcomes.MOST_ATTEMPTS:
                counts.update(self._finish(lease, _Result(one, outcomes.of_deaths(one.attempts))))
            elif one.id not in may_be_shown:
                counts.update(self._finish(lease, _Result(one, NOT_SHOWN)))
            else:
                todo.append(one)
        with ThreadPoolExecutor(self._threads) as pool:
            running: set[Future[_Result]] = set()
            while todo or running:
                while todo and len(running) < self._threads:
                    running.add(pool.submit(self._one, todo.pop(0)))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    counts.update(self._finish(lease, future.result()))
                del done, future  # and with them the bytes
        return dict(counts)

    def _one(self, image: _Image) -> _Result:
        """Fetch and vet one image, and store its files. Nothing that is in the bytes gets further than this."""
        try:
            fetched = (self._fetcher if image.is_picture else self._heads).fetch(image.url)
        except FetchError as error:
            return _Result(image, outcomes.of_fetch(error, image.attempts, self._luck()))
        if not image.is_picture:
            return _Result(image, *outcomes.of_type(media_type_of(fetched.body)))
        try:
            verdict = self._vetter.vet(fetched.body)
            if verdict.renditions is not None:
                cache.store(verdict.renditions)
        except Exception as error:  # a defect of ours, or a full disk, on one image: the others go on
            return self._defect(image, error)
        source_hash = _digest(fetched.body, verdict.renditions)
        return _Result(image, outcomes.of_verdict(verdict), verdict, source_hash)

    def _defect(self, image: _Image, error: Exception) -> _Result:
        log.error("Image %s could not be cached", image.id, exc_info=error)
        return _Result(image, outcomes.of_defect(error, self._luck()), is_ours=True)

    def _finish(self, lease: Lease, result: _Result) -> list[str]:
        """Write a result, if the row is still this worker's; return the state that it came to."""
        try:
            with writing():
                return self._written(lease, result)
        except DatabaseError:
            raise
        except Exception as error:  # the storage failed meanwhile
            with writing():
                return self._written(lease, self._defect(result.image, error))

    def _written(self, lease: Lease, result: _Result) -> list[str]:
        row = CachedImage.objects.select_for_update().filter(id=result.image.id, lease=lease.token).first()
        if row is None:  # overtaken: what was stored for it may be nobody's
            doom(file.name for file in result.files)
            return []
        if result.outcome is NOT_SHOWN and uses().shown([row.pk]):  # by now it is
            CachedImage.objects.filter(id=row.pk).update(lease="", attempts=0, next_attempt_at=self._now())
            return []
        _write(row, result, self._now())
        return [row.state]


def _digest(body: bytes, renditions: Renditions | None) -> str:
    """Return the SHA-256 of what was fetched, which most often is the original that is kept."""
    if renditions is not None and renditions.original.data is body:
        return renditions.original.digest
    return hashlib.sha256(body).hexdigest()


NOT_SHOWN = Outcome(State.PENDING, "No NFT shows it, so it is not fetched.", None)


def _write(row: CachedImage, result: _Result, now: datetime) -> None:
    """Write a result into its row. What was cached before stays when the new attempt gave nothing."""
    row.lease, row.tried_at = "", now
    renditions = result.renditions
    if is_withheld([result.source_hash, "" if renditions is None else renditions.content_hash]):
        row.source_hash = result.source_hash
        row.content_hash = row.content_hash if renditions is None else renditions.content_hash
        row.save(update_fields=["lease", "tried_at", "source_hash", "content_hash"])
        take_away([row.pk])
        row.state = State.WITHHELD
        doom(file.name for file in result.files)
        return
    row.state, fault, pause = result.outcome
    row.fault = storable(fault)
    row.next_attempt_at = None if pause is None else now + pause
    if result.is_ours:
        row.attempts -= 1
    if result.verdict is not None and row.state == State.READY:
        before = {getattr(row, path) for path in PATHS} - {""}
        row.attempts = 0
        if renditions is None:
            cache.clear(row)
        else:
            if spare([file.name for file in result.files]):
                cache.store(renditions)
            cache.make_ready(row, renditions)
        row.source_hash, row.media_type = result.source_hash, result.verdict.media_type
        doom(before - {file.name for file in result.files}, now + OLD_FILES)
    row.save()
