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
        closed, taken = False, 0
        for place, ask in enumerate(left.get(key[2:], ())):
            if ask.status == _OPEN:
                after, units = _filled(ask, one.units)
                closed, taken = closed or after.status == _FILLED, max(taken, units)
                left[key[2:]][place] = changed[ask.id] = after
        rows.append((*key, uint_key(one.units), uint_key(taken), closed))
    bulk.copy_rows(OrderFill, (*_KEYS, "units", "taken", "closed"), rows)
    return _save(changed.values())


def settle(facts: Iterable[AskFacts], chains: Mapping[str, ChainRow]) -> set[int]:
    """Mark asks filled that a source states as open though a fill of their order is known; return their NFTs.

    Of an ask of several units the source is believed: what it says is left is less what was filled. Called within
    ``writing()``.
    """
    named = {(one.order_hash, chains[one.chain].id) for one in facts if one.chain in chains}
    known = {row[2:]: row for row in bulk.rows_by(OrderFill, _ORDER, list(named), _KEYS)}
    single = [ask for ask in _asks(known) if ask.status == _OPEN and ask.amount in (None, _NONE_LEFT, _ONE)]
    closing = {known[ask.order_hash, ask.chain_id] for ask in single}
    bulk.update_rows(OrderFill, (*_KEYS, "closed"), [(*key, True) for key in closing], key=len(_KEYS))
    return _save([ask._replace(status=_FILLED) for ask in single])


def forget(chain_id: int, hashes: Sequence[str]) -> set[int]:
    """Take back the fills of transactions that are no longer part of the chain; return the NFTs of reopened asks.

    Called within ``writing()``.
    """
    return _forget(_of_transactions(chain_id, hashes))


def replace(chain: ChainRow, hashes: Sequence[str], facts: Sequence[FillFacts]) -> set[int]:
    """Put the fills of transactions in the place of those that are stored of them; return the NFTs of changed asks.

    Called within ``writing()``.
    """
    now = {(one.transaction_hash, one.log_index, one.order_hash, chain.id) for one in facts}
    gone = [row for row in _of_transactions(chain.id, hashes) if row[: len(_KEYS)] not in now]
    return _forget(gone) | write(facts, {chain.slug: chain})


_Stored = tuple[str, int, str, int, str, bool]
"""Identity of a fill, the units it took, and whether it filled an ask."""


def _of_transactions(chain_id: int, hashes: Sequence[str]) -> list[_Stored]:
    keys = [(hash_, chain_id) for hash_ in hashes]
    return bulk.rows_by(OrderFill, ("transaction_hash", "chain_id"), keys, (*_KEYS, "taken", "closed"))


def _forget(fills: Sequence[_Stored]) -> set[int]:
    bulk.delete_rows(OrderFill, _KEYS, [row[: len(_KEYS)] for row in fills])
    units: dict[tuple[str, int], int] = defaultdict(int)
    for _, _, order_hash, chain, taken, _ in fills:
        units[order_hash, chain] += uint_from_key(taken)
    reopened = {row[2:4] for row in fills if row[5]}
    left = bulk.rows_by(OrderFill, _ORDER, list(reopened), (*_ORDER, "closed"))
    reopened -= {row[:2] for row in left if row[2]}
    changed = []
    for ask in _asks(units):
        order = (ask.order_hash, ask.chain_id)
        if ask.status == _OPEN or (ask.status == _FILLED and order in reopened):
            amount = None if ask.amount is None else uint_key(uint_from_key(ask.amount) + units[order])
            changed.append(ask._replace(amount=amount, status=_OPEN))
    return _save(changed)


def _asks(orders: Iterable[tuple[str, int]]) -> list[_Ask]:
    return [_Ask._make(row) for row in bulk.rows_by(Ask, _ORDER, list(orders), _ASK)]


def _filled(ask: _Ask, units: int) -> tuple[_Ask, int]:
    """Return an ask with so many units filled, and how many of them it had."""
    if ask.amount is None:
        return ask._replace(status=_FILLED), 0
    amount = uint_from_key(ask.amount)
    left = max(amount - units, 0)
    return ask._replace(amount=uint_key(left), status=_OPEN if left else _FILLED), amount - left


def _save(asks: Collection[_Ask]) -> set[int]:
    """Write asks; whether one that is open is active, the caller's refresh of their NFTs tells."""
    rows = [(ask.id, ask.amount, ask.status, False) for ask in asks]
    bulk.update_rows(Ask, ("id", "amount", "status", "active"), rows)
    return {ask.nft_id for ask in asks}
