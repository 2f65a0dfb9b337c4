"""Operators' pages of what indexing keeps: evidence, logs that were not understood, and opening balances."""

from __future__ import annotations

import json
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address, normalise_evm_address
from core.backoffice import html
from core.backoffice.changelist import Walk
from core.backoffice.tables import TableAdmin
from indexing.admin.indexing import block_number, indexed_chains
from indexing.models import Evidence, UndecodedLog
from tokens.admin import terms
from tokens.admin.columns import contract_text, short
from tokens.models import Contract, Nft
from transfers.models import Opening, Transfer

if TYPE_CHECKING:
    from indexing.node.logs import RawLog
    from indexing.node.transactions import ChainTransaction

MOST_LOGS = 50
"""Logs of a transaction that are shown."""
MOST_WORDS = 16
"""Words of 32 bytes of a log's data that are shown."""


@admin.register(UndecodedLog)
class UndecodedLogAdmin(TableAdmin):
    """Logs that looked like those of an NFT contract and could not be decoded, and why."""

    list_display = ("transaction", "log_index", "block_number", "chain", "contract", "reason_text")
    list_select_related = ("chain",)
    list_deferred = ("topics", "data")
    fields = (
        *("reason", "transaction_hash", "log_index", "block_number", "chain", "address", "topics_text"),
        *("data_text", "elsewhere"),
    )
    readonly_fields = ("topics_text", "data_text", "elsewhere")
    links = {
        "chain": Walk(("-block_number",), "of chain {}, newest first"),
        "address": Walk(("address",), "of contract {}"),
    }
    searchable = "a transaction hash, or a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by transaction or contract."""
        if terms.is_hash(text):
            return rows.filter(transaction_hash=text.lower()).order_by("transaction_hash", "log_index")
        if is_evm_address(text):
            return rows.filter(address=normalise_evm_address(text)).order_by("address")
        return None

    @admin.display(description="transaction")
    def transaction(self, log: UndecodedLog) -> str:
        """The transaction's hash, shortened."""
        return short(log.transaction_hash)

    @admin.display(description="contract")
    def contract(self, log: UndecodedLog) -> str:
        """The contract, as a link to all undecoded logs of it."""
        return html.list_link(UndecodedLog, short(log.address), address=log.address)

    @admin.display(description="reason")
    def reason_text(self, log: UndecodedLog) -> str:
        """Why it could not be decoded, shortened."""
        return html.shortened(log.reason, 120)

    @admin.display(description="topics")
    def topics_text(self, log: UndecodedLog) -> str:
        """The topics, one a line."""
        return html.preformatted("\n".join(json.loads(log.topics)))

    @admin.display(description="data")
    def data_text(self, log: UndecodedLog) -> str:
        """The data, a word of 32 bytes a line."""
        digits = log.data[2:]
        return html.preformatted(
            "\n".join(digits[place : place + 64] for place in range(0, len(digits), 64)) or html.NOTHING
        )

    @admin.display(description="see also")
    def elsewhere(self, log: UndecodedLog) -> str:
        """What else is kept of the transaction, and the contract's page."""
        found: list[str] = [
            html.list_link(Evidence, "evidence", q=log.transaction_hash),
            html.list_link(Transfer, "transfers", q=log.transaction_hash),
        ]
        contract = Contract.objects.filter(chain=log.chain_id, address=log.address).first()
        if contract is not None:
            found.append(html.row_link(Contract, contract.pk, "contract"))
        return html.together(*found)


