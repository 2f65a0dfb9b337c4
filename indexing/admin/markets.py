"""Operators' pages of what transfers are judged by: contracts of markets, filled orders, unexplained events, bids."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from core.addresses import is_evm_address, normalise_evm_address
from core.backoffice import columns, html
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.site import Line, add_section
from core.backoffice.tables import EditableTableAdmin, TableAdmin
from core.chains import EVM
from core.db.keys import token_id_from_key
from indexing.admin import unexplained
from indexing.admin.evidence import OF_TRANSACTION
from indexing.models import MarketFault, PunkBid
from tokens.admin import terms
from tokens.models import Ask
from transfers.admin.amounts import Amounts
from transfers.models import MarketContract, OrderFill

MOST_PROTOCOLS = 5
"""Protocols with unexplained events that the first page names."""
_NO_PROTOCOL = ("", "none: known as a transaction's target, or as a receiver of fees")


def protocols() -> list[tuple[str, str]]:
    """Return the protocols that can be read, as choices."""
    # Only this page needs it: what serves the API stays free of the indexer.
    from indexing.judge.markets.registry import PROTOCOLS

    return [_NO_PROTOCOL, *((name, name) for name in sorted(PROTOCOLS))]


class MarketContractForm(forms.ModelForm):  # type: ignore[type-arg]
    """A market's contract on an EVM chain, and how its events are read."""

    protocol = forms.ChoiceField(
        required=False,
        choices=protocols,
        help_text="Whose events it has. Transfers indexed before are judged by it once `classify` has run.",
    )

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if not is_evm_address(address):
            raise ValidationError("0x and 40 hexadecimal digits.")
        return normalise_evm_address(address)

    def clean(self) -> dict[str, Any]:
        """Only EVM chains have contracts with events."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        chain = data.get("chain")
        if chain is not None and chain.kind != EVM:
            raise ValidationError({"chain": "Not an EVM chain: its transfers come with their markets."})
        return data


def lines() -> list[Line]:
    """Return the protocols of which market events could not be explained, those with the largest first."""
    found = []
    for one in unexplained.by_protocol()[:MOST_PROTOCOLS]:
        count = (
            f"more than {unexplained.COUNTED:,}" if one.events > unexplained.COUNTED else f"{one.events:,}"
        )
        why = format_html("{}; the largest: {}", count, html.shortened(one.largest.reason))
        found.append(Line(one.protocol, why, True, html.row_link(MarketFault, one.largest.pk, "the largest")))
    return found


add_section("Market events that are not explained", "indexing.view_marketfault", lines)


@admin.register(MarketContract)
class MarketContractAdmin(EditableTableAdmin):
    """Contracts of marketplaces, beside those that are built in. Come here when sales on a known market are missed.

    What is indexed already is judged by them once manage.py classify has run.
    """

    form = MarketContractForm
    list_display = ("address", "chain", "market", "protocol")
    list_select_related = ("chain", "market")
    fields = ("chain", "address", "market", "protocol")
    raw_id_fields = ("chain", "market")
    everything = Walk(("chain_id", "address"))
    searchable = "an address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by address, in a table of hundreds of rows."""
        return terms.at_address(rows, text, "chain_id")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing hangs on a row: one that was entered wrongly may go."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


def _protocol(fault: MarketFault) -> str:
    """Return the protocol, as a link to all of its events here."""
    return html.list_link(MarketFault, fault.protocol, protocol=fault.protocol)


def _told(fault: MarketFault) -> str:
    """Return what the event tells was paid, in whole units."""
    if not fault.price:
        return html.NOTHING
    return Amounts(fault.chain_id, [fault.currency]).written(fault.currency, int(fault.price))


def _worth(fault: MarketFault) -> str:
    """Return what the price was worth, where that is known."""
    return f"{fault.eth_value.normalize():f}" if fault.eth_value else html.NOTHING


