"""A worker that reads metadata: claims NFTs that are due, asks where their documents are, fetches, writes.

Any number of workers work side by side, each on what it has claimed for a while. One that dies loses nothing: what it
had claimed is due again when its lease ends, and what it has written stands. Times are in seconds.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

from django.db.models import Q, QuerySet
from django.utils import timezone

from core.db import leases
from core.db.leases import Lease
from core.net.http.fetch import Fetcher
from core.net.rpc.jsonrpc import Node
from tokens.metadata import items, writing
from tokens.metadata.hosts import Silences, in_lanes, place_of
from tokens.metadata.items import Item, Result
from tokens.metadata.locating import Locator, Start
from tokens.metadata.outcomes import State
from tokens.metadata.reading import Reader, locate, without_document
from tokens.models import MetadataFetch
from tokens.store import fetches

BATCH = 100
"""NFTs claimed at once."""

THREADS = 16
LANES = 8
"""Documents fetched at a time, and from one host at most: a host that hangs leaves half of the threads to others."""

MAX_BYTES = 64 << 20
"""Of the documents of a batch, after which no further one is begun: so much is held in memory until it is written."""

LEASE = 300.0
"""Seconds that a batch is its worker's. No document is begun after half of it; the rest is for those under way."""

LONGEST_LEASE = timedelta(hours=1)

FEW = 1_000
"""NFTs due below which ranges become as many more: a collection of a million is not to stand before all else."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which NFTs a worker is for: all, or those of some contracts, of one chain, or some NFTs, by their ids."""

    contract_ids: Sequence[int] | None = None
    chain_id: int | None = None
    nft_ids: Sequence[int] | None = None

    def rows(self) -> QuerySet[MetadataFetch]:
        """Return the work that belongs to it."""
        rows = MetadataFetch.objects.all()
        for name, wanted in (("contract_id__in", self.contract_ids), ("nft_id__in", self.nft_ids)):
            rows = rows if wanted is None else rows.filter(**{name: list(wanted)})
        return rows if self.chain_id is None else rows.filter(chain_id=self.chain_id)


@dataclass
class Tally:
    """What a worker has done so far: attempts by the state that they ended in, and the contracts concerned."""

    states: Counter[State] = field(default_factory=Counter)
    contract_ids: set[int] = field(default_factory=set)


class Worker:
    """Reads metadata in batches. ``nodes`` by slug of their chain; a chain without one is read by stored URIs.

    ``stop``: once set, nothing new is begun. ``clock`` returns seconds that only grow.
    """

    def __init__(
        self,
        nodes: Mapping[str, Node],
        fetcher: Fetcher,
        scope: Scope | None = None,
        *,
        lease: float = LEASE,
        stop: threading.Event | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tally = Tally()
        self._scope = scope or Scope()
        self._lease = lease
        self._stop = stop or threading.Event()
        self._clock = clock
        self._is_for_new = False
        silences = Silences(clock)
        self._locator = Locator(nodes, silences)
        self._reader = Reader(fetcher, silences)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="metadata")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def expand(self) -> bool:
        """Turn some of the ranges of tokens that are to be read again into work, where little is due; say if any."""
        scope, now = self._scope, timezone.now()
        if scope.nft_ids is not None or scope.rows().filter(next_attempt_at__lte=now)[:FEW].count() == FEW:
            return False
        ids = scope.contract_ids
        return bool(fetches.expand(FEW, now, contract_ids=ids, chain_id=scope.chain_id))

    def step(self) -> bool:
        """Work on what is due, one batch of it; return whether there was any.

        Every other batch is of NFTs that have never been tried, if there are any: whatever is read again, and however
        much of it, what is newly minted is read soon.
        """
        lease = self._claim(timezone.now())
        if not lease.keys:
            return False
        until = self._clock() + self._lease / 2
        batch = items.of(lease)
        starts = self._locator.starts(batch, lambda: self._is_over(until))
        found = self._results(batch, starts, until)
        self._read_beside_files(batch, found, until)
        self._write(lease, [one for one in found if one is not None])
        left = [item.nft_id for item, one in zip(batch, found, strict=True) if one is None]
        if left:
            writing.give_back(lease, left, timezone.now())
        return True

    def _claim(self, now: datetime) -> Lease:
        rows = self._scope.rows()
        self._is_for_new = not self._is_for_new
        if self._is_for_new:
            lease = leases.claim(rows.filter(tried_at__isnull=True), BATCH, self._lease, now)
            if lease.keys:
                return lease
        return leases.claim(rows, BATCH, self._lease, now)

    def _write(self, lease: Lease, results: Sequence[Result]) -> None:
        self.tally.states += writing.write(lease, results, timezone.now())
        self.tally.contract_ids |= {one.item.contract_id for one in results}

    def _is_over(self, until: float) -> bool:
        return self._stop.is_set() or self._clock() >= until

    def _read_beside_files(self, batch: Sequence[Item], found: list[Result | None], until: float) -> None:
        """Read the documents of those whose URI led to the work itself, where their contracts name such beside it."""
        places = [place for place, one in enumerate(found) if one is not None and one.file is not None]
        if not places:
            return
        items, files = [batch[place] for place in places], [found[place] for place in places]
        starts = self._locator.beside_files(items, lambda: self._is_over(until))
        named = [start if start is None or start.verdict or start.uri else None for start in starts]
        read = self._results(items, named, until, files)
        for place, start, file, one in zip(places, starts, files, read, strict=True):
            if one is not None:
                found[place] = one
            elif start is None or start.uri or start.verdict:
                found[place] = None  # there was no time for it
            else:
                found[place] = file

    def _results(
        self,
        batch: Sequence[Item],
        starts: Sequence[Start | None],
        until: float,
        files: Sequence[Result | None] = (),
    ) -> list[Result | None]:
        """Fetch what is to be fetched; ``None`` for what was not begun. ``files``: the works that it is beside."""
        found: list[Result | None] = [None] * len(batch)
        wanted: list[tuple[int, str, int | None]] = []
        for place, (item, start) in enumerate(zip(batch, starts, strict=True)):
            if start is None:
                continue
            where = Result(item, start.verdict) if start.verdict else locate(item, start.uri)
            if isinstance(where, Result):
                found[place] = without_document(where, files[place] if files else None)
            else:
                wanted.append((place, where, start.block))

        size = 0

        def work(number: int) -> None:
            nonlocal size
            place, uri, block = wanted[number]
            if size < MAX_BYTES and not self._is_over(until):
                file = files[place] if files else None
                one = found[place] = self._reader.read(batch[place], uri, block, file)
                size += len(one.document.body) if one.document else 0

        in_lanes(self._pool, [place_of(uri) for _, uri, _ in wanted], LANES, work)
        return found


def quiet(contract_id: int, now: datetime) -> bool:
    """Tell whether nothing of a contract waits to be read now, nor is being read by any worker."""
    rows = MetadataFetch.objects.filter(contract_id=contract_id, next_attempt_at__lte=now + LONGEST_LEASE)
    return not rows.filter(Q(next_attempt_at__lte=now) | ~Q(lease="")).exists()
