"""Operators' pages of what indexing keeps of transactions: the evidence, and logs that were not understood."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.backoffice import columns, html
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from indexing.admin.progress import block_number, contract_page, indexed_chains
from indexing.models import Evidence, UndecodedLog
from tokens.admin import terms
from transfers.models import Transfer

if TYPE_CHECKING:
    from indexing.node.logs import RawLog
    from indexing.node.transactions import ChainTransaction

MOST_LOGS = 50
"""Logs of a transaction that are shown."""
MOST_WORDS = 16
"""Words of 32 bytes of a log's data that are shown."""


def _topics(log: UndecodedLog) -> str:
    """Return the topics, one a line."""
    return html.preformatted("\n".join(json.loads(log.topics)))


def _data(log: UndecodedLog) -> str:
    """Return the data, a word of 32 bytes a line."""
    digits = log.data[2:]
    return html.preformatted(
        "\n".join(digits[place : place + 64] for place in range(0, len(digits), 64)) or html.NOTHING
    )


def _elsewhere(log: UndecodedLog) -> str:
    """Return links to what else is kept of the transaction, and to the contract's page."""
    kept = (html.list_link(model, text, q=log.transaction_hash) for model, text in OF_TRANSACTION)
    return html.together(*kept, *filter(None, [contract_page(log.chain_id, log.address)]))


@admin.register(UndecodedLog)
class UndecodedLogAdmin(TableAdmin):
    """Logs that looked like those of an NFT contract and could not be decoded. Look here when transfers are missing."""

    transaction = columns.short("transaction_hash", "transaction")
    contract = Column(
        "contract", lambda log: html.list_link(UndecodedLog, html.short(log.address), address=log.address)
    )
    reason_text = columns.cut("reason", "reason", 120)
    topics_text = Column("topics", _topics)
    data_text = Column("data", _data)
    elsewhere = Column("see also", _elsewhere)
    list_display = ("transaction", "log_index", "block_number", "chain", "contract", "reason_text")
    list_select_related = ("chain",)
    list_deferred = ("topics", "data")
    fields = (
        *("reason", "transaction_hash", "log_index", "block_number", "chain", "address", "topics_text"),
        *("data_text", "elsewhere"),
    )
    links = {
        "chain": Walk(("-block_number",), "of chain {}, newest first"),
        "address": Walk(("address",), "of contract {}"),
    }
    searchable = "a transaction hash, or a contract's address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        found = terms.by_hash(rows, text, "transaction_hash", "log_index")
        return terms.at_address(rows, text, "address") if found is None else found


def _sender(row: Evidence) -> str:
    """Return who sent the transaction, or why the row cannot be read."""
    found = _unpacked(row)
    return found if isinstance(found, str) else found.sender


@admin.register(Evidence)
class EvidenceAdmin(TableAdmin):
    """Transactions as they were read from the node, by which transfers are judged.

    Look here for what the chain itself says of a transfer: the page of each shows its logs.
    """

    sender = Column("from", _sender)
    target = Column("to", lambda row: _of(row, lambda found: found.target or "(made a contract)"))
    value = Column("value (wei)", lambda row: _of(row, lambda found: f"{found.value:,}"))
    size = Column("kept as", lambda row: f"{len(row.packed):,} bytes")
    log_rows = Column("logs", lambda row: _of(row, _logs))
    elsewhere = columns.lists(
        "q", "transaction_hash", (Transfer, "transfers"), (UndecodedLog, "undecoded logs")
    )
    list_display = ("transaction_hash", "block_number", "chain")
    list_select_related = ("chain",)
    list_deferred = ("packed",)
    fields = (
        *("transaction_hash", "block_number", "chain", "sender", "target", "value", "size"),
        *("log_rows", "elsewhere"),
    )
    links = {"chain": Walk(("-block_number",), "of chain {}, newest first")}
    searchable = "a transaction hash, or a block number"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        found = terms.by_hash(rows, text, "transaction_hash")
        number = block_number(text)
        if found is not None or number is None:
            return found
        return rows.filter(chain__in=indexed_chains(), block_number=number).order_by("chain_id")


OF_TRANSACTION = ((Evidence, "evidence"), (Transfer, "transfers"))
"""What is kept of a transaction, found by its hash."""


def _logs(found: ChainTransaction) -> str:
    note = f"Only the first {MOST_LOGS} of {len(found.logs):,} are shown."
    return html.rows_table(
        ("index", "contract, topics and data"),
        [(log.log_index, html.preformatted(_log_text(log))) for log in found.logs[:MOST_LOGS]],
        note if len(found.logs) > MOST_LOGS else "",
    )


def _log_text(log: RawLog) -> str:
    """Return a log in lines: its contract, topics, and data in words of 32 bytes, the first few of them."""
    topics = (f"topic {place}   {topic}" for place, topic in enumerate(log.topics))
    digits = log.data[: 32 * MOST_WORDS].hex()
    words = (f"data        {digits[place : place + 64]}" for place in range(0, len(digits), 64))
    left = len(log.data) - 32 * MOST_WORDS
    more = [f"            and {left:,} bytes more"] if left > 0 else []
    return "\n".join([f"contract  {log.address}", *topics, *words, *more])


def _of(row: Evidence, shown: Callable[[ChainTransaction], str]) -> str | None:
    """Return something of the transaction; nothing where the row cannot be read."""
    found = _unpacked(row)
    return None if isinstance(found, str) else shown(found)


def _unpacked(row: Evidence) -> ChainTransaction | str:
    return _unpack(bytes(row.packed), row.transaction_hash, row.block_number)


@lru_cache(maxsize=1)  # a row's page asks once for each of its fields
def _unpack(packed: bytes, transaction_hash: str, block_number: int) -> ChainTransaction | str:
    # Only this page needs it: what serves the API stays free of the indexer.
    from indexing.write.evidence import unpack

    try:
        return unpack(packed, transaction_hash, block_number, timestamp=0)
    except (ValueError, zlib.error) as fault:
        return f"It cannot be read: {fault}"