@admin.register(Evidence)
class EvidenceAdmin(TableAdmin):
    """Transactions as they were read from the node, packed; a row's page unpacks its one."""

    list_display = ("transaction_hash", "block_number", "chain")
    list_select_related = ("chain",)
    list_deferred = ("packed",)
    fields = (
        *("transaction_hash", "block_number", "chain", "sender", "target", "value", "size"),
        *("log_rows", "elsewhere"),
    )
    readonly_fields = ("sender", "target", "value", "size", "log_rows", "elsewhere")
    links = {"chain": Walk(("-block_number",), "of chain {}, newest first")}
    searchable = "a transaction hash, or a block number"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by transaction or block."""
        if terms.is_hash(text):
            return rows.filter(transaction_hash=text.lower()).order_by("transaction_hash")
        number = block_number(text)
        if number is None:
            return None
        return rows.filter(chain__in=indexed_chains(), block_number=number).order_by("chain_id")

    @admin.display(description="from")
    def sender(self, row: Evidence) -> str:
        """Who sent the transaction."""
        found = _unpacked(row)
        return found if isinstance(found, str) else found.sender

    @admin.display(description="to")
    def target(self, row: Evidence) -> str:
        """Where it was sent."""
        found = _unpacked(row)
        return html.NOTHING if isinstance(found, str) else found.target or "(made a contract)"

    @admin.display(description="value (wei)")
    def value(self, row: Evidence) -> str:
        """What was sent along."""
        found = _unpacked(row)
        return html.NOTHING if isinstance(found, str) else f"{found.value:,}"

    @admin.display(description="kept as")
    def size(self, row: Evidence) -> str:
        """How much room it takes."""
        return f"{len(row.packed):,} bytes"

    @admin.display(description="logs")
    def log_rows(self, row: Evidence) -> str:
        """The first logs."""
        found = _unpacked(row)
        if isinstance(found, str):
            return html.NOTHING
        note = f"Only the first {MOST_LOGS} of {len(found.logs):,} are shown."
        return html.rows_table(
            ("index", "contract, topics and data"),
            [(log.log_index, html.preformatted(_log_text(log))) for log in found.logs[:MOST_LOGS]],
            note if len(found.logs) > MOST_LOGS else "",
        )

    @admin.display(description="see also")
    def elsewhere(self, row: Evidence) -> str:
        """What was made of it."""
        return html.together(
            html.list_link(Transfer, "transfers", q=row.transaction_hash),
            html.list_link(UndecodedLog, "undecoded logs", q=row.transaction_hash),
        )


def _log_text(log: RawLog) -> str:
    """Return a log in lines: its contract, topics, and data in words of 32 bytes, the first few of them."""
    topics = (f"topic {place}   {topic}" for place, topic in enumerate(log.topics))
    digits = log.data[: 32 * MOST_WORDS].hex()
    words = (f"data        {digits[place : place + 64]}" for place in range(0, len(digits), 64))
    left = len(log.data) - 32 * MOST_WORDS
    more = [f"            and {left:,} bytes more"] if left > 0 else []
    return "\n".join([f"contract  {log.address}", *topics, *words, *more])


def _unpacked(row: Evidence) -> ChainTransaction | str:
    """Return the transaction, or why the row cannot be read."""
    return _unpack(bytes(row.packed), row.transaction_hash, row.block_number)


@lru_cache(maxsize=1)  # a row's page asks once for each of its fields
def _unpack(packed: bytes, transaction_hash: str, block_number: int) -> ChainTransaction | str:
    # Only this page needs it: what serves the API stays free of the indexer.
    from indexing.write.evidence import unpack

    try:
        return unpack(packed, transaction_hash, block_number, timestamp=0)
    except (ValueError, zlib.error) as fault:
        return f"It cannot be read: {fault}"


@admin.register(Opening)
class OpeningAdmin(TableAdmin):
    """What holders had at the start of a block in which they took part, as the node told."""

    list_display = ("nft_link", "contract_link", "address", "amount_text", "block_number")
    list_display_links = None
    list_select_related = ("nft__contract",)
    list_deferred = ("nft__uri", "nft__metadata", "nft__native", "nft__stated_markets")
    fields = ("nft_link", "contract_link", "address", "amount_text", "block_number")
    readonly_fields = ("nft_link", "contract_link", "amount_text")
    links = {"nft": Walk(("address",), "of NFT {}")}
    searchable = "contract/token id, or a token id"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by NFT."""
        return terms.of_nfts(rows, text, ("nft_id", "address"))

    @admin.display(description="NFT")
    def nft_link(self, opening: Opening) -> str:
        """The NFT's page."""
        return html.row_link(Nft, opening.nft_id, html.shortened(opening.nft.token_id, 24))

    @admin.display(description="contract")
    def contract_link(self, opening: Opening) -> str:
        """The contract's page."""
        return html.row_link(Contract, opening.nft.contract_id, contract_text(opening.nft.contract))

    @admin.display(description="amount")
    def amount_text(self, opening: Opening) -> str:
        """Units held, or that the node could not tell."""
        return "not known" if opening.amount is None else str(opening.amount)
