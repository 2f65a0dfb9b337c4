"""Operators' pages of the transfers app, one file a family."""

from transfers.admin.indexing import (
    BlockAdmin,
    DoubtfulContractAdmin,
    IndexedChainAdmin,
    IndexedContractAdmin,
)
from transfers.admin.markets import (
    MarketContractAdmin,
    MarketFaultAdmin,
    OrderFillAdmin,
    PaidTokenAdmin,
    PunkBidAdmin,
)
from transfers.admin.records import EvidenceAdmin, OpeningAdmin, UndecodedLogAdmin
from transfers.admin.transfers import TransferAdmin

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
    "TransferAdmin",
    "UndecodedLogAdmin",
]
