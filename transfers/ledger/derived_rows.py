"""NFTs with the values that are derived from their transfers: read, and written where they differ."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import NEVER
from tokens.models import Contract, Nft, NftRecent, NftTraitRecent, StatedOwnership
from tokens.store.nfts import NftIds
from transfers.ledger.holdings import statement_of
from transfers.ledger.ledger import Statement
from transfers.ledger.openings import Openings
from transfers.models import Opening


class Derived(NamedTuple):
    """The values that are derived from an NFT's transfers."""

    recent_key: str
    last_transfer_id: int | None
    markets: str
    owners_total: int | None
    transferred: bool
    minter: str | None


class DerivedNft(NamedTuple):
    """An NFT, what its derived values are made of, and those that are stored."""

    id: int
    chain_id: int
    contract_id: int
    token_key: str
    rarity_key: float
    stated_minter: str | None
    stated_markets: str | None
    standard: str
    statement: Statement | None
    is_open: bool
    """Whether what somebody held before the first transfer could not be told."""
    has_metadata: bool
    stored: Derived


Fresh = Mapping[int, tuple[int, int, str, bool]]
"""NFTs whose ``NftRecent`` rows are to be inserted: contract id, chain id, token key and mark, by id."""


def read(ids: Sequence[int]) -> Iterator[DerivedNft]:
    """Yield the NFTs with these ids, those that exist."""
    sql, parameter = bulk.id_list(ids)
    rows = bulk.fetch(
        "SELECT n.id, n.chain_id, n.contract_id, n.token_key, n.rarity_key, n.stated_minter, n.stated_markets, "
        "c.standard, s.owners, s.as_of_block, s.as_of, s.pending, "
        "r.recent_key, r.last_transfer_id, r.markets, r.owners_total, n.transferred, n.minter, "
        f"EXISTS (SELECT 1 FROM {Opening._meta.db_table} o WHERE o.nft_id = n.id AND o.amount IS NULL), "
        "n.metadata IS NOT NULL "
        f"FROM {sql} wanted CROSS JOIN {Nft._meta.db_table} n CROSS JOIN {Contract._meta.db_table} c "
        f"LEFT JOIN {NftRecent._meta.db_table} r ON r.nft_id = n.id "
        f"LEFT JOIN {StatedOwnership._meta.db_table} s ON s.nft_id = n.id "
        "WHERE n.id = wanted.id AND c.id = n.contract_id",
        [parameter],
    )
    for row in rows:
        statement = None if row[8] is None else statement_of(*row[8:12])
        recent = (NEVER, None, "[]", None) if row[12] is None else row[12:16]
        stored = Derived._make((*recent, bool(row[16]), row[17]))
        yield DerivedNft._make((*row[:8], statement, bool(row[18]), bool(row[19]), stored))


def bare(found: NftIds, standards: Mapping[int, str], opened: Openings) -> dict[int, DerivedNft]:
    """Return NFTs that were just written and of which nothing is stated, by id, as :func:`read` would.

    ``standards`` are those of their contracts, by id; ``opened`` what was found of what somebody held before.
    """
    rows = {}
    for nft_id, (rarity_key, minter) in found.bare.items():
        contract_id, chain_id, token_key, _ = found.fresh[nft_id]
        is_open = any(one.amount is None for one in opened.get(nft_id, ()))
        rows[nft_id] = DerivedNft(
            nft_id, chain_id, contract_id, token_key, rarity_key, None, None, standards[contract_id],
            None, is_open, False, Derived(NEVER, None, "[]", None, True, minter),
        )  # fmt: skip
    return rows


def save(nfts: Iterable[DerivedNft], derived: Mapping[int, Derived], fresh: Fresh) -> None:
    """Write what differs from what is stored."""
    inserts, updates, keys, wide = [], [], [], []
    for nft in nfts:
        before = nft.stored
        after = derived.get(nft.id, before)
        if nft.id in fresh:
            inserts.append((nft.id, *fresh[nft.id], *after[:4]))
        elif before[:4] != after[:4]:
            updates.append((nft.id, *after[:4]))
        if before.recent_key != after.recent_key:
            keys.append((nft.id, after.recent_key))
        if before[4:] != after[4:]:
            wide.append((nft.id, *after[4:]))
    values = ("recent_key", "last_transfer_id", "markets", "owners_total")
    bulk.copy_rows(NftRecent, ("nft_id", "contract_id", "chain_id", "token_key", "marked", *values), inserts)
    bulk.update_rows(NftRecent, ("nft_id", *values), updates)
    bulk.update_rows(NftTraitRecent, ("nft_id", "recent_key"), keys)
    bulk.update_rows(Nft, ("id", "transferred", "minter"), wide)
