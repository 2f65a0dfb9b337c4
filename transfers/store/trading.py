"""Which asks are active, and the postings of NFTs under the marketplaces they trade on."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nftsite.db import bulk
from nftsite.db.keys import uint_key
from tokens.models import Ask, NftMarket
from tokens.store.registers import market_ids
from transfers.store.holdings import current_owners
from transfers.store.owners import is_erc721


@dataclass(frozen=True, slots=True)
class Trade:
    """What asks and postings of an NFT follow from."""

    nft_id: int
    contract_id: int
    chain_id: int
    standard: str
    owner_known: bool
    markets: Sequence[str]
    """Slugs of the marketplaces it was transferred on."""
    recent_key: str
    token_key: str
    rarity_key: float


def refresh(trades: Sequence[Trade]) -> None:
    """Bring ``active`` of the asks and the postings of these NFTs into line."""
    asked = _settle_asks(trades)
    _settle_postings(trades, asked)


def _settle_asks(trades: Sequence[Trade]) -> dict[int, set[int]]:
    """Set ``active`` of open asks, and return the marketplaces by NFT where one is active and has not ended.

    An ask is active while it has units left and, for an ERC-721 whose owner is known, is made by that owner (or does
    not say by whom).
    """
    by_id = {trade.nft_id: trade for trade in trades}
    sql, ids = bulk.id_list(by_id)
    rows = bulk.fetch(
        "SELECT a.id, a.nft_id, a.market_id, a.maker, a.amount, a.valid_until, a.active "
        f"FROM {sql} wanted CROSS JOIN {Ask._meta.db_table} a "
        "WHERE a.nft_id = wanted.id AND a.status = 'open'",
        [ids],
    )
    single = {
        row[1]
        for row in rows
        if row[3] is not None and by_id[row[1]].owner_known and is_erc721(by_id[row[1]].standard)
    }
    owners = current_owners(single) if single else {}
    now, none_left = time.time(), uint_key(0)
    changed = []
    asked: dict[int, set[int]] = {}
    for ask_id, nft_id, market_id, maker, amount, valid_until, active in rows:
        wanted = amount != none_left and (
            maker is None or nft_id not in single or owners.get(nft_id) == maker
        )
        if wanted != bool(active):
            changed.append((ask_id, wanted))
        if wanted and valid_until > now:
            asked.setdefault(nft_id, set()).add(market_id)
    bulk.update_rows(Ask, ("id", "active"), changed)
    return asked


_KEYS = ("nft_id", "market_id")
_COLUMNS = (*_KEYS, "contract_id", "chain_id", "traded", "recent_key", "token_key", "rarity_key")


def _settle_postings(trades: Sequence[Trade], asked: dict[int, set[int]]) -> None:
    """Write one posting for each marketplace that an NFT was transferred on or has an ask on that has not ended."""
    slugs = {slug for trade in trades for slug in trade.markets}
    ids = market_ids(slugs) if slugs else {}
    wanted = dict(_postings(trades, ids, asked))
    rows = bulk.rows_by(NftMarket, ("nft_id",), [(trade.nft_id,) for trade in trades], _COLUMNS)
    stored = {row[:2]: (*row[2:4], bool(row[4]), *row[5:]) for row in rows}
    bulk.delete_rows(NftMarket, _KEYS, [key for key in stored if key not in wanted])
    changed = [(*key, *row) for key, row in wanted.items() if key in stored and stored[key] != row]
    bulk.update_rows(NftMarket, _COLUMNS, changed, key=2)
    bulk.copy_rows(NftMarket, _COLUMNS, [(*key, *row) for key, row in wanted.items() if key not in stored])


def _postings(
    trades: Sequence[Trade], ids: dict[str, int], asked: dict[int, set[int]]
) -> Iterable[tuple[tuple[int, int], tuple[int | str | bool | float, ...]]]:
    for trade in trades:
        traded = {ids[slug] for slug in trade.markets}
        for market_id in traded | asked.get(trade.nft_id, set()):
            yield (
                (trade.nft_id, market_id),
                (
                    trade.contract_id,
                    trade.chain_id,
                    market_id in traded,
                    trade.recent_key,
                    trade.token_key,
                    trade.rarity_key,
                ),
            )
