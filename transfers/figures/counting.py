"""Counts the figures of collections, each in bounded turns, outside of any transaction but the one that writes them."""

from __future__ import annotations

import json
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from core.db.keys import recency_parts
from core.db.keyset import after
from core.db.writing import writing
from media.models import CachedImage
from tokens.models import Contract, Nft, NftRecent, Owner
from transfers.figures.details import Sales, distribution
from transfers.figures.distinct import Distinct
from transfers.models import CollectionFigures, Transfer

BATCH = 2_000
"""Rows read at once."""
RECENT = 30 * 86_400
"""Seconds of which recent sales are counted."""
LATEST = 86_400
"""Seconds after which a collection is counted again though nothing seems to have changed."""
EVERY = 600
"""Seconds for which a collection that goes on changing is left alone; a large one for longer, see :data:`SHARE`."""
SHARE = 20
"""A collection that goes on changing is counted a twentieth of the time at most."""
COVERS = 200
"""NFTs among which a picture for the collection is looked for."""


@dataclass(slots=True)
class _Counted:
    known: int = 0
    described: int = 0
    owners: Distinct = field(default_factory=Distinct)
    scores: array[float] = field(default_factory=lambda: array("d"))


def sweep(
    now: Callable[[], float] = time.time,
    *,
    at_once: bool = False,
    everything: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> int:
    """Count the collections that are due, or all; return how many were counted.

    Due is one that was never counted, one that has changed and been left alone for its time (``at_once``: any that has
    changed), and after a day any. May
    be killed at any moment, also beside another sweep: a collection is written whole or not at all.
    """
    done, position = 0, 0
    while rows := _contracts(position):
        position = rows[-1][0]
        for contract_id, signature, counted in rows:
            if stopped():
                return done
            if everything or _is_due(signature, counted, int(now()), at_once):
                done += count(contract_id, int(now()), signature)
    return done


def _contracts(position: int) -> list[tuple[int, str, Sequence[Any]]]:
    """Return the next collections: their ids, signatures and what the last count of each left."""
    newest = NftRecent.objects.filter(contract=OuterRef("pk")).order_by("recent_key", "nft")
    rows = (
        Contract.objects.filter(pk__gt=position, address__gt="")
        .order_by("pk")
        .values_list(
            *("pk", "nft_count", Subquery(newest.values("recent_key")[:1])),
            *("computed_rarity__changed_at", "computed_rarity__computed_at"),
            *("figures__counted_at", "figures__signature", "figures__took_ms"),
        )[:BATCH]
    )
    return [(row[0], "|".join(map(str, row[1:5])), row[5:]) for row in rows]


def _is_due(signature: str, counted: Sequence[Any], now: int, at_once: bool) -> bool:
    at, before, took_ms = counted
    if not before or now - at >= LATEST:
        return True
    return signature != before and (at_once or now - at >= max(EVERY, SHARE * took_ms // 1000))


def count(contract_id: int, now: int, signature: str = "") -> bool:
    """Count a collection's figures as of ``now`` (Unix seconds) and write them; tell whether it is still there.

    ``signature`` is of before the count, so that what changes meanwhile has it counted again.
    """
    began = time.monotonic()
    found = _nfts(contract_id)
    sales = _sales(contract_id, now - RECENT)
    details = {"sales": sales.periods(), "rarity": distribution(found.scores)}
    figures = {
        "counted_at": now,
        "signature": signature,
        "known": found.known,
        "described": found.described,
        "owners": found.owners.number,
        "about": not found.owners.is_exact,
        "sales": sales.number,
        "recent_sales": sales.recent.sales,
        "recent_value": round(sales.recent.total, 18),
        "cover_id": _cover(contract_id),
        "details": json.dumps(details, ensure_ascii=True, separators=(",", ":")),
        "took_ms": int((time.monotonic() - began) * 1000),
    }
    with writing():
        if not Contract.objects.filter(pk=contract_id).exists():
            return False
        CollectionFigures.objects.update_or_create(pk=contract_id, defaults=figures)
    return True


def forget(chain_id: int) -> None:
    """Have all collections of a chain counted again as soon as somebody sweeps: what is known of them was rewritten."""
    CollectionFigures.objects.filter(contract__chain_id=chain_id).update(signature="")


def _nfts(contract_id: int) -> _Counted:
    found = _Counted()
    is_described = Case(When(Q(metadata=None) | Q(metadata="{}"), then=Value(0)), default=Value(1))
    rows = Nft.objects.filter(contract_id=contract_id).order_by("token_key")
    columns = rows.annotate(is_described=is_described).values_list(
        "token_key", "id", "rarity", "is_described", "recent__owners_total"
    )
    position = ""
    while batch := list(columns.filter(token_key__gt=position)[:BATCH]):
        position = batch[-1][0]
        found.known += len(batch)
        found.described += sum(row[3] for row in batch)
        found.scores.extend(row[2] for row in batch if row[2] is not None)
        held = [row[1] for row in batch if row[4]]
        holders = Owner.objects.filter(nft_id__in=held, amount__gt=0).order_by()
        found.owners.add(holders.values_list("address", flat=True).distinct())
    return found


def _sales(contract_id: int, since: int) -> Sales:
    found = Sales(since)
    rows: QuerySet[Any, Any] = (
        Transfer.objects.filter(contract_id=contract_id, transfer_type=Transfer.Type.SALE)
        .order_by("recent_key", "id")
        .values_list("recent_key", "id", Coalesce(F("stated_eth_value"), F("eth_value")))
    )
    behind = Q()
    while batch := list(rows.filter(behind)[:BATCH]):
        behind = after("recent_key", "id", *batch[-1][:2])
        for key, _, price in batch:
            found.add(recency_parts(key)[0], None if price is None else Decimal(price))
    return found


def _cover(contract_id: int) -> int | None:
    """Return the first NFT whose picture is cached and not withheld, else the first that has one to be cached."""
    rows = Nft.objects.filter(contract_id=contract_id, image__isnull=False, media_withheld=False)
    first = list(rows.order_by("token_key").values_list("id", "image__state", "image__preview_path")[:COVERS])
    shown = [row[0] for row in first if row[2] and row[1] != CachedImage.State.WITHHELD]
    return next(iter(shown), first[0][0] if first else None)
