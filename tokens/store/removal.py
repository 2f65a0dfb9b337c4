"""Takes NFTs away that were never there: of blocks that are no longer part of the chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nftsite.db import bulk
from tokens.models import (
    Ask,
    MetadataDocument,
    MetadataFetch,
    Nft,
    NftMarket,
    NftRecent,
    NftTrait,
    NftTraitRecent,
    Owner,
    StatedOwnership,
    TraitValue,
)
from tokens.store import contracts

_PARTS = (NftMarket, NftTrait, NftTraitRecent, Owner, NftRecent, MetadataFetch, MetadataDocument)


def remove(nft_ids: Iterable[int]) -> list[int]:
    """Delete NFTs with all that is derived of them, and return which are gone; called within ``writing()``.

    One that a source states something of besides its transfers (owners, asks, a mark) stays.
    """
    ids = sorted(set(nft_ids))
    kept = {
        row[0]
        for model in (Ask, StatedOwnership)
        for row in bulk.rows_by(model, ("nft_id",), _keys(ids), ("nft_id",))
    }
    rows = bulk.rows_by(Nft, ("id",), _keys(ids), ("id", "contract_id", "own_marked"))
    gone = {row[0]: row[1] for row in rows if row[0] not in kept and not row[2]}
    if not gone:
        return []
    keys = _keys(sorted(gone))
    counts = Counter(row[0] for row in bulk.rows_by(NftTrait, ("nft_id",), keys, ("trait_id",)))
    for model in _PARTS:
        bulk.delete_rows(model, ("nft_id",), keys)
    bulk.delete_rows(Nft, ("id",), keys)
    stored: dict[int, int] = dict(bulk.rows_by(TraitValue, ("id",), _keys(sorted(counts)), ("id", "count")))
    bulk.update_rows(
        TraitValue, ("id", "count"), [(one, stored[one] - counts[one]) for one in sorted(counts)]
    )
    contracts.count_nfts({contract: -count for contract, count in Counter(gone.values()).items()})
    return sorted(gone)


def _keys(ids: Sequence[int]) -> list[tuple[int, ...]]:
    return [(one,) for one in ids]
