"""Operators' pages of transfers."""

from transfers.admin.transfers import TransferAdmin, TransferStatementAdmin

__all__ = ["TransferAdmin", "TransferStatementAdmin"]
