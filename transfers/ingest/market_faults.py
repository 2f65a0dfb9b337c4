"""Writes the market events that could not be explained, for the operator to see."""

from __future__ import annotations

from collections.abc import Sequence

from nftsite.db import bulk
from nftsite.db.keys import UINT256_MAX, uint_key
from transfers.ingest.sales import Fault
from transfers.models import MarketFault

FaultRow = tuple[str, int, Fault]
"""Transaction hash, block number and fault."""

_COLUMNS = (
    *("chain_id", "block_number", "transaction_hash", "log_index"),
    *("protocol", "reason", "currency", "price"),
)
_KEYS = ("transaction_hash", "chain_id")


def write(chain_id: int, hashes: Sequence[str], faults: Sequence[FaultRow]) -> None:
    """Put the faults of transactions in the place of those that are stored of them. Called within ``writing()``.

    Of several of one log the first is kept.
    """
    bulk.delete_rows(MarketFault, _KEYS, [(hash_, chain_id) for hash_ in hashes])
    rows = {
        (hash_, one.log_index): (
            chain_id,
            block,
            hash_,
            one.log_index,
            one.protocol,
            one.reason,
            one.currency,
            uint_key(min(one.price, UINT256_MAX)),
        )
        for hash_, block, one in reversed(faults)
    }
    bulk.copy_rows(MarketFault, _COLUMNS, list(rows.values()))
