"""Operators' pages of asks, rates and ENS names."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet, TextChoices
from django.http import HttpRequest
from django.utils.module_loading import import_string

from core.addresses import is_evm_address
from core.backoffice import columns, html, tables
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from core.db.keys import scaled, unscaled
from core.db.states import counts_of
from tokens.admin import terms
from tokens.admin.columns import OfNft
from tokens.ens import names as ens
from tokens.models import Ask, EnsName, Rate
from tokens.models.ask import FOREVER
from tokens.prices.lines import Line

_ACTIVE = {"active": True}


def _until(ask: Ask) -> str:
    return "no end" if ask.valid_until == FOREVER else html.together(html.moment(ask.valid_until))


def liveness(ask: Ask, now: int) -> str:
    """Return in words whether an ask is live at a moment, and why not."""
    if ask.reason:
        return f"No: {Ask.Reason(ask.reason).label}."
    if not ask.active:
        return f"No: it is {ask.status}."
    if now < ask.valid_from:
        return f"No: it has not begun; it does in {html.span(ask.valid_from - now)}."
    if ask.valid_until <= now:
        return f"No: it expired {html.span(now - ask.valid_until)} ago."
    return "Yes."


def explained(ask: Ask) -> list[tuple[str, str]]:
    """Return labels and texts of why an ask is live or not, and of what the chain said (`ASK_EXPLANATION` names it)."""
    rows_of: Callable[[Ask], list[tuple[str, str]]] = import_string(settings.ASK_EXPLANATION)
    return [("live now", liveness(ask, int(time.time()))), *rows_of(ask)]


def _price_now(ask: Ask) -> str | None:
    """Return what an ask whose price changes costs now."""
    if None in (ask.start_price, ask.end_price, ask.price_from, ask.price_until):
        return None
    line = Line(scaled(ask.start_price), scaled(ask.end_price), ask.price_from, ask.price_until)  # type: ignore[arg-type]
    return f"{unscaled(line.at(int(time.time()))):f}"


def _by_reason() -> str:
    """Return a table of how many asks are active, and how many are not for which reason."""
    parts: dict[TextChoices, QuerySet[Any]] = {Ask.Status.OPEN: Ask.objects.filter(**_ACTIVE)}
    parts |= {reason: Ask.objects.filter(active=False, reason=reason.value) for reason in Ask.Reason}
    counts = counts_of(parts)
    return html.rows_table(
        ("list", "asks"),
        [
            (html.list_link(Ask, walk.title, show=name), one.text)
            for (name, walk), one in zip(AskAdmin.lists.items(), counts, strict=True)
        ],
    )


@admin.register(Ask)
class AskAdmin(OfNft):
    """Offers to sell an NFT at a price. Look here when the API shows a price, or none, that you did not expect.

    The asks of one contract are listed only while they can be live. A page ends with why its ask is live or is not.
    """

    order_text = columns.short("order_hash", "order")
    begins = Column("from (UTC)", lambda ask: html.moment(ask.valid_from or None))
    ends = Column("until (UTC)", _until)
    price_now = Column("price at this second", _price_now)
    changes_from = columns.moment("price_from", "price changes from")
    changes_until = columns.moment("price_until", "price changes until")
    seen = columns.moment("seen_at", "last seen at its source")
    gone = columns.moment("gone_at", "found missing at its source")
    elsewhere = Column("see also", lambda ask: tables.lists_by("nft", ask.nft_id))
    list_display = (
        *("order_text", "nft_link", "contract_link", "price", "currency", "market"),
        *("status", "reason", "active", "ends"),
    )
    list_select_related = (*OfNft.list_select_related, "currency", "market", "chain")
    change_form_template = "backoffice/explained_form.html"
    change_list_template = "backoffice/asks_list.html"
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("order_hash", "nft_link", "contract_link", "chain", "market", "currency", "price"),
                    *("amount", "begins", "ends", "elsewhere"),
                )
            },
        ),
        (
            "Price that changes with time",
            {"fields": ("price_now", "start_price", "end_price", "changes_from", "changes_until")},
        ),
        ("Who", {"fields": ("maker", "taker", "holder", "operator", "exchange", "nonce", "wakes")}),
        (
            "State",
            {
                "fields": (
                    *("status", "reason", "active", "sole", "stated_status", "stated_amount", "source"),
                    *("seen", "gone", "opened_block", "opened_log"),
                )
            },
        ),
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
    lists = {
        "active": Walk(("valid_until",), "that can be live, first to end first", _ACTIVE),
        **{
            reason.value: Walk(
                ("reason",), f"that are not live: {reason.label}", {"active": False, "reason": reason.value}
            )
            for reason in Ask.Reason
        },
    }
    searchable = "an order hash, contract/token id, or a token id"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        if terms.is_hash(text) or (terms.token_key_of(text) is None and "/" not in text):
            spellings = {text, text.lower()} if text[:2].lower() == "0x" else {text}
            return rows.filter(order_hash__in=spellings).order_by("order_hash") if len(text) <= 200 else None
        return super().find(request, rows, text)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, with how many are live or not, and why, above the whole of it."""
        context = extra_context or {}
        if not request.GET:
            context["by_reason"] = _by_reason()
        return super().changelist_view(request, context)

    explanation_title = "Why it is live, or is not"

    def explanation_of(self, row: Ask) -> Any:
        return explained(row)


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
        if len(text) > 40 or " " in text:
            return None
        return rows.filter(currency__symbol=text.upper()).order_by("-timestamp")


@admin.register(EnsName)
class EnsNameAdmin(TableAdmin):
    """Names that queries may use in place of addresses. Look here when a query by a name finds nothing."""

    list_display = ("name", "address")
    fields = list_display
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
