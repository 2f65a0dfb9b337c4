"""Takes back what blocks brought that are no longer part of the chain, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from django.db.models import F, Subquery
from django.db.models.functions import Greatest
from django.utils import timezone

from nftsite.batches import batched
from nftsite.db import bulk
from nftsite.db.writing import writing
from tokens.models import Contract, MetadataDocument, MetadataFetch, Nft
from tokens.store import fetches, removal
from tokens.store.chains import ChainRow
from transfers.models import (
    Block,
    DoubtfulContract,
    Evidence,
    IndexedChain,
    IndexedContract,
    MarketFault,
    Opening,
    PunkBid,
    Transfer,
    UndecodedLog,
)
from transfers.store import derive, fills
from transfers.store.transfers import Moves

AT_ONCE = 5_000
"""Transactions whose transfers are deleted at once."""

_STATED = ("native", "stated_minter", "stated_markets")
"""What only another source than a node says of an NFT."""

_READ = ("uri", "metadata", "rarity", "rank")
"""What another source may say of an NFT, or its contract, its document and what is computed from it."""


def rewind(chain: ChainRow, last_good: int) -> int:
    """Take back everything that was indexed of a chain in blocks after ``last_good``; return how many transfers went.

    Transfers, owners, recency, markets, minters and asks (those filled, too) are then as if those blocks had never been
    read, NFTs that only they named are gone, and indexing goes on behind ``last_good``, though not before where it
    began. What other sources stated stays.
    """
    with writing():
        bulk.keyed_plans()
        kept = Block.objects.filter(chain_id=chain.id)
        later = kept.filter(number__gt=last_good)
        since = later.order_by("number").values_list("timestamp", flat=True).first()
        born = {nft_id for text in later.values_list("born_nfts", flat=True) for nft_id in json.loads(text)}
        later.delete()
        evidence = Evidence.objects.filter(chain_id=chain.id, block_number__gt=last_good)
        hashes = list(evidence.values_list("transaction_hash", flat=True))
        evidence.delete()
        gone, contracts = _delete_transfers(chain, hashes)
        reopened = fills.forget(chain.id, hashes)
        for later_rows in (DoubtfulContract, MarketFault, PunkBid, UndecodedLog):
            later_rows._default_manager.filter(chain_id=chain.id, block_number__gt=last_good).delete()
        openings = Opening.objects.filter(nft__chain_id=chain.id, block_number__gt=last_good)
        opened = set(openings.values_list("nft_id", flat=True))
        openings.delete()
        touched = set(gone) | opened
        removed = set(removal.remove(_orphans(set(gone), born)))
        _forget_empty(contracts)
        derive.refresh(moves=Moves(changed=touched - removed), asked=reopened - removed)
        if since is not None:  # the contracts may have been asked as of a block that is lost
            fetches.request_tried_since(chain.id, datetime.fromtimestamp(since, UTC), timezone.now())
        IndexedContract.objects.filter(chain_id=chain.id, next_block__gt=last_good + 1).update(
            next_block=Greatest("first_block", last_good + 1),
            # Where the block is no longer kept its time is not known, until the next one is indexed.
            reached_at=Subquery(kept.filter(number=last_good).values("timestamp")),
        )
        IndexedChain.objects.filter(chain_id=chain.id).update(rewinds=F("rewinds") + 1)
    return len(gone)


def _delete_transfers(chain: ChainRow, hashes: Sequence[str]) -> tuple[list[int], set[int]]:
    """Delete the transfers of some transactions; return the NFT of each, and the contracts."""
    gone: list[int] = []
    contracts: set[int] = set()
    for part in batched(hashes, AT_ONCE):
        keys = [(hash_, chain.id) for hash_ in part]
        columns = ("id", "nft_id", "contract_id")
        rows = bulk.rows_by(Transfer, ("transaction_hash", "chain_id"), keys, columns)
        bulk.delete_rows(Transfer, ("id",), [row[:1] for row in rows])
        gone += [row[1] for row in rows]
        contracts.update(row[2] for row in rows)
    return gone, contracts


def _forget_empty(contract_ids: Iterable[int]) -> None:
    """Describe contracts without NFTs no more: another one may be made at the same address, of another standard."""
    keys = [(one,) for one in sorted(contract_ids)]
    counts = bulk.rows_by(Contract, ("id",), keys, ("id", "nft_count"))
    empty = [(row[0], "", None, None) for row in counts if row[1] == 0]
    bulk.update_rows(Contract, ("id", "standard", "name", "symbol"), empty)


def _orphans(touched: set[int], born: set[int]) -> set[int]:
    """Return the NFTs without any transfer left that no other source states anything of.

    Those known to be born in the lost blocks, and of those whose birth is no longer kept the ones that are nothing but
    an identity and what was read because of it: a document, and a URI that the contract was asked for.
    """
    sql, parameter = bulk.id_list(sorted(touched))
    left = {
        row[0]
        for row in bulk.fetch(
            f"SELECT wanted.id FROM {sql} wanted "  # noqa: S608 - names are the model's own, ids a parameter
            f"WHERE EXISTS (SELECT 1 FROM {Transfer._meta.db_table} t WHERE t.nft_id = wanted.id)",
            [parameter],
        )
    }
    lost = touched - left
    unsure = [(one,) for one in sorted(lost - born)]
    bare = {row[0] for row in bulk.rows_by(Nft, ("id",), unsure, ("id", *_STATED)) if set(row[1:]) == {None}}
    return lost & born | _without_statement(bare)


def _without_statement(nft_ids: Iterable[int]) -> set[int]:
    """Return the NFTs whose URI, metadata and rarity, if any, come of reading what their contract said."""
    keys = [(one,) for one in sorted(nft_ids)]
    tried = bulk.rows_by(MetadataFetch, ("nft_id",), keys, ("nft_id", "tried_at"))
    asked = {nft_id for nft_id, tried_at in tried if tried_at is not None}
    read = {row[0] for row in bulk.rows_by(MetadataDocument, ("nft_id",), keys, ("nft_id",))}
    rows = bulk.rows_by(Nft, ("id",), keys, ("id", "contract_id", *_READ))
    contracts = [(one,) for one in sorted({row[1] for row in rows})]
    computed: dict[int, bool] = dict(bulk.rows_by(Contract, ("id",), contracts, ("id", "rarity_computed")))
    return {
        nft_id
        for nft_id, contract_id, uri, metadata, rarity, rank in rows
        if (uri is None or nft_id in asked)
        and (metadata is None or nft_id in read)
        and (rarity is rank is None or computed[contract_id])
    }
