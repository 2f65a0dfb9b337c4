"""What was stated of transfers, as far as it is kept apart from their rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.db import bulk
from transfers.ledger.transfer_rows import COLUMNS, NOT_STATED, Place, Row, blank, moved
from transfers.models import TransferStatement

Transaction = tuple[str, int]
"""A transaction's hash, and the id of its chain."""

_SAID = ("contract_id", *COLUMNS[4:5], "timestamp", *COLUMNS[10:18], *COLUMNS[20:27])
"""Columns that a statement may say."""

_COLUMNS = ("transaction_hash", "chain_id", "log_index", "batch_index", "nft_id", "stated")


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
    rows = bulk.rows_by(TransferStatement, ("transaction_hash", "chain_id"), transactions, _COLUMNS)
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
    bulk.delete_rows(TransferStatement, _COLUMNS[:4], [row[:4] for row in gone if row[2] is not None])
    loose = [(*row[:2], row[4]) for row in gone if row[2] is None]
    if loose:
        keys = ("transaction_hash", "chain_id", "nft_id")
        found = bulk.rows_by(TransferStatement, keys, loose, ("id", "log_index"))
        bulk.delete_rows(TransferStatement, ("id",), [(row[0],) for row in found if row[1] is None])
    bulk.copy_rows(TransferStatement, _COLUMNS, sorted(new - old, key=repr))


def _row(transaction: Transaction, one: Statement) -> tuple[str, int, int | None, int, int | None, str]:
    log_index, batch_index = one.place or (None, 0)
    return *transaction, log_index, batch_index, one.row.nft_id or None, _text(one)


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
