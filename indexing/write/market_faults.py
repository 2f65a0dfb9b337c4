"""Writes the market events that could not be explained, for the operator to see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import UINT256_MAX, uint_key
from indexing.judge.sales import Fault
from indexing.models import MarketFault
from transfers.ledger.values import Price, value_prices


class FaultRow(NamedTuple):
    """A fault with its transaction: hash, and number and time (Unix seconds) of its block."""

    transaction_hash: str
    block_number: int
    timestamp: int
    fault: Fault

    def price(self, chain_id: int) -> Price:
        """Return what its event tells was paid, capped to what a column holds."""
        one = self.fault
        return Price(chain_id, one.currency, uint_key(min(one.price, UINT256_MAX)), self.timestamp)


_COLUMNS = (
    *("chain_id", "block_number", "transaction_hash", "log_index"),
    *("protocol", "reason", "currency", "price", "eth_value"),
)
_KEYS = ("transaction_hash", "chain_id")
_NOTHING = uint_key(0)


def write(chain_id: int, hashes: Sequence[str], faults: Sequence[FaultRow]) -> None:
    """Put the faults of transactions in the place of those that are stored of them. Called within ``writing()``.

    Of several of one log the first is kept.
    """
    bulk.delete_rows(MarketFault, _KEYS, [(hash_, chain_id) for hash_ in hashes])
    values = value_prices(row.price(chain_id) for row in faults)
    rows = {
        (row.transaction_hash, row.fault.log_index): (
            chain_id,
            row.block_number,
            row.transaction_hash,
            row.fault.log_index,
            row.fault.protocol,
            row.fault.reason,
            row.fault.currency,
            row.price(chain_id).amount,
            values[row.price(chain_id)][1] or _NOTHING,
        )
        for row in reversed(faults)
    }
    bulk.copy_rows(MarketFault, _COLUMNS, list(rows.values()))
