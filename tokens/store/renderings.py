"""Keeps what of NFTs' records seldom changes as it is shown, for whoever writes what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from core.db import bulk
from core.db.writing import writing
from tokens.models import Nft, NftRendering
from tokens.records.rendered import digest_of, render
from tokens.store import traits

BATCH = 1_000
"""NFTs looked at in one transaction."""


class Shown(NamedTuple):
    """The columns of an NFT's wide row that a rendering is made of."""

    contract_id: int
    uri: str | None
    metadata: str | None
    native: str | None


def refresh(nft_ids: Iterable[int]) -> int:
    """Render NFTs anew, by their rows, and return how many have a rendering now; called within ``writing()``."""
    ids = [(one,) for one in sorted(set(nft_ids))]
    rows = bulk.rows_by(Nft, ("id",), ids, ("id", *Shown._fields))
    return write({row[0]: Shown(*row[1:]) for row in rows})


def refresh_all(tell: Callable[[int], object] = int) -> int:
    """Render all NFTs whose rendering is missing or out of date; return how many were.

    Each batch is a transaction of its own; ``tell`` is told after each how many NFTs were looked at.
    """
    count, last = 0, 0
    while True:
        with writing():
            rows = Nft.objects.filter(id__gt=last).order_by("id")
            batch = list(rows.values_list("id", "rendering__digest", *Shown._fields)[:BATCH])
            stale = [row[0] for row in batch if row[4] is not None and row[1] != digest_of(*row[2:])]
            count += refresh(stale)
        tell(len(batch))
        if len(batch) < BATCH:
            return count
        last = batch[-1][0]


def write(rows: Mapping[int, Shown]) -> int:
    """Render NFTs anew, by id, once their traits are written, and return how many have a rendering now.

    Called within ``writing()``.
    """
    if not rows:
        return 0
    stored = traits.stored_pairs(nft_id for nft_id, row in rows.items() if row.metadata is not None)
    posted = {nft_id: {pair: ids[0] for pair, ids in pairs.items()} for nft_id, pairs in stored.items()}
    kept = dict.fromkeys(
        row[0] for row in bulk.rows_by(NftRendering, ("nft_id",), [(one,) for one in rows], ("nft_id",))
    )
    made = {
        nft_id: (nft_id, digest_of(*row), parts)
        for nft_id, row in rows.items()
        if (parts := render(row.uri, row.metadata, row.native, posted.get(nft_id, {}))) is not None
    }
    columns = ("nft_id", "digest", "parts")
    bulk.update_rows(NftRendering, columns, [row for nft_id, row in made.items() if nft_id in kept])
    bulk.copy_rows(NftRendering, columns, [row for nft_id, row in made.items() if nft_id not in kept])
    bulk.delete_rows(NftRendering, ("nft_id",), [(one,) for one in kept if one not in made])
    return len(made)
