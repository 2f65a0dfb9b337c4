"""Orders that market events filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.db import bulk
from core.db.keys import uint_key
from tokens.store.chains import ChainRow
from transfers.ledger import asks
from transfers.ledger.transfer_facts import FillFacts
from transfers.models import OrderFill

_KEYS = ("transaction_hash", "log_index", "order_hash", "chain_id")
_Fill = tuple[str, int, str, int]
"""Identity of a fill."""


def write(facts: Sequence[FillFacts], chains: Mapping[str, ChainRow]) -> set[int]:
    """Write fills; return the NFTs of their orders' asks, which are to be derived anew. Called within ``writing()``."""
    new = {(one.transaction_hash, one.log_index, one.order_hash, chains[one.chain].id): one for one in facts}
    for row in bulk.rows_by(OrderFill, _KEYS, list(new), _KEYS):
        del new[row]
    bulk.copy_rows(OrderFill, (*_KEYS, "units"), [(*key, uint_key(one.units)) for key, one in new.items()])
    return asks.of_orders(key[2:] for key in new)


def forget(chain_id: int, hashes: Sequence[str]) -> set[int]:
    """Take back the fills of transactions that are no longer part of the chain; return the NFTs as :func:`write` does.

    Called within ``writing()``.
    """
    return _forget(_of_transactions(chain_id, hashes))


def replace(chain: ChainRow, hashes: Sequence[str], facts: Sequence[FillFacts]) -> set[int]:
    """Put the fills of transactions in the place of those that are stored of them; return the NFTs of both.

    Called within ``writing()``.
    """
    now = {(one.transaction_hash, one.log_index, one.order_hash, chain.id) for one in facts}
    return _forget([row for row in _of_transactions(chain.id, hashes) if row not in now]) | write(
        facts, {chain.slug: chain}
    )


def _of_transactions(chain_id: int, hashes: Sequence[str]) -> list[_Fill]:
    keys = [(hash_, chain_id) for hash_ in hashes]
    return bulk.rows_by(OrderFill, ("transaction_hash", "chain_id"), keys, _KEYS)


def _forget(fills: Sequence[_Fill]) -> set[int]:
    bulk.delete_rows(OrderFill, _KEYS, fills)
    return asks.of_orders(row[2:] for row in fills)
