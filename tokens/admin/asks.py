"""Operators' pages of asks, rates and ENS names."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address
from core.backoffice import columns, html
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from tokens.admin import terms
from tokens.admin.columns import OfNft
from tokens.ens import names as ens
from tokens.models import Ask, EnsName, Rate
from tokens.models.ask import FOREVER

_ACTIVE = {"active": True}


def _until(ask: Ask) -> str:
    return "no end" if ask.valid_until == FOREVER else html.moment(ask.valid_until)


@admin.register(Ask)
class AskAdmin(OfNft):
    """Offers to sell an NFT at a price. Look here when the API shows a price, or none, that you did not expect.

    The asks of one contract are listed only while they can be live.
    """

    order_text = columns.short("order_hash", "order")
    begins = Column("from (UTC)", lambda ask: html.moment(ask.valid_from or None))
    ends = Column("until (UTC)", _until)
    list_display = (
        *("order_text", "nft_link", "contract_link", "price", "currency", "market"),
        *("status", "active", "ends"),
    )
    list_select_related = (*OfNft.list_select_related, "currency", "market")
    fields = (
        *("order_hash", "nft_link", "contract_link", "chain", "market", "price", "currency", "amount"),
        *("maker", "begins", "ends", "status", "active"),
    )
    links = {
        "nft": Walk(("nft_id",), "of NFT {}"),
        "contract": Walk(
            ("price_key", "nft_id"),
            "that can be live, of contract {}, cheapest first",
            _ACTIVE,
            "nft.contract",
        ),
        "currency": Walk(("currency_id",), "in currency {}"),
    }
    lists = {"active": Walk(("valid_until",), "that can be live, first to end first", _ACTIVE)}
    searchable = "an order hash, contract/token id, or a token id"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by order hash, or by NFT."""
        if terms.is_hash(text) or (terms.token_key_of(text) is None and "/" not in text):
            spellings = {text, text.lower()} if text[:2].lower() == "0x" else {text}
            return rows.filter(order_hash__in=spellings).order_by("order_hash") if len(text) <= 200 else None
        return super().find(request, rows, text)


@admin.register(Rate)
class RateAdmin(TableAdmin):
    """What currencies were worth in USD. Look here when a value in USD or ETH is missing or looks wrong.

    Asks are sorted by the newest rate of their currency, transfers are valued by the newest of the 48 hours before.
    """

    at = columns.moment("timestamp", "from")
    list_display = ("currency", "usd", "at")
    list_select_related = ("currency",)
    fields = ("currency", "usd", "timestamp", "at")
    links = {"currency": Walk(("-timestamp",), "of currency {}, newest first")}
    searchable = "a currency's symbol"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by currency."""
        if len(text) > 40 or " " in text:
            return None
        return rows.filter(currency__symbol=text.upper()).order_by("-timestamp")


@admin.register(EnsName)
class EnsNameAdmin(TableAdmin):
    """Names that queries may use in place of addresses. Look here when a query by a name finds nothing."""

    list_display = ("name", "address")
    fields = ("name", "address")
    everything = Walk(("name",))
    searchable = "an ENS name"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the name's normal form."""
        if not ens.is_name(text) or is_evm_address(text):
            return None
        try:
            return rows.filter(name=ens.normalised(text)).order_by("name")
        except ValueError:
            return None
