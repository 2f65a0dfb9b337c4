"""Marks: of NFTs at once, of contracts in batches that a kill may interrupt.

A contract can have hundreds of thousands of NFTs, so its mark is written at once and theirs follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.db import bulk
from core.db.writing import writing
from tokens.models import Contract, Nft, NftRecent

BATCH = 5_000


def mark_nfts(nft_ids: Sequence[int], marked: bool, reason: str | None) -> int:
    """Mark NFTs themselves, or take their own marks away; return how many are marked afterwards all the same.

    Those are marked through their contracts. ``reason`` is kept with a mark. Called within ``writing()``.
    """
    effective = [
        (nft_id, marked or through_contract)
        for nft_id, through_contract in Nft.objects.filter(id__in=nft_ids)
        .order_by("id")
        .values_list("id", "contract__marked")
    ]
    own = [(nft_id, marked, reason if marked else None, result) for nft_id, result in effective]
    bulk.update_rows(Nft, ("id", "own_marked", "marked_reason", "marked"), own)
    bulk.update_rows(NftRecent, ("nft_id", "marked"), effective)
    return 0 if marked else sum(result for _, result in effective)


def mark_contracts(contract_ids: Sequence[int], marked: bool, reason: str | None) -> None:
    """Mark contracts, or take their marks away. Where that changes something, their NFTs have yet to follow.

    :func:`apply_pending` has them follow. Called within ``writing()``.
    """
    chosen = Contract.objects.filter(id__in=contract_ids)
    chosen.exclude(marked=marked).update(marked=marked, marks_pending=True)
    chosen.update(marked_reason=reason if marked else None)


def apply_pending(contract_ids: Iterable[int] | None = None) -> int:
    """Finish changes of contracts' marks, all that are pending or those of some contracts; return how many there were.

    Each batch is a transaction of its own.
    """
    pending = Contract.objects.filter(marks_pending=True).order_by("id")
    if contract_ids is not None:
        pending = pending.filter(id__in=contract_ids)
    ids = list(pending.values_list("id", flat=True))
    for contract_id in ids:
        _apply(contract_id)
    return len(ids)


def _apply(contract_id: int) -> None:
    """Walk the NFTs of one contract by token key, from the start again when the mark changes meanwhile."""
    begun, position = None, ""
    while True:
        with writing():
            marked = Contract.objects.values_list("marked", flat=True).get(id=contract_id)
            if marked != begun:
                begun, position = marked, ""
            batch = list(
                Nft.objects.filter(contract_id=contract_id, token_key__gt=position)
                .order_by("token_key")
                .values_list("id", "token_key", "own_marked", "marked")[:BATCH]
            )
            wrong = [(nft_id, own or marked) for nft_id, _, own, old in batch if (own or marked) != old]
            bulk.update_rows(Nft, ("id", "marked"), wrong)
            bulk.update_rows(NftRecent, ("nft_id", "marked"), wrong)
            if len(batch) < BATCH:
                Contract.objects.filter(id=contract_id).update(marks_pending=False)
                return
            position = batch[-1][1]
