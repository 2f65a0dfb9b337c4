"""What tables whose rows belong to an NFT or a contract have in common."""

from __future__ import annotations

import json
from operator import attrgetter
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpRequest

from core.backoffice import columns, html
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from core.rest.cards import text_of
from tokens.admin import terms
from tokens.models import Contract, Nft

MOST_NAME = 100
"""Characters of a name in a title."""


def contract_text(contract: Contract) -> str:
    """Return a contract's name, or its address, short enough for a table."""
    return html.shortened(contract.name, 40) if contract.name else html.short(str(contract))


def to_contract(path: str = "contract") -> Column:
    """Return the column that links to the page of the contract at ``path``."""
    contract = attrgetter(path)
    return columns.link(Contract, f"{path}_id", "contract", lambda row: contract_text(contract(row)))


def nft_title(nft: Nft) -> str:
    """Return an NFT's name, by its metadata; its contract and token id where it has none."""
    try:
        metadata = json.loads(nft.metadata or "{}")
    except ValueError:
        metadata = {}
    name = text_of(metadata, "name") if isinstance(metadata, dict) else None
    return html.shortened(name, MOST_NAME) if name else f"{contract_text(nft.contract)} #{nft.token_id}"


class OfNft(TableAdmin):
    """A table whose rows belong to an NFT, by which they are found."""

    nft_link = columns.link(Nft, "nft_id", "NFT", lambda row: nft_title(row.nft))
    contract_link = to_contract("nft.contract")
    list_select_related: ClassVar[Any] = ("nft__contract",)
    list_deferred: ClassVar[tuple[str, ...]] = (*("nft__uri", "nft__native", "nft__stated_markets"),)
    searchable = "contract/token id, or a token id"
    found_in: ClassVar[tuple[str, ...]] = ("nft_id",)
    """The order of what is found, which an index has."""

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.of_nfts(rows, text, self.found_in)
