"""Writes what a batch has found, as far as it still counts, in one transaction."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import F

from core.chains import EVM
from core.db import bulk, leases
from core.db.leases import Lease
from core.db.writing import writing
from tokens.metadata.items import Result
from tokens.metadata.outcomes import Next, State, after, broken
from tokens.models import MetadataDocument, MetadataFetch, Nft
from tokens.rarity import computing as rarity
from tokens.store import chains, contracts, fetches, nfts
from tokens.store.facts import UNSET

logger = logging.getLogger(__name__)


def write(
    lease: Lease, results: Sequence[Result], now: datetime, draw: Callable[[], float] = random.random
) -> Counter[State]:
    """Write the results of a lease and return how many ended in which state; those that it no longer holds are dropped.

    Whatever the database will not take costs its NFT alone. ``draw`` gives numbers from 0 to 1. Raises
    ``OperationalError`` and ``InterfaceError`` where the database itself fails: the lease ends by itself.
    """
    try:
        return _write(lease, results, now, draw)
    except (OperationalError, InterfaceError):
        raise
    except Exception as fault:
        if len(results) > 1:
            return sum((write(lease, [one], now, draw) for one in results), Counter())
        (one,) = results
        logger.exception("The metadata of NFT %d cannot be written", one.item.nft_id)
        return _write(lease, [Result(one.item, broken("It cannot be written", fault))], now, draw)


def give_back(lease: Lease, nft_ids: Sequence[int], now: datetime) -> None:
    """Have others, or the next run, take what was claimed and not begun."""
    with writing():
        rows = MetadataFetch.objects.filter(pk__in=nft_ids, lease=lease.token)
        rows.update(next_attempt_at=now, attempts=F("attempts") - 1, lease="", asked_again=False)


def _write(
    lease: Lease, results: Sequence[Result], now: datetime, draw: Callable[[], float]
) -> Counter[State]:
    with writing():
        standing = leases.held(MetadataFetch, lease)
        results = [one for one in results if one.item.nft_id in standing]
        _write_nfts(results, now)
        _write_documents(results, now)
        return _write_rows(results, now, draw)


def _asked_again(results: Sequence[Result]) -> set[int]:
    """Return which NFTs somebody has asked for while they were read."""
    rows = MetadataFetch.objects.filter(pk__in=[one.item.nft_id for one in results], asked_again=True)
    return set(rows.values_list("pk", flat=True))


def _once_more(end: Next, now: datetime) -> Next:
    """Return how a row goes on that was asked for meanwhile: what was read may be of before that."""
    if end.state == State.UNREACHABLE and end.next_attempt_at is not None:
        return replace(end, next_attempt_at=min(end.next_attempt_at, now + fetches.HEEDED))
    return Next(State.PENDING, "", 0, now)


def _write_nfts(results: Sequence[Result], now: datetime) -> None:
    """Write what is known of NFTs. One that says what it said before is not touched, nor its contract's rarity."""
    stated = {one.item.nft_id: one for one in results if one.facts is not None}
    facts = [one.facts for one in stated.values() if one.facts is not None]
    if not facts:
        return
    bulk.keyed_plans()
    before: dict[int, str | None] = dict(
        bulk.rows_by(Nft, ("id",), [(one,) for one in stated], ("id", "metadata"))
    )
    known = chains.known()
    named = dict.fromkeys((one.item.slug, one.item.address) for one in results if one.item.kind == EVM)
    rows = contracts.write([], named, known)
    nfts.write(facts, {one.identity: (one.token_key, one.address) for one in facts}, rows, known, {})
    changed = {
        one.item.contract_id
        for nft_id, one in stated.items()
        if one.facts is not None
        and (one.facts.metadata not in (UNSET, before.get(nft_id)) or _is_first_reading(one))
    }
    rarity.changed(changed, now)


def _is_first_reading(result: Result) -> bool:
    """Tell whether a document may be the first that was read of an NFT whose name its chain holds.

    It counts for rarity from then on, also where the document says nothing else.
    """
    item = result.item
    return result.document is not None and item.chain_told is not None and item.state != State.READY


def _write_documents(results: Sequence[Result], now: datetime) -> None:
    found = {one.item.nft_id: one.document for one in results if one.document is not None}
    columns = ("nft_id", "url", "media_type", "body")
    stored = {
        nft_id: (url, media_type, bytes(body))
        for nft_id, url, media_type, body in bulk.rows_by(
            MetadataDocument, ("nft_id",), [(one,) for one in found], columns
        )
    }
    same = {
        nft_id for nft_id, one in found.items() if stored.get(nft_id) == (one.url, one.media_type, one.body)
    }
    for fields, nft_ids in (
        (["block_number", "fetched_at"], same),
        (["block_number", "fetched_at", "url", "media_type", "body"], found.keys() - same),
    ):
        MetadataDocument.objects.bulk_create(
            [
                MetadataDocument(
                    nft_id=nft_id,
                    url=found[nft_id].url,
                    body=found[nft_id].body,
                    media_type=found[nft_id].media_type,
                    block_number=found[nft_id].block,
                    fetched_at=now,
                )
                for nft_id in sorted(nft_ids)
            ],
            update_conflicts=True,
            unique_fields=["nft"],
            update_fields=fields,
        )


def _write_rows(results: Sequence[Result], now: datetime, draw: Callable[[], float]) -> Counter[State]:
    max_age = settings.METADATA_MAX_AGE_DAYS
    found = [(one.item, after(one.verdict, one.attempts, now, max_age, draw())) for one in results]
    again = _asked_again(results)
    ends = [(item, _once_more(end, now) if item.nft_id in again else end) for item, end in found]
    MetadataFetch.objects.bulk_create(
        [
            MetadataFetch(
                nft_id=item.nft_id,
                contract_id=item.contract_id,
                chain_id=item.chain_id,
                state=end.state,
                attempts=end.attempts,
                next_attempt_at=end.next_attempt_at,
                fault=end.fault,
                tried_at=now,
            )
            for item, end in ends
        ],
        update_conflicts=True,
        unique_fields=["nft"],
        update_fields=["state", "attempts", "next_attempt_at", "lease", "asked_again", "fault", "tried_at"],
    )
    return Counter(end.state for _, end in found)
