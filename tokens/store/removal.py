"""Takes NFTs away that were never there: of blocks that are no longer part of the chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from django.utils import timezone

from core.db import bulk
from tokens.models import (
    Ask,
    MetadataDocument,
    MetadataFetch,
    Nft,
    NftMarket,
    NftRecent,
    NftRendering,
    NftTrait,
    NftTraitRecent,
    Owner,
    StatedOwnership,
)
from tokens.rarity import computing as rarity
from tokens.store import contracts, traits, wide_holders

_PARTS = (
    NftMarket,
    NftTrait,
    NftTraitRecent,
    Owner,
    NftRecent,
    MetadataFetch,
    MetadataDocument,
    NftRendering,
)


def remove(nft_ids: Iterable[int]) -> list[int]:
    """Delete NFTs with all that is derived of them, and return which are gone; called within ``writing()``.

    One that has asks or stated owners stays, and one that an operator marked or withholds.
    """
    ids = sorted(set(nft_ids))
    kept = {
        row[0]
        for model in (Ask, StatedOwnership)
        for row in bulk.rows_by(model, ("nft_id",), _keys(ids), ("nft_id",))
    }
    rows = bulk.rows_by(Nft, ("id",), _keys(ids), ("id", "contract_id", "own_marked", "media_withheld"))
    gone = {row[0]: row[1] for row in rows if row[0] not in kept and not row[2] and not row[3]}
    if not gone:
        return []
    keys = _keys(sorted(gone))
    rarity.changed(_with_metadata(sorted(gone)), timezone.now(), known_only=True)
    lists = Counter(row[0] for row in bulk.rows_by(NftMarket, ("nft_id",), keys, ("market_id",)))
    counts = Counter(row[0] for row in bulk.rows_by(NftTrait, ("nft_id",), keys, ("trait_id",)))
    for model in _PARTS:
        bulk.delete_rows(model, ("nft_id",), keys)
    bulk.delete_rows(Nft, ("id",), keys)
    wide_holders.count({list_id: -count for list_id, count in lists.items()})
    traits.add_to_counts({trait_id: -count for trait_id, count in counts.items()})
    contracts.count_nfts({contract: -count for contract, count in Counter(gone.values()).items()})
    return sorted(gone)


def _with_metadata(ids: Sequence[int]) -> set[int]:
    """Return the contracts of those NFTs that have metadata."""
    sql, parameter = bulk.id_list(ids)
    rows = bulk.fetch(
        f"SELECT DISTINCT n.contract_id FROM {sql} wanted CROSS JOIN {Nft._meta.db_table} n "  # noqa: S608
        "WHERE n.id = wanted.id AND n.metadata IS NOT NULL",
        [parameter],
    )
    return {row[0] for row in rows}


def _keys(ids: Sequence[int]) -> list[tuple[int, ...]]:
    return [(one,) for one in ids]
