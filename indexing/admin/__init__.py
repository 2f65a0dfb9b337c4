"""Operators' pages of indexing, one file a family."""

from indexing.admin.indexing import BlockAdmin, DoubtfulContractAdmin, IndexedChainAdmin, IndexedContractAdmin
from indexing.admin.markets import (
    MarketContractAdmin,
    MarketFaultAdmin,
    OrderFillAdmin,
    PaidTokenAdmin,
    PunkBidAdmin,
)
from indexing.admin.records import EvidenceAdmin, OpeningAdmin, UndecodedLogAdmin

__all__ = [
    "BlockAdmin",
    "DoubtfulContractAdmin",
    "EvidenceAdmin",
    "IndexedChainAdmin",
    "IndexedContractAdmin",
    "MarketContractAdmin",
    "MarketFaultAdmin",
    "OpeningAdmin",
    "OrderFillAdmin",
    "PaidTokenAdmin",
    "PunkBidAdmin",
    "UndecodedLogAdmin",
]
