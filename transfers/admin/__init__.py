"""Operators' pages of transfers and of what the ledger keeps of them."""

from transfers.admin.figures import CollectionFiguresAdmin
from transfers.admin.order_events import OrderEventAdmin
from transfers.admin.transfers import OpeningAdmin, PaidTokenAdmin, TransferAdmin, TransferStatementAdmin

__all__ = [
    "CollectionFiguresAdmin",
    "OpeningAdmin",
    "OrderEventAdmin",
    "PaidTokenAdmin",
    "TransferAdmin",
    "TransferStatementAdmin",
]
