"""Computes the rarity of a contract's NFTs, and keeps account of when it is to be computed again.

A computation reads all traits, rates them in memory, and writes what differs in batches, each a transaction of its
own, so that other writers get their turn. It may be killed at any moment: its row stays due, and the next one ends the
same. What changes while it runs leaves the row due again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from core.chains import MINT
from core.db import bulk
from core.db.writing import writing
from core.rest.records import third_party_json
from tokens.models import Contract, ContractRarity, MetadataFetch, Nft, NftMarket, NftTrait
from tokens.models.nft import UNKNOWN_RARITY_KEY
from tokens.rarity import openrarity
from tokens.rarity.openrarity import Pair, Rating
from tokens.store import traits

SETTLE = timedelta(seconds=60)
"""How long a contract's traits must have been left alone."""

LATEST = timedelta(minutes=10)
"""How long after its first change a contract that is never left alone is computed; a large one waits for its share."""

PER_NFT = timedelta(milliseconds=0.3)
"""How long a computation takes for each NFT of a contract: five minutes for a million."""

SHARE = 20
"""A contract that goes on changing, as while it is first read, is computed a twentieth of the time at most."""

LEASE = timedelta(minutes=10)
"""How long a computation may be silent before it counts as dead; it tells of itself with each batch."""

BATCH = 2_000
"""NFTs read or written at once: with a dozen traits each, a writer waits for half a second."""

Tell = Callable[[int], object]
"""Takes a number of NFTs that are done."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What a computation did: NFTs with a score, all known ones, and those of which something was written."""

    contract_id: int
    scored: int
    known: int
    written: int


def changed(contract_ids: Iterable[int], now: datetime, *, known_only: bool = False) -> None:
    """Note that traits, or which NFTs have metadata, have changed; their rarity is due once they have settled.

    ``known_only``: of the contracts whose rarity has never been asked for, nothing is noted. Called within
    ``writing()``, in the transaction of the change.
    """
    ids = set(contract_ids)
    rows = list(_sized().filter(contract_id__in=ids)) if ids else []
    for row in rows:
        row.changed_at = row.changed_at or now
        # What is due, or was asked for, stays so.
        if not row.run and (row.due_at is None or row.due_at > now):
            row.due_at = _settled(row, row.changed_at, now)
    ContractRarity.objects.bulk_update(rows, ["changed_at", "due_at"], batch_size=300)
    if not known_only:
        _create(ids - {row.contract_id for row in rows}, changed_at=now, due_at=now + SETTLE)


def request(contract_ids: Iterable[int], now: datetime) -> int:
    """Have the rarity of contracts computed as soon as somebody looks for what is due; return how many they are.

    NFTs of no collection have no rarity. Called within ``writing()``.
    """
    ids = set(contract_ids)
    rows = list(ContractRarity.objects.filter(contract_id__in=ids))
    for row in rows:
        row.changed_at = row.changed_at or now  # a computation that is at it is followed by another one
        row.due_at = row.due_at if row.run else now
    ContractRarity.objects.bulk_update(rows, ["changed_at", "due_at"], batch_size=300)
    return len(rows) + _create(ids - {row.contract_id for row in rows}, changed_at=now, due_at=now)


def due(now: datetime) -> list[int]:
    """Return the ids of contracts whose rarity is to be computed now, the longest due first."""
    rows = ContractRarity.objects.filter(due_at__lte=now).order_by("due_at", "contract_id")
    return list(rows.values_list("contract_id", flat=True))


def compute(contract_id: int, *, only_due: bool = False, tell: Tell = lambda count: None) -> Computed | None:
    """Compute the rarity of a contract's NFTs; those without metadata have none.

    Where no NFT has metadata there is nothing to compute from, and what is stated goes on to hold. ``only_due``: leave
    it alone when another computation has got hold of it. ``tell`` is called with the number of each batch's NFTs, twice
    for an NFT with metadata, once for another. Returns ``None`` when it was left alone or another computation has taken
    over. Opens its own transactions.
    """
    run = _begin(contract_id, only_due)
    if run is None:
        return None
    ratings = openrarity.rate(_population(contract_id, tell))
    done = Computed(contract_id, 0, 0, 0)
    nothing = not ratings and not Contract.objects.filter(id=contract_id, rarity_computed=True).exists()
    position: str | None = ""
    while position is not None:
        before = done.known
        with writing():
            if not _goes_on(contract_id, run):
                return None
            if nothing:
                _release(contract_id, run)
                return done
            done, position = _write_batch(done, position, ratings)
            if position is None:
                _finish(done)
                _release(contract_id, run)
        tell(done.known - before)
    return done


def coverage(scored: int, known: int) -> str:
    """Return what a rarity rests on, in words."""
    return f"{scored:,} of {known:,} NFTs have metadata"


def _sized() -> QuerySet[ContractRarity]:
    return ContractRarity.objects.select_related("contract").only(
        "run", "changed_at", "due_at", "computed_at", "contract__nft_count"
    )


