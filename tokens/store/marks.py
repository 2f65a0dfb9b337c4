"""Brings NFTs into line with the marks of their contracts, in batches that a kill may interrupt.

A contract can have hundreds of thousands of NFTs, so its mark is written at once and theirs follow.
"""

from __future__ import annotations

from nftsite.db import bulk
from nftsite.db.writing import writing
from tokens.models import Contract, Nft, NftRecent

BATCH = 5_000


def apply_pending() -> None:
    """Finish all changes of contracts' marks. Each batch is a transaction of its own."""
    for contract_id in (
        Contract.objects.filter(marks_pending=True).order_by("id").values_list("id", flat=True)
    ):
        _apply(contract_id)


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
