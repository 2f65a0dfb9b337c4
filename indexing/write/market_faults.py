"""Writes the market events that could not be explained, for the operator to see."""

from __future__ import annotations

from collections.abc import Sequence

from core.db import bulk
from core.db.keys import UINT256_MAX, uint_key
from indexing.judge.verdicts import Fault
from indexing.models import MarketFault
from indexing.node.transactions import ChainTransaction
from transfers.ledger.values import Price, value_prices

_COLUMNS = (
    *("chain_id", "block_number", "transaction_hash", "log_index"),
    *("protocol", "reason", "currency", "price", "eth_value"),
)
_KEYS = ("transaction_hash", "chain_id")
_NOTHING = uint_key(0)


def write(chain_id: int, hashes: Sequence[str], faults: Sequence[tuple[ChainTransaction, Fault]]) -> None:
    """Put the faults of transactions in the place of those that are stored of them. Called within ``writing()``.

    Of several of one log the first is kept.
    """
    bulk.delete_rows(MarketFault, _KEYS, [(hash_, chain_id) for hash_ in hashes])
    # What its event tells was paid, capped to what a column holds.
    prices = [
        Price(chain_id, one.currency, uint_key(min(one.price, UINT256_MAX)), transaction.timestamp)
        for transaction, one in faults
    ]
    values = value_prices(prices)
    rows = {
        (transaction.hash, one.log_index): (
            chain_id,
            transaction.block_number,
            transaction.hash,
            one.log_index,
            one.protocol,
            one.reason,
            one.currency,
            price.amount,
            values[price][1] or _NOTHING,
        )
        for (transaction, one), price in zip(reversed(faults), reversed(prices), strict=True)
    }
    bulk.copy_rows(MarketFault, _COLUMNS, list(rows.values()))