def _settled(row: ContractRarity, first: datetime, now: datetime) -> datetime:
    """Return when a contract is due that changed first and last at these times."""
    apart = row.contract.nft_count * PER_NFT * SHARE
    settled = min(now + SETTLE, max(first + max(LATEST, apart), now))
    return settled if row.computed_at is None else max(settled, row.computed_at + apart)


def _create(contract_ids: Iterable[int], *, changed_at: datetime, due_at: datetime) -> int:
    """Make rows for collections; the NFTs that belong to none are no population."""
    ids = Contract.objects.filter(id__in=contract_ids).exclude(address="").values_list("id", flat=True)
    rows = [ContractRarity(contract_id=one, changed_at=changed_at, due_at=due_at) for one in ids]
    return len(ContractRarity.objects.bulk_create(rows))


def _begin(contract_id: int, only_due: bool) -> str | None:
    """Take hold of the row: what changes from now on is noted in it. Returns a token, ``None`` when it is not due."""
    now, run = timezone.now(), secrets.token_hex(16)
    with writing():
        rows = ContractRarity.objects.filter(contract_id=contract_id)
        if only_due:
            rows = rows.filter(due_at__lte=now)
        else:
            _create([contract_id] if not rows.exists() else [], changed_at=now, due_at=now)
        taken = rows.update(run=run, changed_at=None, due_at=now + LEASE)
    return run if taken else None


def _goes_on(contract_id: int, run: str) -> bool:
    """Renew the lease; tell whether the computation is still the one that is at it."""
    rows = ContractRarity.objects.filter(contract_id=contract_id, run=run)
    return bool(rows.update(due_at=timezone.now() + LEASE))


def _population(contract_id: int, tell: Tell) -> Iterator[tuple[int, Iterable[Pair]]]:
    """Yield the NFTs that have metadata, with their traits."""
    rows = Nft.objects.filter(contract_id=contract_id, metadata__isnull=False).exclude(metadata="{}")
    rows = rows.order_by("token_key")
    position = ""
    while batch := list(rows.filter(token_key__gt=position).values_list("id", "token_key")[:BATCH]):
        pairs = traits.stored_pairs(nft_id for nft_id, _ in batch)
        unread = _unread([nft_id for nft_id, _ in batch if nft_id not in pairs])
        for nft_id, _ in batch:
            if nft_id not in unread:
                yield nft_id, pairs.get(nft_id, ())
        position = batch[-1][1]
        tell(len(batch))


def _unread(nft_ids: Sequence[int]) -> set[int]:
    """Return those of the NFTs of which only the name is known that their chain holds: their documents were not read.

    Which traits they have is not known, which is not to have none.
    """
    waiting = MetadataFetch.objects.filter(nft_id__in=nft_ids, chain__kind=MINT)
    waiting = waiting.filter(nft__metadata_document__isnull=True).exclude(state=MetadataFetch.State.READY)
    found = {
        nft_id: third_party_json(text) for nft_id, text in waiting.values_list("nft_id", "nft__metadata")
    }
    return {nft_id for nft_id, told in found.items() if isinstance(told, dict) and told.keys() <= {"name"}}


def _write_batch(done: Computed, position: str, ratings: Mapping[int, Rating]) -> tuple[Computed, str | None]:
    """Write what differs among the NFTs behind a token key; return what is done, and the key to go on from."""
    bulk.keyed_plans()
    rows = Nft.objects.filter(contract_id=done.contract_id, token_key__gt=position).order_by("token_key")
    batch = list(rows.values_list("id", "token_key", "rarity", "rank", "rarity_key")[:BATCH])
    updates, rekeyed = [], []
    for nft_id, _, *stored in batch:
        rating = ratings.get(nft_id)
        key = UNKNOWN_RARITY_KEY if rating is None else 0.0 - rating.score
        wanted = [*(rating or (None, None)), key]
        if stored != wanted:
            updates.append((nft_id, *wanted))
        if stored[2] != key:
            rekeyed.append((nft_id, key))
    bulk.update_rows(Nft, ("id", "rarity", "rank", "rarity_key"), updates)
    for model in (NftTrait, NftMarket):
        bulk.update_rows(model, ("nft_id", "rarity_key"), rekeyed)
    scored = done.scored + sum(row[0] in ratings for row in batch)
    done = Computed(done.contract_id, scored, done.known + len(batch), done.written + len(updates))
    return done, batch[-1][1] if len(batch) == BATCH else None


def _finish(done: Computed) -> None:
    """State what has been computed."""
    Contract.objects.filter(id=done.contract_id).update(rarity_computed=True)
    ContractRarity.objects.filter(contract_id=done.contract_id).update(
        method=openrarity.METHOD,
        version=openrarity.VERSION,
        scored=done.scored,
        known=done.known,
        computed_at=timezone.now(),
    )


def _release(contract_id: int, run: str) -> None:
    """Let go of the row. What has changed since the computation began is due again."""
    row = _sized().get(contract_id=contract_id, run=run)
    row.run, row.due_at = "", row.changed_at and _settled(row, row.changed_at, timezone.now())
    row.save(update_fields=["run", "due_at"])
