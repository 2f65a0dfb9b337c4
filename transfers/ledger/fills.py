"""Orders that market events filled, and the asks that are filled with them.

An ask is what was stated of it less what was filled of its order since: a function of both, whatever came first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key, uint_key
from tokens.models import Ask
from tokens.store.asks import StatedAsk
from tokens.store.chains import ChainRow
from tokens.store.facts import AskFacts
from transfers.ledger.transfer_facts import FillFacts
from transfers.models import OrderFill

_KEYS = ("transaction_hash", "log_index", "order_hash", "chain_id")
_ORDER = ("order_hash", "chain_id")
_OPEN, _FILLED = "open", "filled"
_NONE_LEFT = uint_key(0)
_SINGLE = (None, _NONE_LEFT, uint_key(1))
"""Units of an ask that the first fill of its order ends."""

Order = tuple[str, int]
"""An order's hash and the id of its chain."""


class _Ask(NamedTuple):
    id: int
    nft_id: int
    order_hash: str
    chain_id: int
    amount: str | None
    status: str
    stated: str | None


def write(facts: Sequence[FillFacts], chains: Mapping[str, ChainRow]) -> set[int]:
    """Write fills, and take what they filled from their orders' asks; return the NFTs of the asks that changed.

    An ask of which nothing is left is filled; one that does not say how much there was is filled by the first. Called
    within ``writing()``.
    """
    new = {(one.transaction_hash, one.log_index, one.order_hash, chains[one.chain].id): one for one in facts}
    for row in bulk.rows_by(OrderFill, _KEYS, list(new), _KEYS):
        del new[row]
    bulk.copy_rows(OrderFill, (*_KEYS, "units"), [(*key, uint_key(one.units)) for key, one in new.items()])
    return _count({key[2:] for key in new})


def settle(facts: Iterable[AskFacts], chains: Mapping[str, ChainRow]) -> set[int]:
    """Bring asks that were just stated into line with the fills of their orders; return the NFTs of those that changed.

    Of an ask of several units the source is believed: what it says is left is less what was filled by then. One of a
    single unit is filled. Called within ``writing()``.
    """
    named = {(one.order_hash, chains[one.chain].id) for one in facts if one.chain in chains}
    filled: set[Order] = set(bulk.rows_by(OrderFill, _ORDER, list(named), _ORDER))
    return _count(filled, just_stated=True)


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
    return _forget([row for row in _of_transactions(chain.id, hashes) if row not in now]) | write(
        facts, {chain.slug: chain}
    )


_Fill = tuple[str, int, str, int]
"""Identity of a fill."""


def _of_transactions(chain_id: int, hashes: Sequence[str]) -> list[_Fill]:
    keys = [(hash_, chain_id) for hash_ in hashes]
    return bulk.rows_by(OrderFill, ("transaction_hash", "chain_id"), keys, _KEYS)


def _forget(fills: Sequence[_Fill]) -> set[int]:
    bulk.delete_rows(OrderFill, _KEYS, fills)
    return _count({row[2:] for row in fills})


def _count(orders: Iterable[Order], *, just_stated: bool = False) -> set[int]:
    """Work out what is left of the asks of orders; return the NFTs of those that changed.

    Those that were ``just_stated`` reflect all fills that are known; any other that does not say which it reflects was
    stated when none was.
    """
    asks = [_Ask._make(row) for row in bulk.rows_by(Ask, _ORDER, list(orders), _Ask._fields)]
    if not asks:
        return set()
    fills: dict[Order, list[tuple[str, int]]] = defaultdict(list)
    wanted = list({(ask.order_hash, ask.chain_id) for ask in asks})
    for order_hash, chain_id, hash_, units in bulk.rows_by(
        OrderFill, _ORDER, wanted, (*_ORDER, "transaction_hash", "units")
    ):
        fills[order_hash, chain_id].append((hash_, uint_from_key(units)))
    counted = [
        _counted(ask, fills.get((ask.order_hash, ask.chain_id), []), just_stated=just_stated) for ask in asks
    ]
    changed = [after for before, after in zip(asks, counted, strict=True) if after != before]
    # Whether one that is open is active, the caller's refresh of their NFTs tells.
    rows = [(ask.id, ask.amount, ask.status, ask.stated, False) for ask in changed]
    bulk.update_rows(Ask, ("id", "amount", "status", "stated", "active"), rows)
    return {ask.nft_id for ask in changed}


def _counted(ask: _Ask, fills: Sequence[tuple[str, int]], *, just_stated: bool) -> _Ask:
    """Return an ask by what was stated of it, and by all fills of its order (transaction and units)."""
    known = frozenset(hash_ for hash_, _ in fills)
    said = StatedAsk(ask.amount, ask.status) if ask.stated is None else StatedAsk.of_text(ask.stated)
    if said.reflects is None:
        said = said._replace(reflects=known if just_stated else frozenset())
    assert said.reflects is not None
    reflects = said.reflects
    amount, status = said.amount, said.status
    if status == _OPEN and fills and amount in _SINGLE:
        amount, status = amount and _NONE_LEFT, _FILLED
    elif status == _OPEN and amount is not None:
        left = uint_from_key(amount) - sum(units for hash_, units in fills if hash_ not in reflects)
        amount = uint_key(max(left, 0))
        status = _FILLED if fills and left <= 0 else _OPEN
    return ask._replace(amount=amount, status=status, stated=said.text() if fills or reflects else None)
