"""What was stated of transfers, as far as it is kept apart from their rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.db import bulk
from transfers.ledger.transfer_rows import NOT_STATED, Place, Row, blank, moved
from transfers.models import TransferStatement

Transaction = tuple[str, int]
"""A transaction's hash, and the id of its chain."""

_SAID = (
    *("contract_id", "block_number", "timestamp", "from_address", "to_address", "transaction_from"),
    *("amount", "value", "nft_value_token", "nft_value_name", "nft_value_amount"),
    *("stated_usd_value", "stated_eth_value", "is_commercial", "transfer_type", "markets", "swaps", "native"),
)
"""Columns that a statement may say."""


class _Stored(NamedTuple):
    """A statement as the database holds it."""

    transaction_hash: str
    chain_id: int
    log_index: int | None
    batch_index: int
    nft_id: int | None
    stated: str


class Statement(NamedTuple):
    """What was stated of one transfer.

    ``place`` is the one that it names; ``None``: it was stated without a log index. ``row`` holds what it says, with
    0 for an NFT that it does not name. ``cleared``: the fields of a verdict that the chain's rules filled and it
    emptied.
    """

    place: Place | None
    row: Row
    cleared: frozenset[str] = frozenset()

    @property
    def identity(self) -> tuple[Place | None, int]:
        """What tells it from the others of its transaction: its place, without one its NFT."""
        return (self.place, 0) if self.place is not None else (None, self.row.nft_id)


def read(transactions: Sequence[Transaction]) -> Mapping[Transaction, list[Statement]]:
    """Return the statements of transactions that are kept apart, of those that have any."""
    found: dict[Transaction, list[Statement]] = defaultdict(list)
    rows = bulk.rows_by(TransferStatement, ("transaction_hash", "chain_id"), transactions, _Stored._fields)
    for hash_, chain_id, log_index, batch_index, nft_id, text in rows:
        place = None if log_index is None else (log_index, batch_index)
        found[hash_, chain_id].append(_statement((hash_, chain_id), place, nft_id or 0, text))
    return found


def replace(
    before: Iterable[tuple[Transaction, Statement]], after: Iterable[tuple[Transaction, Statement]]
) -> None:
    """Put statements in the place of others; what is the same stays. Called within ``writing()``."""
    old, new = {_row(*one) for one in before}, {_row(*one) for one in after}
    gone = sorted(old - new, key=repr)
    placed = [
        (row.transaction_hash, row.chain_id, row.log_index, row.batch_index)
        for row in gone
        if row.log_index is not None
    ]
    bulk.delete_rows(TransferStatement, _Stored._fields[:4], placed)
    loose = [(row.transaction_hash, row.chain_id, row.nft_id) for row in gone if row.log_index is None]
    if loose:
        keys = ("transaction_hash", "chain_id", "nft_id")
        found = bulk.rows_by(TransferStatement, keys, loose, ("id", "log_index"))
        ids = [(row_id,) for row_id, log_index in found if log_index is None]
        bulk.delete_rows(TransferStatement, ("id",), ids)
    bulk.copy_rows(TransferStatement, _Stored._fields, sorted(new - old, key=repr))


def _row(transaction: Transaction, one: Statement) -> _Stored:
    log_index, batch_index = one.place or (None, 0)
    return _Stored(*transaction, log_index, batch_index, one.row.nft_id or None, _text(one))


def _text(one: Statement) -> str:
    """Return what a statement says as JSON; SQLite has integers for booleans."""
    nothing = blank(one.row.key)
    said = {
        name: getattr(one.row, name) for name in _SAID if getattr(one.row, name) != getattr(nothing, name)
    }
    if "is_commercial" in said:
        said["is_commercial"] = bool(said["is_commercial"])
    if one.cleared:
        said["cleared"] = sorted(one.cleared)
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False)


def _statement(transaction: Transaction, place: Place | None, nft_id: int, text: str) -> Statement:
    hash_, chain_id = transaction
    said = json.loads(text)
    cleared = frozenset(said.pop("cleared", ()))
    at = place or (0, 0)
    row = blank((hash_, *at, chain_id))._replace(nft_id=nft_id, **said)
    if NOT_STATED not in (row.block_number, row.timestamp):
        row = moved(row, at)
    return Statement(place, row, cleared)
