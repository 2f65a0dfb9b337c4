"""Columns that several tables show."""

from __future__ import annotations

from typing import Any

from django.contrib import admin

from core.backoffice import html
from tokens.models import Contract, Nft

SHORT_ADDRESS = 14


def short(text: str | None) -> str:
    """Return an address or hash with its middle left out."""
    if not text:
        return html.NOTHING
    return text if len(text) <= SHORT_ADDRESS else f"{text[:8]}…{text[-4:]}"


def contract_text(contract: Contract) -> str:
    """Return a contract's name, or its address, short enough for a table."""
    return html.shortened(contract.name, 40) if contract.name else short(str(contract))


class OfNft:
    """Columns of a table whose rows belong to an NFT. They need ``nft``, ``contract`` and ``chain`` selected."""

    @admin.display(description="NFT")
    def nft_link(self, row: Any) -> str:
        """The NFT's page."""
        return html.row_link(Nft, row.nft_id, html.shortened(row.nft.token_id, 24))

    @admin.display(description="contract")
    def contract_link(self, row: Any) -> str:
        """The contract's page."""
        return html.row_link(Contract, row.contract_id, contract_text(row.contract))
