"""Operators' pages of asks, rates and ENS names."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address
from core.backoffice import html
from core.backoffice.changelist import Walk
from core.backoffice.tables import TableAdmin
from tokens.admin import terms
from tokens.admin.columns import OfNft, short
from tokens.ens import names as ens
from tokens.models import Ask, EnsName, Rate
from tokens.models.ask import FOREVER

_ACTIVE = {"active": True}


@admin.register(Ask)
class AskAdmin(OfNft, TableAdmin):
    """Asks; those of a contract are listed only while they can be live."""

    list_display = (
        *(
            "order_text",
            "nft_link",
            "contract_link",
            "price",
            "currency",
            "market",
            "status",
            "active",
            "ends",
        ),
    )
    list_select_related = ("nft", "contract", "currency", "market")
    list_deferred = ("nft__uri", "nft__metadata", "nft__native", "nft__stated_markets")
    fields = (
        *(
            "order_hash",
            "nft_link",
            "contract_link",
            "chain",
            "market",
            "price",
            "currency",
            "amount",
            "maker",
        ),
        *("begins", "ends", "status", "active"),
    )
    readonly_fields = ("nft_link", "contract_link", "begins", "ends")
    links = {
        "nft": Walk(("nft_id",), "of NFT {}"),
        "contract": Walk(
            ("price_key", "nft_id"), "that can be live, of contract {}, cheapest first", _ACTIVE
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
        return terms.of_nfts(rows, text, ("nft_id",))

    @admin.display(description="order")
    def order_text(self, ask: Ask) -> str:
        """The order hash, shortened."""
        return short(ask.order_hash)

    @admin.display(description="from (UTC)")
    def begins(self, ask: Ask) -> str:
        """Since when it can be live."""
        return html.moment(ask.valid_from) if ask.valid_from else html.NOTHING

    @admin.display(description="until (UTC)")
    def ends(self, ask: Ask) -> str:
        """Until when it can be live."""
        return "no end" if ask.valid_until == FOREVER else html.moment(ask.valid_until)


@admin.register(Rate)
class RateAdmin(TableAdmin):
    """Rates as loaded; what asks are sorted by is the newest of each currency."""

    list_display = ("currency", "usd", "at")
    list_select_related = ("currency",)
    fields = ("currency", "usd", "timestamp", "at")
    readonly_fields = ("at",)
    links = {"currency": Walk(("-timestamp",), "of currency {}, newest first")}
    searchable = "a currency's symbol"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by currency."""
        if len(text) > 40 or " " in text:
            return None
        return rows.filter(currency__symbol=text.upper()).order_by("-timestamp")

    @admin.display(description="from (UTC)")
    def at(self, rate: Rate) -> str:
        """From when on it holds."""
        return html.moment(rate.timestamp)


@admin.register(EnsName)
class EnsNameAdmin(TableAdmin):
    """ENS names as loaded."""

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
