"""Orders that market events filled, and the asks that are filled with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nftsite.db import bulk
from nftsite.db.keys import uint_from_key, uint_key
from tokens.facts import AskFacts
from tokens.models import Ask
from tokens.store.chains import ChainRow
from transfers.facts import FillFacts
from transfers.models import OrderFill

_KEYS = ("transaction_hash", "log_index", "order_hash", "chain_id")
_ORDER = ("order_hash", "chain_id")
_ASK = ("id", "nft_id", "order_hash", "chain_id", "amount", "status")
_OPEN, _FILLED = "open", "filled"
_NONE_LEFT, _ONE = uint_key(0), uint_key(1)


class _Ask(NamedTuple):
    id: int
    nft_id: int
    order_hash: str
    chain_id: int
    amount: str | None
    status: str


def write(facts: Sequence[FillFacts], chains: Mapping[str, ChainRow]) -> set[int]:
    """Write fills, and take what they filled from their orders' asks; return the NFTs of the asks that changed.

    An ask of which nothing is left is filled; one that does not say how much there was is filled by the first. Fills
    that are stored already change nothing. Called within ``writing()``.
    """
    new = {(one.transaction_hash, one.log_index, one.order_hash, chains[one.chain].id): one for one in facts}
    for row in bulk.rows_by(OrderFill, _KEYS, list(new), _KEYS):
        del new[row]
    left: dict[tuple[str, int], list[_Ask]] = {}
    for ask in _asks({key[2:] for key in new}):
        left.setdefault((ask.order_hash, ask.chain_id), []).append(ask)
    rows, changed = [], {}
    for key, one in new.items():
        closed = False
        for place, ask in enumerate(left.get(key[2:], ())):
            if ask.status == _OPEN:
                after = _filled(ask, one.units)
                closed |= after.status == _FILLED
                left[key[2:]][place] = changed[ask.id] = after
        rows.append((*key, uint_key(one.units), closed))
    bulk.copy_rows(OrderFill, (*_KEYS, "units", "closed"), rows)
    return _save(changed.values())


def settle(facts: Iterable[AskFacts], chains: Mapping[str, ChainRow]) -> set[int]:
    """Mark asks filled that a source states as open though a fill of their order is known; return their NFTs.

    Of an ask of several units the source is believed: what it says is left is less what was filled. Called within
    ``writing()``.
    """
    named = {(one.order_hash, chains[one.chain].id) for one in facts if one.chain in chains}
    known = set(bulk.rows_by(OrderFill, _ORDER, list(named), _ORDER))
    single = [ask for ask in _asks(known) if ask.status == _OPEN and ask.amount in (None, _NONE_LEFT, _ONE)]
    return _save([ask._replace(status=_FILLED) for ask in single])


def forget(chain_id: int, hashes: Sequence[str]) -> set[int]:
    """Take back the fills of transactions that are no longer part of the chain; return the NFTs of reopened asks.

    Called within ``writing()``.
    """
    keys = [(hash_, chain_id) for hash_ in hashes]
    columns = (*_KEYS, "units", "closed")
    fills = bulk.rows_by(OrderFill, ("transaction_hash", "chain_id"), keys, columns)
    bulk.delete_rows(OrderFill, _KEYS, [row[:4] for row in fills])
    units: dict[tuple[str, int], int] = defaultdict(int)
    reopened: set[tuple[str, int]] = set()
    for *_, order_hash, chain, filled, closed in fills:
        units[order_hash, chain] += uint_from_key(filled)
        if closed:
            reopened.add((order_hash, chain))
    changed = []
    for ask in _asks(units):
        order = (ask.order_hash, ask.chain_id)
        if ask.status == _OPEN or (ask.status == _FILLED and order in reopened):
            left = None if ask.amount is None else uint_key(uint_from_key(ask.amount) + units[order])
            changed.append(ask._replace(amount=left, status=_OPEN))
    return _save(changed)


def _asks(orders: Iterable[tuple[str, int]]) -> list[_Ask]:
    return [_Ask._make(row) for row in bulk.rows_by(Ask, _ORDER, list(orders), _ASK)]


def _filled(ask: _Ask, units: int) -> _Ask:
    if ask.amount is None:
        return ask._replace(status=_FILLED)
    left = max(uint_from_key(ask.amount) - units, 0)
    return ask._replace(amount=uint_key(left), status=_OPEN if left else _FILLED)


def _save(asks: Collection[_Ask]) -> set[int]:
    """Write asks; whether one that is open is active, the caller's refresh of their NFTs tells."""
    rows = [(ask.id, ask.amount, ask.status, False) for ask in asks]
    bulk.update_rows(Ask, ("id", "amount", "status", "active"), rows)
    return {ask.nft_id for ask in asks}
