"""Operators' pages of how far indexing has come: the indexer, checkpoints, contracts in doubt, and the last blocks."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.backoffice import columns, html
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.site import Page, add_page, add_section
from core.backoffice.tables import TableAdmin
from indexing.admin import indexer
from indexing.models import Block, DoubtfulContract, IndexedChain, IndexedContract, UndecodedLog
from tokens.admin import terms
from tokens.models import Contract

add_page(
    Page(
        name="indexer",
        title="Indexer",
        permission="indexing.view_indexedchain",
        template="backoffice/indexer.html",
        context=indexer.context,
    )
)
add_section("Chains", "indexing.view_indexedchain", indexer.lines)


def indexed_chains() -> list[int]:
    """Return the rows of the chains that are indexed from a node: few, while what is kept of them is much."""
    return list(IndexedChain.objects.values_list("pk", flat=True))


def block_number(text: str) -> int | None:
    """Return the block number that a search names; ``None`` where it is none that can be stored."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def contract_page(chain_id: int, address: str) -> str:
    """Return a link to a contract's page; empty as long as no NFT of it is known."""
    contract = Contract.objects.filter(chain=chain_id, address=address).first()
    return "" if contract is None else html.row_link(Contract, contract.pk, "contract")


@admin.register(IndexedChain)
class IndexedChainAdmin(TableAdmin):
    """Chains that are indexed from a node, as the indexer tells of them. The indexer's page says what it means."""

    head_seen = columns.moment("head_seen_at", "head seen")
    beat = columns.moment("beat_at", "last told of itself")
    fault_seen = columns.moment("fault_at", "last fault at")
    fault_text = columns.cut("fault", "last fault", 80)
    elsewhere = indexer.ELSEWHERE
    list_display = ("chain", "head_number", "beat", "rewinds", "fault_text", "elsewhere")
    list_select_related = ("chain",)
    fields = (
        *("chain", "head_number", "head_seen", "beat", "blocks_per_second", "logs_per_second"),
        *("logs_total", "rewinds", "fault", "fault_seen", "elsewhere"),
    )


@admin.register(IndexedContract)
class IndexedContractAdmin(TableAdmin):
    """How far indexing has come: of each chain that is indexed as a whole, and of each contract indexed by itself.

    Look here when the newest transfers of a contract are missing.
    """

    contract_text = Column("contract", str)
    reached = columns.moment("reached_at", "time of the last indexed block")
    elsewhere = Column("see also", lambda row: contract_page(row.chain_id, row.address))
    list_display = ("contract_text", "chain", "first_block", "next_block", "reached")
    list_select_related = ("chain",)
    fields = ("contract_text", "chain", "first_block", "next_block", "reached", "elsewhere")
    links = {"chain": Walk(("address",), "of chain {}")}
    searchable = "a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.at_address(rows.filter(chain__in=indexed_chains()), text, "chain_id")


@admin.register(DoubtfulContract)
class DoubtfulContractAdmin(TableAdmin):
    """Contracts that are left out, or not told of in full, and why. Look here when the NFTs of one are missing."""

    reason_text = columns.cut("reason", "reason", 120)
    noted = columns.moment("noted_at", "first seen")
    elsewhere = columns.lists("address", "address", (UndecodedLog, "its undecoded logs"))
    list_display = ("address", "chain", "taken_for", "block_number", "reason_text")
    list_select_related = ("chain",)
    fields = ("address", "chain", "taken_for", "reason", "block_number", "noted", "is_final", "elsewhere")
    links = {"chain": Walk(("block_number",), "of chain {}")}
    searchable = "a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.at_address(rows, text, "chain_id")


@admin.register(Block)
class BlockAdmin(TableAdmin):
    """The newest blocks of each indexed chain. Look here when the indexer says that a chain has changed its mind.

    A block whose hash is no longer the node's is taken back, with all that came after it.
    """

    at = columns.moment("timestamp", "time")
    list_display = ("number", "chain", "hash", "at")
    list_select_related = ("chain",)
    fields = list_display
    links = {"chain": Walk(("-number",), "of chain {}, newest first")}
    searchable = "a block number"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        number = block_number(text)
        if number is None:
            return None
        return rows.filter(chain__in=indexed_chains(), number=number).order_by("chain_id")
