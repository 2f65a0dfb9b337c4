"""Operators' pages of transfers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.module_loading import import_string

from core.addresses import is_base58
from core.backoffice import html
from core.backoffice.changelist import Walk
from core.backoffice.tables import TableAdmin
from tokens.admin import sections, terms
from tokens.admin.columns import OfNft, short
from transfers.ledger.plain import plain_type
from transfers.models import Transfer, TransferStatement

_NEWEST = ("recent_key", "id")


def explained(transfer: Transfer) -> list[tuple[str, str]]:
    """Return labels and texts of how type and value were found, by who judges (`TRANSFER_EXPLANATION` names it)."""
    rows_of: Callable[[Transfer], list[tuple[str, str]]] = import_string(settings.TRANSFER_EXPLANATION)
    return rows_of(transfer)


@admin.register(Transfer)
class TransferAdmin(OfNft, TableAdmin):
    """Transfers: found by transaction, NFT or contract."""

    list_display = (
        *("transaction", "at", "kind", "nft_link", "contract_link", "chain"),
        *("sender", "receiver", "amount", "usd_value"),
    )
    list_select_related = ("nft", "contract", "chain")
    change_form_template = "backoffice/transfer_form.html"
    list_deferred = (
        *("swaps", "native", "markets"),
        *("nft__uri", "nft__metadata", "nft__native", "nft__stated_markets"),
    )
    fields = (
        *("transaction_hash", "log_index", "batch_index", "block_number", "at", "chain"),
        *("nft_link", "contract_link", "kind", "is_commercial"),
        *("from_address", "to_address", "transaction_from", "amount", "value"),
        *("nft_value_name", "nft_value_token", "nft_value_amount", "usd_value", "eth_value"),
        *("stated_usd_value", "stated_eth_value", "markets", "swaps_text", "judged", "origin", "native_text"),
    )
    readonly_fields = ("at", "kind", "nft_link", "contract_link", "swaps_text", "native_text")
    links = {
        "nft": Walk(_NEWEST, "of NFT {}, newest first"),
        "contract": Walk(_NEWEST, "of contract {}, newest first"),
    }
    searchable = (
        "a transaction hash or signature, contract/token id, a token id, a contract's address or ENS name"
    )

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by transaction, by NFT or by contract."""
        if terms.is_hash(text):
            return rows.filter(transaction_hash=text.lower()).order_by("transaction_hash", "log_index")
        if is_base58(text) and 64 <= len(text) <= 90:
            return rows.filter(transaction_hash=text).order_by("transaction_hash", "log_index")
        if terms.is_contract_name(text):
            contract = terms.contract_of(request, text, Transfer)
            if contract is not None:
                return rows.filter(contract_id=contract.pk).order_by(*_NEWEST)
        found = terms.of_nfts(rows, text, ("nft_id", *_NEWEST))
        return rows.none() if found is None and terms.is_contract_name(text) else found

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Add how type and value were found."""
        transfer = kwargs.get("obj")
        context["explanation"] = [] if transfer is None else explained(transfer)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="transaction")
    def transaction(self, transfer: Transfer) -> str:
        """The transaction's hash, shortened."""
        return short(transfer.transaction_hash)

    @admin.display(description="time (UTC)")
    def at(self, transfer: Transfer) -> str:
        """When it happened."""
        return html.moment(transfer.timestamp)

    @admin.display(description="transfer type", empty_value="-")
    def kind(self, transfer: Transfer) -> str | None:
        """What it was, as the API says."""
        return transfer.transfer_type or plain_type(transfer.from_address, transfer.to_address)

    @admin.display(description="from")
    def sender(self, transfer: Transfer) -> str:
        """Who gave it away."""
        return short(transfer.from_address)

    @admin.display(description="to")
    def receiver(self, transfer: Transfer) -> str:
        """Who got it."""
        return short(transfer.to_address)

    @admin.display(description="swaps")
    def swaps_text(self, transfer: Transfer) -> str:
        """The legs of a swap."""
        return sections.json_text(transfer.swaps)

    @admin.display(description="native")
    def native_text(self, transfer: Transfer) -> str:
        """The native facts."""
        return sections.json_text(transfer.native)


@admin.register(TransferStatement)
class TransferStatementAdmin(TableAdmin):
    """What was stated of transfers that the chain tells of as well, or told of before it changed."""

    list_display = ("transaction", "log_index", "batch_index", "nft_id", "chain")
    list_select_related = ("chain",)
    list_deferred = ("stated",)
    fields = ("transaction_hash", "log_index", "batch_index", "nft_id", "chain", "stated_text")
    readonly_fields = ("nft_id", "stated_text")
    searchable = "a transaction hash"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by transaction."""
        if not terms.is_hash(text):
            return None
        return rows.filter(transaction_hash=text.lower()).order_by("transaction_hash", "chain_id", "id")

    @admin.display(description="transaction")
    def transaction(self, statement: TransferStatement) -> str:
        """The transaction's hash, shortened."""
        return short(statement.transaction_hash)

    @admin.display(description="stated")
    def stated_text(self, statement: TransferStatement) -> str:
        """What was stated."""
        return sections.json_text(statement.stated)
