"""Operators' page of the order books that are read from outside."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.backoffice import columns
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from indexing.admin.progress import contract_page
from indexing.models import BookWalk
from tokens.admin import terms


@admin.register(BookWalk)
class BookWalkAdmin(TableAdmin):
    """Order books that are read from outside, a row a contract and source. Look here when asks are missing or stale.

    What a source shows no more is gone once a walk has come to its end. A fault that is shown was the last run's.
    """

    read = columns.moment("read_at", "last whole walk began")
    completed = columns.moment("completed_at", "and ended")
    began = columns.moment("began_at", "walk at work began")
    fault_seen = columns.moment("fault_at", "last fault at")
    fault_text = columns.cut("fault", "last fault", 80)
    left = Column("left to be walked", lambda row: ", ".join(row.collections))
    named_text = Column("named by operators", lambda row: ", ".join(row.named))
    elsewhere = Column("see also", lambda row: contract_page(row.chain_id, row.address))
    list_display = ("address", "chain", "source", "read", "last_shown", "began", "fault_text")
    list_select_related = ("chain",)
    fields = (
        *("address", "chain", "source", "named_text", "read", "completed", "last_shown", "ended"),
        *("began", "left", "pages", "shown", "refused", "differing", "fault", "fault_seen", "elsewhere"),
    )
    links = {"chain": Walk(("address",), "of chain {}")}
    searchable = "a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the contract's address."""
        return terms.at_address(rows, text, "chain_id", "source")
