"""Operators' pages of what transfers are judged by: contracts of markets, tokens paid in, filled orders, and faults."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address, normalise_evm_address
from core.backoffice import html
from core.backoffice.changelist import Walk
from core.backoffice.tables import EditableTableAdmin, TableAdmin
from core.chains import EVM
from core.db.keys import token_id_from_key
from indexing.admin import unexplained
from indexing.models import Evidence, MarketFault, PunkBid
from tokens.admin import terms
from tokens.admin.columns import short
from tokens.models import Ask
from transfers.admin.amounts import Amounts
from transfers.models import MarketContract, OrderFill, PaidToken, Transfer

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
        """Fold the address."""
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


@admin.register(MarketContract)
class MarketContractAdmin(EditableTableAdmin):
    """Contracts of markets that were added to the built-in ones; `classify` judges by them what is indexed already."""

    form = MarketContractForm
    list_display = ("address", "chain", "market", "protocol")
    list_select_related = ("chain", "market")
    fields = ("chain", "address", "market", "protocol")
    raw_id_fields = ("chain", "market")
    everything = Walk(("chain_id", "address"))
    searchable = "an address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by address, in a table of hundreds of rows."""
        if not is_evm_address(text):
            return None
        return rows.filter(address=normalise_evm_address(text)).order_by("chain_id")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing hangs on a row: one that was entered wrongly may go."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(MarketFault)
class MarketFaultAdmin(TableAdmin):
    """Market events that could not be read, or that their transactions do not bear out; their prices are not shown."""

    list_display = (
        "protocol_link",
        "worth",
        "price",
        "currency_text",
        "transaction",
        "log_index",
        "chain",
        "reason_text",
    )
    list_display_links = ("transaction",)  # the first column is a link to elsewhere
    list_select_related = ("chain",)
    fields = (
        *(
            "protocol",
            "reason",
            "told",
            "worth",
            "price",
            "currency",
            "transaction_hash",
            "log_index",
            "block_number",
        ),
        *("chain", "elsewhere"),
    )
    readonly_fields = ("told", "worth", "elsewhere")
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
        """Find by transaction."""
        if not terms.is_hash(text):
            return None
        return rows.filter(transaction_hash=text.lower()).order_by("transaction_hash", "log_index")

    @admin.display(description="protocol")
    def protocol_link(self, fault: MarketFault) -> str:
        """The protocol, as a link to all of its faults."""
        return html.list_link(MarketFault, fault.protocol, protocol=fault.protocol)

    @admin.display(description="price told")
    def told(self, fault: MarketFault) -> str:
        """What the event tells was paid, in whole units."""
        if not fault.price:
            return html.NOTHING
        return Amounts(fault.chain_id, [fault.currency]).written(fault.currency, int(fault.price))

    @admin.display(description="in ETH")
    def worth(self, fault: MarketFault) -> str:
        """What the price was worth, where that is known."""
        return f"{fault.eth_value.normalize():f}" if fault.eth_value else html.NOTHING

    @admin.display(description="currency")
    def currency_text(self, fault: MarketFault) -> str:
        """The currency's contract, shortened."""
        return short(fault.currency)

    @admin.display(description="transaction")
    def transaction(self, fault: MarketFault) -> str:
        """The transaction's hash, shortened."""
        return short(fault.transaction_hash)

    @admin.display(description="reason")
    def reason_text(self, fault: MarketFault) -> str:
        """What is not explained, shortened."""
        return html.shortened(fault.reason, 120)

    @admin.display(description="see also")
    def elsewhere(self, fault: MarketFault) -> str:
        """What else is kept of the transaction."""
        return _of_transaction(fault.transaction_hash)


@admin.register(OrderFill)
class OrderFillAdmin(TableAdmin):
    """Orders that market events filled: their asks are filled, whoever states that they are open."""

    list_display = ("order", "units", "transaction", "log_index", "chain")
    list_select_related = ("chain",)
    fields = ("order_hash", "units", "transaction_hash", "log_index", "chain", "elsewhere")
    readonly_fields = ("elsewhere",)
    searchable = "an order hash, or a transaction hash"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by order, or by the transaction that filled it."""
        if not terms.is_hash(text):
            return None
        of_order = rows.filter(order_hash=text.lower())
        if of_order.exists():
            return of_order.order_by("order_hash", "chain_id", "id")
        return rows.filter(transaction_hash=text.lower()).order_by("transaction_hash", "log_index")

    @admin.display(description="order")
    def order(self, fill: OrderFill) -> str:
        """The order's hash, shortened."""
        return short(fill.order_hash)

    @admin.display(description="transaction")
    def transaction(self, fill: OrderFill) -> str:
        """The transaction's hash, shortened."""
        return short(fill.transaction_hash)

    @admin.display(description="see also")
    def elsewhere(self, fill: OrderFill) -> str:
        """The order's asks, and what else is kept of the transaction."""
        asks = html.list_link(Ask, "asks", q=fill.order_hash)
        return html.together(asks, _of_transaction(fill.transaction_hash))


@admin.register(PaidToken)
class PaidTokenAdmin(TableAdmin):
    """Tokens that something was paid in, as their contracts describe themselves; only names are taken from that."""

    list_display = ("address", "chain", "name", "symbol", "decimals")
    list_select_related = ("chain",)
    fields = ("chain", "address", "name", "symbol", "decimals")
    searchable = "an address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by address."""
        if not is_evm_address(text):
            return None
        return rows.filter(address=normalise_evm_address(text)).order_by("chain_id")


@admin.register(PunkBid)
class PunkBidAdmin(TableAdmin):
    """Bids for punks: what an accepted one was worth, only the event of its entering says."""

    list_display = ("token_id", "bidder", "value", "block_number", "log_index", "chain")
    list_select_related = ("chain",)
    fields = ("contract_address", "token_id", "bidder", "value", "block_number", "log_index", "chain")
    readonly_fields = ("token_id",)

    @admin.display(description="punk")
    def token_id(self, bid: PunkBid) -> str:
        """The punk's number."""
        return token_id_from_key(bid.token_key)


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
        html.list_link(MarketFault, one.protocol, protocol=one.protocol),
        f"{'more than ' if one.events > count else ''}{count:,}",
        amounts.written(fault.currency, int(fault.price)) if fault.price else html.NOTHING,
        f"{fault.eth_value.normalize():f}" if fault.eth_value else html.NOTHING,
        html.row_link(MarketFault, fault.pk, short(fault.transaction_hash)),
        html.shortened(fault.reason, 120),
    )


def _of_transaction(transaction_hash: str) -> str:
    links = [html.list_link(model, text, q=transaction_hash) for model, text in _KEPT]
    return html.together(*links)


_KEPT = ((Evidence, "evidence"), (Transfer, "transfers"))