@admin.register(MarketFault)
class MarketFaultAdmin(TableAdmin):
    """Events of marketplaces that could not be read, or that their transactions do not bear out.

    Look here when sales have no price: what these events tell is published nowhere.
    """

    protocol_link = Column("protocol", _protocol)
    told = Column("price told", _told)
    worth = Column("in ETH", _worth)
    currency_text = columns.short("currency", "currency")
    transaction = columns.short("transaction_hash", "transaction")
    reason_text = columns.cut("reason", "reason", 120)
    elsewhere = columns.lists("q", "transaction_hash", *OF_TRANSACTION)
    list_display = (
        *("protocol_link", "worth", "price", "currency_text"),
        *("transaction", "log_index", "chain", "reason_text"),
    )
    list_display_links = ("transaction",)  # the first column is a link to elsewhere
    list_select_related = ("chain",)
    fields = (
        *("protocol", "reason", "told", "worth", "price", "currency"),
        *("transaction_hash", "log_index", "block_number", "chain", "elsewhere"),
    )
    links = {
        "chain": Walk(("-block_number",), "of chain {}, newest first"),
        "protocol": Walk(("-eth_value", "-price", "-id"), "of {}, largest first"),
    }
    searchable = "a transaction hash"
    change_list_template = "backoffice/faults_list.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, with a summary by protocol above the whole of it."""
        context = extra_context or {}
        if not request.GET:
            context["by_protocol"] = _by_protocol()
        return super().changelist_view(request, context)

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.by_hash(rows, text, "transaction_hash", "log_index")


def _of_order(fill: OrderFill) -> str:
    """Return links to the order's asks, and to what else is kept of the transaction."""
    kept = (html.list_link(model, text, q=fill.transaction_hash) for model, text in OF_TRANSACTION)
    return html.together(html.list_link(Ask, "asks", q=fill.order_hash), *kept)


@admin.register(OrderFill)
class OrderFillAdmin(TableAdmin):
    """Orders that were filled on the chain, so that their asks no longer count, whoever states that they are open.

    Look here when an ask is gone that a marketplace still shows.
    """

    order = columns.short("order_hash", "order")
    transaction = columns.short("transaction_hash", "transaction")
    elsewhere = Column("see also", _of_order)
    list_display = ("order", "units", "transaction", "log_index", "chain")
    list_select_related = ("chain",)
    fields = ("order_hash", "units", "transaction_hash", "log_index", "chain", "elsewhere")
    searchable = "an order hash, or a transaction hash"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        if terms.is_hash(text):
            of_order = rows.filter(order_hash=text.lower())
            if of_order.exists():
                return of_order.order_by("order_hash", "chain_id", "id")
        return terms.by_hash(rows, text, "transaction_hash", "log_index")


@admin.register(PunkBid)
class PunkBidAdmin(TableAdmin):
    """Bids for CryptoPunks: the event of an accepted bid does not say what was paid, that of its entering does.

    Look here when the price of a punk that went to a bidder looks wrong.
    """

    token_id = Column("punk", lambda bid: token_id_from_key(bid.token_key))
    list_display = ("token_id", "bidder", "value", "block_number", "log_index", "chain")
    list_select_related = ("chain",)
    fields = ("contract_address", "token_id", "bidder", "value", "block_number", "log_index", "chain")


def _by_protocol() -> str:
    """Return how many events of each protocol are not explained, and the largest; nothing where there are none."""
    found = unexplained.by_protocol()
    if not found:
        return ""
    amounts: dict[int, Amounts] = {}
    for chain_id in {one.largest.chain_id for one in found}:
        currencies = {one.largest.currency for one in found if one.largest.chain_id == chain_id}
        amounts[chain_id] = Amounts(chain_id, currencies)
    return html.rows_table(
        ("protocol", "events", "the largest tells", "in ETH", "of", "why it is not explained"),
        [_protocol_row(one, amounts[one.largest.chain_id]) for one in found],
    )


def _protocol_row(one: unexplained.Unexplained, amounts: Amounts) -> tuple[str, ...]:
    fault, count = one.largest, min(one.events, unexplained.COUNTED)
    return (
        _protocol(fault),
        f"{'more than ' if one.events > count else ''}{count:,}",
        amounts.written(fault.currency, int(fault.price)) if fault.price else html.NOTHING,
        _worth(fault),
        html.row_link(MarketFault, fault.pk, html.short(fault.transaction_hash)),
        html.shortened(fault.reason, 120),
    )
