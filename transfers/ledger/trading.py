"""The postings of NFTs under the marketplaces they trade on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.db import bulk
from tokens.models import NftMarket
from tokens.models.market import ANYWHERE
from tokens.store.registers import market_ids
from transfers.ledger import asks


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


def refresh(
    known: Sequence[int], whole: Collection[int], traded: Iterable[int], trade_of: Callable[[int], Trade]
) -> None:
    """Bring asks and the postings of NFTs into line.

    ``known``: NFTs that may have asks or postings by now, ``whole``: those of them of which asks that ended may be open
    again; ``traded``: those that were transferred on a marketplace, new ones too. ``trade_of`` is asked only for NFTs
    that have any of these.
    """
    asked = asks.settle(known, whole, trade_of)
    rows = bulk.rows_by(NftMarket, ("nft_id",), [(nft_id,) for nft_id in known], _COLUMNS)
    stored = {row[:2]: (*row[2:4], bool(row[4]), *row[5:]) for row in rows}
    concerned = {*traded, *asked, *(nft_id for nft_id, _ in stored)}
    trades = {nft_id: trade_of(nft_id) for nft_id in sorted(concerned)}
    slugs = {slug for trade in trades.values() for slug in trade.markets}
    wanted = dict(_postings(trades.values(), market_ids(slugs) if slugs else {}, asked))
    bulk.delete_rows(NftMarket, _KEYS, [key for key in stored if key not in wanted])
    changed = [(*key, *row) for key, row in wanted.items() if key in stored and stored[key] != row]
    bulk.update_rows(NftMarket, _COLUMNS, changed, key=2)
    bulk.copy_rows(NftMarket, _COLUMNS, [(*key, *row) for key, row in wanted.items() if key not in stored])


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
