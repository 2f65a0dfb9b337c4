"""Operators' pages of transfers and of what the ledger keeps of them."""

from transfers.admin.transfers import OpeningAdmin, PaidTokenAdmin, TransferAdmin, TransferStatementAdmin

__all__ = ["OpeningAdmin", "PaidTokenAdmin", "TransferAdmin", "TransferStatementAdmin"]
