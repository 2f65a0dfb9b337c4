"""Operators' pages of indexing, one file a family."""

from indexing.admin.books import BookPageAdmin, BookSourceAdmin, BookWalkAdmin
from indexing.admin.evidence import EvidenceAdmin, UndecodedLogAdmin
from indexing.admin.markets import MarketContractAdmin, MarketFaultAdmin, OrderFillAdmin, PunkBidAdmin
from indexing.admin.progress import BlockAdmin, DoubtfulContractAdmin, IndexedChainAdmin, IndexedContractAdmin

__all__ = [
    "BlockAdmin",
    "BookPageAdmin",
    "BookSourceAdmin",
    "BookWalkAdmin",
    "DoubtfulContractAdmin",
    "EvidenceAdmin",
    "IndexedChainAdmin",
    "IndexedContractAdmin",
    "MarketContractAdmin",
    "MarketFaultAdmin",
    "OrderFillAdmin",
    "PunkBidAdmin",
    "UndecodedLogAdmin",
]
