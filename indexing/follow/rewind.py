"""Takes back what blocks brought that are no longer part of the chain, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from core.batches import batched
from core.db import bulk
from core.db.writing import writing
from indexing.models import (
    Block,
    DoubtfulContract,
    Evidence,
    IndexedChain,
    IndexedContract,
    MarketFault,
    PunkBid,
    UndecodedLog,
)
from tokens.models import Contract
from tokens.store import fetches
from tokens.store.chains import ChainRow
from tokens.store.contracts import DESCRIBED
from transfers.ledger import derive, factset, fills, order_asks, orphans, transfers
from transfers.ledger.transfers import TransferChanges
from transfers.models import Opening

AT_ONCE = 5_000
"""Transactions whose transfers, or contracts of which nothing is left, are deleted at once."""


def rewind(chain: ChainRow, last_good: int) -> int:
    """Take back everything that was indexed of a chain in blocks after ``last_good``; return how many transfers went.

    Transfers, owners, recency, markets, minters and asks (those filled, too) are then as if those blocks had never been
    read, NFTs that only they named are gone, and indexing goes on behind ``last_good``, though not before where it
    began. Only what came from the chain goes: what other sources stated stays, and what they stated of a transfer that
    goes is what they stated alone.
    """
    with writing():
        bulk.keyed_plans()
        kept = Block.objects.filter(chain_id=chain.id)
        later = kept.filter(number__gt=last_good)
        since = later.order_by("number").values_list("timestamp", flat=True).first()
        later.delete()
        evidence = Evidence.objects.filter(chain_id=chain.id, block_number__gt=last_good)
        hashes = list(evidence.values_list("transaction_hash", flat=True))
        evidence.delete()
        count, touched, contracts = _take_back(chain, hashes)
        reopened = fills.forget(chain.id, hashes)
        forgotten = order_asks.forget(chain, last_good)
        for later_rows in (DoubtfulContract, MarketFault, PunkBid, UndecodedLog):
            later_rows._default_manager.filter(chain_id=chain.id, block_number__gt=last_good).delete()
        openings = Opening.objects.filter(nft__chain_id=chain.id, block_number__gt=last_good)
        opened = set(openings.values_list("nft_id", flat=True))
        openings.delete()
        removed = orphans.remove(touched | forgotten.nft_ids)
        _forget_empty(contracts)
        derive.refresh(
            changes=TransferChanges(changed=(touched | opened) - removed),
            asked=(reopened | forgotten.nft_ids) - removed,
        )
        factset.write_asks(forgotten.repriced)
        if since is not None:  # the contracts may have been asked as of a block that is lost
            fetches.request_tried_since(chain.id, datetime.fromtimestamp(since, UTC), timezone.now())
        IndexedContract.objects.filter(chain_id=chain.id, next_block__gt=last_good + 1).update(
            next_block=Greatest("first_block", last_good + 1),
            # Where the block is no longer kept its time is not known, until the next one is indexed.
            reached_at=Subquery(kept.filter(number=last_good).values("timestamp")),
        )
        indexed = IndexedChain.objects.filter(chain_id=chain.id)
        indexed.update(rewinds=F("rewinds") + 1)
        indexed.filter(orders_next__isnull=False).update(  # what comes after is read with its blocks
            orders_next=Least("orders_next", last_good + 1), orders_end=Least("orders_end", last_good + 1)
        )
    return count


def _take_back(chain: ChainRow, hashes: Sequence[str]) -> tuple[int, set[int], set[int]]:
    """Take back what the chain told of transactions; return how many transfers went, the NFTs, and the contracts."""
    count, touched, contracts = 0, set[int](), set[int]()
    for part in batched(hashes, AT_ONCE):
        taken = transfers.take_back(chain.id, part)
        count += len(taken.rows)
        touched |= taken.nft_ids
        contracts.update(row.contract_id for row in taken.rows)
    return count, touched, contracts


def _forget_empty(contract_ids: Iterable[int]) -> None:
    """Delete contracts without NFTs, which only blocks that are lost had named.

    Another one may be made at the same address, of another standard, and the order in which contracts came is that of
    the chain as it is. What another source stated of one stays, and one that an operator decided about is kept; what
    the chain told of those is asked anew.
    """
    for part in batched(sorted(contract_ids), AT_ONCE):
        empty = Contract.objects.filter(id__in=part, nft_count=0)
        empty.filter(stated="", ens_name=None, marked=False, media_withheld=False).delete()
        _describe_anew(empty)


def _describe_anew(contracts: QuerySet[Contract]) -> None:
    columns = ("id", *DESCRIBED)
    rows = []
    for stated, *row in contracts.values_list("stated", *columns):
        kept = {"id", *stated.split()}
        told = dict(zip(columns, row, strict=True))
        rows.append(
            tuple(
                value if name in kept else "" if name == "standard" else None for name, value in told.items()
            )
        )
    bulk.update_rows(Contract, columns, rows)
