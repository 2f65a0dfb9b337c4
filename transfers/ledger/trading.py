"""The postings of NFTs under the marketplaces they trade on, and under the wide holders that have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from core.db import bulk
from tokens.models import NftMarket
from tokens.models.market import ANYWHERE, with_asks
from tokens.store import wide_holders
from tokens.store.registers import market_ids
from tokens.store.wide_holders import Moved
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
    known: Sequence[int],
    whole: Collection[int],
    traded: Iterable[int],
    moved: Mapping[int, Moved],
    trade_of: Callable[[int], Trade],
) -> Set[str]:
    """Bring asks and the postings of NFTs into line; return the addresses of wide holders among those of ``moved``.

    ``known``: NFTs that may have asks or postings by now, ``whole``: those of them of which asks that ended may be open
    again; ``traded``: those that were transferred on a marketplace, new ones too; ``moved``: those of new holders.
    ``trade_of`` is asked only for NFTs that have postings, or are to have some.
    """
    asked = asks.settle(known, whole, trade_of)
    rows = bulk.rows_by(NftMarket, ("nft_id",), [(nft_id,) for nft_id in known], _COLUMNS)
    stored = {row[:2]: (*row[2:4], bool(row[4]), *row[5:]) for row in rows}
    wide = wide_holders.lists_of(moved)
    held = _held({key for key in stored if key[1] < ANYWHERE}, moved, wide)
    concerned = {*traded, *asked, *held, *(nft_id for nft_id, _ in stored)}
    trades = {nft_id: trade_of(nft_id) for nft_id in sorted(concerned)}
    slugs = {slug for trade in trades.values() for slug in trade.markets}
    wanted = dict(_postings(trades.values(), market_ids(slugs) if slugs else {}, asked, held))
    gone, new = [key for key in stored if key not in wanted], [key for key in wanted if key not in stored]
    bulk.delete_rows(NftMarket, _KEYS, gone)
    changed = [(*key, *row) for key, row in wanted.items() if key in stored and stored[key] != row]
    bulk.update_rows(NftMarket, _COLUMNS, changed, key=2)
    bulk.copy_rows(NftMarket, _COLUMNS, [(*key, *wanted[key]) for key in new])
    grown = Counter(list_id for _, list_id in new)
    grown.subtract(list_id for _, list_id in gone)
    wide_holders.count(grown)
    return wide.keys()


_KEYS = ("nft_id", "market_id")
_COLUMNS = (*_KEYS, "contract_id", "chain_id", "traded", "recent_key", "token_key", "rarity_key")


def _held(
    before: Iterable[tuple[int, int]], moved: Mapping[int, Moved], wide: Mapping[str, int]
) -> dict[int, set[int]]:
    """Return the lists of wide holders that NFTs are in, of those that are or were in any."""
    lists: dict[int, set[int]] = {}
    for nft_id, list_id in before:
        lists.setdefault(nft_id, set()).add(list_id)
    concerned = {nft_id for nft_id, one in moved.items() if not wide.keys().isdisjoint(one.holding)}
    return {
        nft_id: wide_holders.held(lists.get(nft_id, set()), moved.get(nft_id), wide)
        for nft_id in concerned | lists.keys()
    }


def _postings(
    trades: Iterable[Trade],
    ids: Mapping[str, int],
    asked: Mapping[int, set[int]],
    held: Mapping[int, set[int]],
) -> Iterable[tuple[tuple[int, int], tuple[int | str | bool | float, ...]]]:
    """Yield a posting for each marketplace that an NFT was transferred on, or has an ask on that has not ended.

    And one for all marketplaces where it has such an ask on any, and one for each wide holder that has it.
    """
    for trade in trades:
        traded = {ids[slug] for slug in trade.markets}
        offered = {ANYWHERE, *asked[trade.nft_id]} if trade.nft_id in asked else set()
        lists = held.get(trade.nft_id, set())
        if offered:
            lists |= {with_asks(list_id) for list_id in lists}
        for market_id in traded | offered | lists:
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
