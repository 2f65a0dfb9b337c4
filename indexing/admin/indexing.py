"""Operators' pages of indexing: the indexer itself, what it has come to, and the blocks that it could take back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address, normalise_evm_address
from core.backoffice import html
from core.backoffice.changelist import Walk
from core.backoffice.site import Page, add_page
from core.backoffice.tables import TableAdmin
from indexing.admin import indexer
from indexing.models import (
    Block,
    DoubtfulContract,
    IndexedChain,
    IndexedContract,
    UndecodedLog,
)
from tokens.models import Contract

add_page(
    Page(
        name="indexer",
        title="Indexer",
        permission="transfers.view_indexedchain",
        template="backoffice/indexer.html",
        context=indexer.context,
        summary=indexer.summary,
    )
)


def indexed_chains() -> list[int]:
    """Return the rows of the chains that are indexed from a node: few, while what is kept of them is much."""
    return list(IndexedChain.objects.values_list("pk", flat=True))


@admin.register(IndexedChain)
class IndexedChainAdmin(TableAdmin):
    """Chains that are indexed from a node, as the indexer tells of them; the indexer's page says what it means."""

    list_display = ("chain", "head_number", "beat", "rewinds", "fault_text", "elsewhere")
    list_select_related = ("chain",)
    fields = (
        *("chain", "head_number", "head_seen", "beat", "blocks_per_second", "logs_per_second"),
        *("logs_total", "rewinds", "fault", "fault_seen", "elsewhere"),
    )
    readonly_fields = ("head_seen", "beat", "fault_seen", "elsewhere")

    @admin.display(description="head seen (UTC)")
    def head_seen(self, row: IndexedChain) -> str:
        """When the node's newest block was that."""
        return html.moment(row.head_seen_at)

    @admin.display(description="last told of itself (UTC)")
    def beat(self, row: IndexedChain) -> str:
        """When an indexer last told of itself."""
        return html.moment(row.beat_at)

    @admin.display(description="last fault at (UTC)")
    def fault_seen(self, row: IndexedChain) -> str:
        """When something last went wrong."""
        return html.moment(row.fault_at)

    @admin.display(description="last fault")
    def fault_text(self, row: IndexedChain) -> str:
        """What last went wrong, shortened."""
        return html.shortened(row.fault or html.NOTHING, 80)

    @admin.display(description="see also")
    def elsewhere(self, row: IndexedChain) -> str:
        """Lists of what indexing keeps of it."""
        return html.together(*indexer.lists_of(row.pk))


@admin.register(IndexedContract)
class IndexedContractAdmin(TableAdmin):
    """How far each contract is indexed that is indexed by itself, and each chain that is indexed as a whole."""

    list_display = ("contract_text", "chain", "first_block", "next_block", "reached")
    list_select_related = ("chain",)
    fields = ("contract_text", "chain", "first_block", "next_block", "reached", "elsewhere")
    readonly_fields = ("contract_text", "reached", "elsewhere")
    links = {"chain": Walk(("address",), "of chain {}")}
    searchable = "a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the contract's address."""
        if not is_evm_address(text):
            return None
        address = normalise_evm_address(text)
        return rows.filter(chain__in=indexed_chains(), address=address).order_by("chain_id")

    @admin.display(description="contract")
    def contract_text(self, row: IndexedContract) -> str:
        """The address, or that it stands for all."""
        return str(row)

    @admin.display(description="time of the last indexed block (UTC)")
    def reached(self, row: IndexedContract) -> str:
        """Up to when the data reaches."""
        return html.moment(row.reached_at)

    @admin.display(description="see also")
    def elsewhere(self, row: IndexedContract) -> str:
        """The contract's page, once an NFT of it is known."""
        contract = Contract.objects.filter(chain=row.chain_id, address=row.address).first()
        return html.NOTHING if contract is None else html.row_link(Contract, contract.pk, "contract")


@admin.register(DoubtfulContract)
class DoubtfulContractAdmin(TableAdmin):
    """Contracts that are left out though their logs look like those of NFTs or an operator named them, and why."""

    list_display = ("address", "chain", "taken_for", "block_number", "reason_text")
    list_select_related = ("chain",)
    fields = ("address", "chain", "taken_for", "reason", "block_number", "noted", "is_final", "elsewhere")
    readonly_fields = ("noted", "elsewhere")
    links = {"chain": Walk(("block_number",), "of chain {}")}
    searchable = "a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the contract's address."""
        if not is_evm_address(text):
            return None
        return rows.filter(address=normalise_evm_address(text)).order_by("chain_id")

    @admin.display(description="reason")
    def reason_text(self, row: DoubtfulContract) -> str:
        """Why it is left out, shortened."""
        return html.shortened(row.reason, 120)

    @admin.display(description="first seen (UTC)")
    def noted(self, row: DoubtfulContract) -> str:
        """When it was first in doubt."""
        return html.moment(row.noted_at)

    @admin.display(description="see also")
    def elsewhere(self, row: DoubtfulContract) -> str:
        """The logs that are kept of it."""
        return html.list_link(UndecodedLog, "its undecoded logs", address=row.address)


@admin.register(Block)
class BlockAdmin(TableAdmin):
    """The newest blocks of each indexed chain, whose hashes tell whether the chain has changed its mind."""

    list_display = ("number", "chain", "hash", "at")
    list_select_related = ("chain",)
    fields = ("number", "chain", "hash", "at")
    readonly_fields = ("at",)
    links = {"chain": Walk(("-number",), "of chain {}, newest first")}
    searchable = "a block number"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by number."""
        number = block_number(text)
        if number is None:
            return None
        return rows.filter(chain__in=indexed_chains(), number=number).order_by("chain_id")

    @admin.display(description="time (UTC)")
    def at(self, block: Block) -> str:
        """The block's time."""
        return html.moment(block.timestamp)


def block_number(text: str) -> int | None:
    """Return the block number that a search names; ``None`` where it is none that can be stored."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
