"""Operators' page of computed rarities: what they rest on, and which are to be computed again."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.timezone import localtime

from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from tokens.admin import terms
from tokens.admin.columns import to_contract
from tokens.models import ContractRarity
from tokens.rarity import computing as rarity


def summary(row: ContractRarity | None) -> str:
    """Return method, version, coverage and time of a contract's rarity, and whether it is to be computed again."""
    if row is None:
        return "not computed; what sources state holds"
    parts = []
    if row.computed_at is not None:
        parts = [f"{row.method} {row.version}", rarity.coverage(row.scored, row.known)]
        parts.append(f"computed {localtime(row.computed_at):%Y-%m-%d %H:%M} UTC")
    if row.run:
        parts.append("being computed")
    elif row.due_at is not None:
        parts.append(f"to be computed from {localtime(row.due_at):%Y-%m-%d %H:%M} UTC on")
    return ", ".join(parts) or "not computed; what sources state holds"


def _coverage(row: ContractRarity) -> str | None:
    """Return how many NFTs have metadata, and so a score."""
    return None if row.computed_at is None else rarity.coverage(row.scored, row.known)


@admin.register(ContractRarity)
class ContractRarityAdmin(TableAdmin):
    """Rarities as they were computed from traits, by contract. Look here when ranks are missing, or out of date."""

    contract_link = to_contract()
    coverage = Column("coverage", _coverage)
    list_display = ("contract_link", "method", "version", "coverage", "computed_at", "changed_at", "due_at")
    list_display_links = None
    list_select_related = ("contract",)
    fields = (
        *("contract_link", "method", "version", "coverage", "computed_at"),
        *("changed_at", "due_at", "run"),
    )
    lists = {"due": Walk(("due_at",), "to be computed", {"due_at__isnull": False})}
    searchable = "a contract's address, or an ENS name"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.of_contracts(rows, text)
