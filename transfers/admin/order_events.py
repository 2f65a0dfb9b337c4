"""Operators' page of what markets' contracts said of orders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address, normalise_evm_address
from core.backoffice import columns, html
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from core.db.keys import token_id_from_key
from tokens.admin import terms
from tokens.models import Ask
from transfers.ledger.order_facts import OrderKind
from transfers.models import OrderEvent

MOST_SHOWN = 50
"""Events on an ask's page, of each way in which they may concern it; the newest."""

WORDS = {
    OrderKind.OPENED: "offered",
    OrderKind.REPRICED: "offered at another price",
    OrderKind.ENDED: "ended",
    OrderKind.BULK_ENDED: "its maker ended all such orders",
    OrderKind.NONCE_ENDED: "its maker ended the order with a nonce",
    OrderKind.APPROVED: "market approved",
    OrderKind.POOL: "pool changed",
    OrderKind.QUOTED: "pool told its price",
    OrderKind.STATUS: "its exchange told how it stands",
}


def what(event: OrderEvent) -> str:
    """Return in words what an event says."""
    detail = json.loads(event.detail)
    if event.kind == OrderKind.APPROVED and "delivers" in detail:
        return "the market could move the NFT" if detail["delivers"] else "the market could not move the NFT"
    if event.kind == OrderKind.APPROVED and not detail.get("is_approved"):
        return "approval of the market withdrawn"
    if event.kind == OrderKind.ENDED and detail.get("units"):
        return f"filled in part, {detail['units']} unit(s)"
    if event.kind == OrderKind.ENDED:
        return str(detail.get("outcome") or WORDS[OrderKind.ENDED])
    return WORDS.get(OrderKind(event.kind), event.kind)


def rows_of(ask: Ask) -> list[tuple[str, str]]:
    """Return what the chain said that may concern an ask, as the label and the text of a row."""
    events = {
        event.pk: event for rows in _concerning(ask) for event in rows.order_by("-block_number")[:MOST_SHOWN]
    }
    newest = sorted(
        events.values(), key=lambda one: (one.block_number, one.log_index, one.place), reverse=True
    )
    table = html.rows_table(
        ("what", "time (UTC)", "block", "order", "maker", "nonce"),
        [
            (
                html.row_link(OrderEvent, one.pk, what(one)),
                html.moment(one.timestamp),
                f"{one.block_number:,}",
                html.short(one.order_hash),
                html.short(one.maker),
                html.NOTHING if one.nonce is None else html.shortened(str(one.nonce), 20),
            )
            for one in newest
        ],
        "Of the order, of the NFT at its exchange, of its maker's nonces there, and of approvals; the newest.",
    )
    return [("the chain said", table)]


def _concerning(ask: Ask) -> Iterator[QuerySet[OrderEvent]]:
    """Yield the events that an ask follows from (``transfers.ledger.ask_causes``), each way by its index."""
    events = OrderEvent.objects.filter(chain_id=ask.chain_id)
    yield events.filter(order_hash=ask.order_hash)
    contract, token_key = ask.contract.address, ask.nft.token_key
    if ask.exchange is not None:
        yield events.filter(contract=contract, token_key=token_key, exchange=ask.exchange)
        if ask.maker is not None:
            ended = events.filter(maker=ask.maker, exchange=ask.exchange)
            yield ended.filter(kind=OrderKind.BULK_ENDED)
            if ask.nonce is not None:
                yield ended.filter(kind=OrderKind.NONCE_ENDED, nonce=ask.nonce)
    if ask.operator is not None and ask.maker is not None:
        yield events.filter(maker=ask.maker, operator=ask.operator, contract=contract)


def _token(event: OrderEvent) -> str | None:
    return None if event.token_key is None else token_id_from_key(event.token_key)


def _elsewhere(event: OrderEvent) -> str:
    """Return links to the asks that it may concern."""
    links = [html.list_link(Ask, "the order's asks", q=event.order_hash)] if event.order_hash else []
    if event.token_key is not None:
        links.append(html.list_link(Ask, "the NFT's asks", q=f"{event.contract}/{_token(event)}"))
    return html.together(*links)


@admin.register(OrderEvent)
class OrderEventAdmin(TableAdmin):
    """What contracts of markets said of orders: offers, ends and approvals, which asks follow from.

    Look here when an ask is gone, or is there, and its marketplace shows something else.
    """

    what = Column("what", what)
    at = columns.moment("timestamp", "time")
    order = columns.short("order_hash", "order")
    contract_text = columns.short("contract", "contract of the NFT")
    token = Column("token id", lambda event: html.shortened(_token(event) or "", 20))
    whole_token = Column("token id", _token)
    maker_text = columns.short("maker", "maker")
    transaction = columns.short("transaction_hash", "transaction")
    detail_text = columns.json("detail", "the rest of what it says")
    raw_text = columns.json("raw", "the log")
    elsewhere = Column("see also", _elsewhere)
    list_display = (
        *("what", "at", "market", "order", "contract_text", "token", "maker_text", "transaction", "chain"),
    )
    list_select_related = ("chain",)
    list_deferred = ("raw",)
    fields = (
        *("what", "kind", "at", "market", "exchange", "order_hash", "contract", "whole_token", "maker"),
        *("operator", "nonce", "detail_text", "block_number", "log_index", "place", "transaction_hash"),
        *("chain", "raw_text", "elsewhere"),
    )
    lists = {
        kind.value: Walk(("-timestamp",), f"{words}, newest first", {"kind": kind.value})
        for kind, words in WORDS.items()
    }
    searchable = "an order hash, the address of a maker or of an NFT's contract, or contract/token id"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        if is_evm_address(text):
            address = normalise_evm_address(text)
            made = rows.filter(maker=address)
            if made.exists():
                return made.order_by("maker", "exchange", "kind", "nonce")
            return rows.filter(contract=address, token_key__isnull=False).order_by("contract", "token_key")
        contract, slash, token = text.rpartition("/")
        key = terms.token_key_of(token.strip()) if slash else None
        if key is not None and is_evm_address(contract.strip()):
            named = rows.filter(contract=normalise_evm_address(contract.strip()), token_key=key)
            return named.order_by("contract", "token_key", "chain_id")
        if terms.is_hash(text) or ":" in text:
            return rows.filter(order_hash=text.lower()).order_by("order_hash", "chain_id")
        return None

    def title_of(self, row: OrderEvent) -> str:
        """What it says, and where it said so."""
        return f"{what(row).capitalize()}, in block {row.block_number:,}"
