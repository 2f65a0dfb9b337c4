"""Operators' page of what is counted of collections for people."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.backoffice import columns
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from tokens.admin import terms
from tokens.admin.columns import to_contract
from transfers.models import CollectionFigures


def _owners(row: CollectionFigures) -> str:
    return f"about {row.owners:,}" if row.about else f"{row.owners:,}"


@admin.register(CollectionFigures)
class CollectionFiguresAdmin(TableAdmin):
    """Figures of collections, as they were counted. Look here when a collection's page shows old ones."""

    contract_link = to_contract()
    counted = columns.moment("counted_at", "counted")
    owners_text = Column("owners", _owners)
    list_display = ("contract_link", "counted", "owners_text", "sales", "recent_sales", "took_ms")
    list_display_links = None
    list_select_related = ("contract",)
    list_deferred = ("details",)
    fields = (
        *("contract_link", "counted", "known", "described", "owners_text", "sales", "recent_sales"),
        *("recent_value", "took_ms"),
    )
    searchable = "a contract's address, or an ENS name"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.of_contracts(rows, text)
