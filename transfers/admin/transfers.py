"""Operators' pages of transfers and of what the ledger keeps of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.module_loading import import_string

from core.addresses import is_base58
from core.backoffice import columns
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from tokens.admin import terms
from tokens.admin.columns import OfNft, nft_title
from transfers.ledger.plain import plain_type
from transfers.models import Opening, PaidToken, Transfer, TransferStatement

_NEWEST = ("recent_key", "id")


def explained(transfer: Transfer) -> list[tuple[str, str]]:
    """Return labels and texts of how type and value were found, by who judges (`TRANSFER_EXPLANATION` names it)."""
    rows_of: Callable[[Transfer], list[tuple[str, str]]] = import_string(settings.TRANSFER_EXPLANATION)
    return rows_of(transfer)


def _kind(transfer: Transfer) -> str | None:
    """Return what it was, as the API says."""
    return transfer.transfer_type or plain_type(transfer.from_address, transfer.to_address)


@admin.register(Transfer)
class TransferAdmin(OfNft):
    """Transfers of NFTs: mints, sales, swaps, burns and gifts.

    Look here when the type or price of one looks wrong: its page ends with how they were found.
    """

    transaction = columns.short("transaction_hash", "transaction")
    at = columns.moment("timestamp", "time")
    kind = Column("transfer type", _kind)
    sender = columns.short("from_address", "from")
    receiver = columns.short("to_address", "to")
    usd_text = columns.plain("usd_value", "value in USD")
    whole_hash = columns.plain("transaction_hash", "transaction")
    block = columns.plain("block_number", "block")
    whole_sender = columns.plain("from_address", "from")
    whole_receiver = columns.plain("to_address", "to")
    price_name = columns.plain("nft_value_name", "paid in")
    price_token = columns.plain("nft_value_token", "contract of that (zero: native)")
    price_amount = columns.plain("nft_value_amount", "paid, in base units")
    eth_text = columns.plain("eth_value", "value in ETH")
    stated_usd = columns.plain("stated_usd_value", "value in USD as stated")
    stated_eth = columns.plain("stated_eth_value", "value in ETH as stated")
    market_names = Column("marketplaces", lambda transfer: ", ".join(json.loads(transfer.markets)))
    swaps_text = columns.json("swaps", "swaps")
    native_text = columns.json("native", "native")
    list_display = (
        *("transaction", "at", "kind", "nft_link", "contract_link", "chain"),
        *("sender", "receiver", "amount", "usd_text"),
    )
    list_select_related = (*OfNft.list_select_related, "chain")
    list_deferred = (*OfNft.list_deferred, "swaps", "native", "markets")
    change_form_template = "backoffice/explained_form.html"
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "kind",
                    "nft_link",
                    "contract_link",
                    "chain",
                    "whole_sender",
                    "whole_receiver",
                    "amount",
                )
            },
        ),
        (
            "Price and value",
            {
                "fields": (
                    *("price_amount", "price_name", "price_token", "usd_text", "eth_text", "stated_usd"),
                    *("stated_eth", "market_names", "is_commercial", "swaps_text"),
                )
            },
        ),
        (
            "Transaction",
            {
                "fields": (
                    *("whole_hash", "at", "block", "log_index", "batch_index"),
                    *("transaction_from", "value"),
                )
            },
        ),
        ("Source", {"fields": ("origin", "judged", "native_text")}),
    )
    links = {
        "nft": Walk(_NEWEST, "of NFT {}, newest first"),
        "contract": Walk(_NEWEST, "of contract {}, newest first", named="nft.contract"),
    }
    searchable = (
        "a transaction hash or signature, contract/token id, a token id, a contract's address or ENS name"
    )
    found_in = ("nft_id", *_NEWEST)

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        if terms.is_hash(text):
            return terms.by_hash(rows, text, "transaction_hash", "log_index")
        if is_base58(text) and 64 <= len(text) <= 90:
            return rows.filter(transaction_hash=text).order_by("transaction_hash", "log_index")
        if terms.is_contract_name(text):
            contract = terms.contract_of(request, text, Transfer)
            if contract is not None:
                return rows.filter(contract_id=contract.pk).order_by(*_NEWEST)
        found = super().find(request, rows, text)
        return rows.none() if found is None and terms.is_contract_name(text) else found

    def title_of(self, row: Transfer) -> str:
        """What it was, and of what."""
        return f"{(_kind(row) or 'transfer').capitalize()} of {nft_title(row.nft)}"

    explanation_title = "How this was found"

    def explanation_of(self, row: Transfer) -> Any:
        """How type and value were found."""
        return explained(row)


@admin.register(TransferStatement)
class TransferStatementAdmin(TableAdmin):
    """What loaded files state of transfers that the chain tells of as well, or told of before it changed.

    Look here when a transfer differs from what was loaded.
    """

    transaction = columns.short("transaction_hash", "transaction")
    stated_text = columns.json("stated", "stated")
    list_display = ("transaction", "log_index", "batch_index", "nft_id", "chain")
    list_select_related = ("chain",)
    list_deferred = ("stated",)
    fields = ("transaction_hash", "log_index", "batch_index", "nft_id", "chain", "stated_text")
    searchable = "a transaction hash"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.by_hash(rows, text, "transaction_hash", "chain_id", "id")


def _amount(opening: Opening) -> str:
    return "not known" if opening.amount is None else str(opening.amount)


@admin.register(Opening)
class OpeningAdmin(OfNft):
    """What holders had when indexing began, in the middle of a contract's history, as the node told.

    Look here when a balance is not what the known transfers add up to.
    """

    amount_text = Column("amount", _amount)
    list_display = ("nft_link", "contract_link", "address", "amount_text", "block_number")
    list_display_links = ("address",)
    fields = list_display
    links = {"nft": Walk(("address",), "of NFT {}")}
    found_in = ("nft_id", "address")


@admin.register(PaidToken)
class PaidTokenAdmin(TableAdmin):
    """Tokens that something was paid in, as their contracts describe themselves; only their names are believed.

    Look here for the contract of a price that is not valued, and add that to the currency contracts.
    """

    list_display = ("address", "chain", "name", "symbol", "decimals")
    list_select_related = ("chain",)
    fields = ("chain", "address", "name", "symbol", "decimals")
    searchable = "an address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.at_address(rows, text, "chain_id")
