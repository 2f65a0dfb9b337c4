"""Which asks are active, and the postings of NFTs under the marketplaces they trade on."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.db import bulk
from core.db.keys import uint_key
from tokens.models import Ask, NftMarket
from tokens.models.market import ANYWHERE
from tokens.store.registers import market_ids
from transfers.ledger.holdings import current_owners
from transfers.ledger.owners import is_erc721


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


class _Ask(NamedTuple):
    id: int
    nft_id: int
    market_id: int
    maker: str | None
    amount: str | None
    valid_until: int
    active: bool
    sole: bool


def refresh(known: Sequence[int], traded: Iterable[int], trade_of: Callable[[int], Trade]) -> None:
    """Bring ``active`` and ``sole`` of asks and the postings of NFTs into line.

    ``known``: NFTs that may have asks or postings by now; ``traded``: those that were transferred on a marketplace,
    new ones too. ``trade_of`` is asked only for NFTs that have any of these.
    """
    asks = _open_asks(known)
    rows = bulk.rows_by(NftMarket, ("nft_id",), [(nft_id,) for nft_id in known], _COLUMNS)
    stored = {row[:2]: (*row[2:4], bool(row[4]), *row[5:]) for row in rows}
    concerned = {*traded, *(ask.nft_id for ask in asks), *(nft_id for nft_id, _ in stored)}
    trades = {nft_id: trade_of(nft_id) for nft_id in sorted(concerned)}
    asked = _settle_asks(asks, trades)
    slugs = {slug for trade in trades.values() for slug in trade.markets}
    wanted = dict(_postings(trades.values(), market_ids(slugs) if slugs else {}, asked))
    bulk.delete_rows(NftMarket, _KEYS, [key for key in stored if key not in wanted])
    changed = [(*key, *row) for key, row in wanted.items() if key in stored and stored[key] != row]
    bulk.update_rows(NftMarket, _COLUMNS, changed, key=2)
    bulk.copy_rows(NftMarket, _COLUMNS, [(*key, *row) for key, row in wanted.items() if key not in stored])


def _open_asks(nft_ids: Sequence[int]) -> list[_Ask]:
    sql, ids = bulk.id_list(nft_ids)
    rows = bulk.fetch(
        "SELECT a.id, a.nft_id, a.market_id, a.maker, a.amount, a.valid_until, a.active, a.sole "
        f"FROM {sql} wanted CROSS JOIN {Ask._meta.db_table} a "
        "WHERE a.nft_id = wanted.id AND a.status = 'open'",
        [ids],
    )
    return list(map(_Ask._make, rows))


def _settle_asks(asks: Sequence[_Ask], trades: Mapping[int, Trade]) -> dict[int, set[int]]:
    """Set ``active`` and ``sole`` of open asks; return the marketplaces by NFT where one is active and has not ended.

    An ask is active while it has units left and, for an ERC-721 whose owner is known, is made by that owner (or does
    not say by whom).
    """
    single = {
        ask.nft_id
        for ask in asks
        if ask.maker is not None and trades[ask.nft_id].owner_known and is_erc721(trades[ask.nft_id].standard)
    }
    owners = current_owners(single) if single else {}
    now, none_left = time.time(), uint_key(0)
    active = {
        ask.id
        for ask in asks
        if ask.amount != none_left
        and (ask.maker is None or ask.nft_id not in single or owners.get(ask.nft_id) == ask.maker)
    }
    of_nft = Counter(ask.nft_id for ask in asks if ask.id in active)
    changed = []
    asked: dict[int, set[int]] = {}
    for ask in asks:
        state = ask.id in active, ask.id in active and of_nft[ask.nft_id] == 1
        if state != (bool(ask.active), bool(ask.sole)):
            changed.append((ask.id, *state))
        if ask.id in active and ask.valid_until > now:
            asked.setdefault(ask.nft_id, set()).add(ask.market_id)
    bulk.update_rows(Ask, ("id", "active", "sole"), changed)
    return asked


_KEYS = ("nft_id", "market_id")
_COLUMNS = (*_KEYS, "contract_id", "chain_id", "traded", "recent_key", "token_key", "rarity_key")


def _postings(
    trades: Iterable[Trade], ids: Mapping[str, int], asked: Mapping[int, set[int]]
) -> Iterable[tuple[tuple[int, int], tuple[int | str | bool | float, ...]]]:
    """Yield a posting for each marketplace that an NFT was transferred on, or has an ask on that has not ended.

    And one for all marketplaces where it has such an ask on any.
    """
    for trade in trades:
        traded = {ids[slug] for slug in trade.markets}
        offered = {ANYWHERE, *asked[trade.nft_id]} if trade.nft_id in asked else set()
        for market_id in traded | offered:
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
