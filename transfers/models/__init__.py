"""Transfers, and what indexing a chain keeps."""

from transfers.models.indexing import (
    Block,
    DoubtfulContract,
    Evidence,
    IndexedChain,
    IndexedContract,
    Opening,
    UndecodedLog,
)
from transfers.models.markets import MarketContract, MarketFault, OrderFill, PaidToken, PunkBid
from transfers.models.transfer import Transfer, TransferStatement

__all__ = [
    "Block",
    "DoubtfulContract",
    "Evidence",
    "IndexedChain",
    "IndexedContract",
    "MarketContract",
    "MarketFault",
    "Opening",
    "OrderFill",
    "PaidToken",
    "PunkBid",
    "Transfer",
    "TransferStatement",
    "UndecodedLog",
]
