"""Makers of interchange lines, with a default for everything, and `load_lines`, which loads them.

    load_lines([contract(), nft("7", traits=[("Type", "Alien")]), transfer("7", block=3), ask("7", price="1.5")])

A line is a dict as the interchange format has it; keyword arguments that a maker does not know are fields by their
own camelCase names, and `None` clears a field.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interchange.load import LoadReport

Line = dict[str, Any]

ZERO = "0x" + "0" * 40
DEAD = "0x" + "0" * 36 + "dead"
ALICE, BOB, CAROL, DAVE = ("0x" + digit * 40 for digit in "abcd")
APES = "0x" + "1a" * 20
"""The contract of lines that name none."""

START = 1_600_000_000
"""Unix time of block 0 of lines that state no timestamp."""


def chain(slug: str, kind: str = "evm", **fields: Any) -> Line:
    """A `chain` line."""
    return {"record": "chain", "chain": slug, "kind": kind, **fields}


def contract(
    address: str = APES, on: str = "ethereum", standard: str | None = "ERC721", **fields: Any
) -> Line:
    """A `contract` line; `standard=None` leaves the standard out."""
    line: Line = {"record": "contract", "chain": on, "contractAddress": address, **fields}
    if standard is not None:
        line["contractStandard"] = standard
    return line


def nft(
    token_id: str = "1",
    address: str | None = APES,
    on: str = "ethereum",
    traits: Sequence[tuple[str, Any]] | None = None,
    **fields: Any,
) -> Line:
    """An `nft` line; `traits` as pairs of type and value become its metadata (with `metadata` they are added to it)."""
    line: Line = {"record": "nft", "chain": on, "tokenId": token_id, **fields}
    if address is not None:
        line["contractAddress"] = address
    if traits is not None:
        entries = [{"traitType": kind, "traitValue": value} for kind, value in traits]
        line["metadata"] = {**fields.get("metadata", {}), "traits": entries}
    return line


def transfer(
    token_id: str = "1",
    address: str | None = APES,
    on: str = "ethereum",
    *,
    block: int = 1,
    log: int = 0,
    batch: int = 0,
    sender: str | None = ZERO,
    receiver: str | None = ALICE,
    **fields: Any,
) -> Line:
    """A `transfer` line: by default a mint to ALICE; each block and log is a transaction of its own.

    Two tokens at one block and log are therefore one transfer, whose later line wins: give them different logs.
    """
    line: Line = {
        "record": "transfer",
        "chain": on,
        "tokenId": token_id,
        "transactionHash": transaction_hash(on, block, log),
        "blockNumber": block,
        "logIndex": log,
        "batchIndex": batch,
        "timestamp": START + 12 * block,
        "fromAddress": sender,
        "toAddress": receiver,
        "amount": "1",
        **fields,
    }
    if address is not None:
        line["contractAddress"] = address
    return line


def ask(
    token_id: str = "1",
    address: str | None = APES,
    on: str = "ethereum",
    *,
    price: str = "1",
    currency: str = "ETH",
    market: str = "opensea",
    order: str | None = None,
    **fields: Any,
) -> Line:
    """An `ask` line; the order hash follows from the rest unless given."""
    line: Line = {
        "record": "ask",
        "chain": on,
        "tokenId": token_id,
        "marketplace": market,
        "orderHash": order
        or transaction_hash(on, address, token_id, price, currency, market, sorted(fields.items())),
        "currency": currency,
        "price": price,
        **fields,
    }
    if address is not None:
        line["contractAddress"] = address
    return line


def rate(currency: str = "ETH", usd: str = "2000", at: int = START) -> Line:
    """A `rate` line: USD of one unit from a moment on."""
    return {"record": "rate", "currency": currency, "timestamp": at, "usd": usd}


def ens(name: str, address: str | None) -> Line:
    """An `ens` line."""
    return {"record": "ens", "name": name, "address": address}


def transaction_hash(*parts: Any) -> str:
    """A hash that the same parts always give."""
    return "0x" + hashlib.sha256(repr(parts).encode()).hexdigest()


def write_lines(path: Path, lines: Iterable[Line | str]) -> Path:
    """Write lines as an interchange file (compressed when its name ends in .gz); a `str` goes in as it stands."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    data = text.encode("utf-8", "surrogatepass")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def load_lines(lines: Iterable[Line | str], **options: Any) -> LoadReport:
    """Load lines as one file into the test database; `options` are those of `load_files`."""
    from interchange.load import load_files

    with tempfile.TemporaryDirectory() as folder:
        return load_files([str(write_lines(Path(folder) / "lines.jsonl", lines))], **options)


def settle() -> None:
    """After a load of thousands of lines in a test's transaction: gather statistics and check the foreign keys.

    PostgreSQL has planned those checks in this session for tables that were empty, as a scan of the whole table, and
    goes on so until it learns better; and what is checked within a test's savepoint is checked again by the next test.
    """
    from django.db import connection

    analyze()
    connection.check_constraints()


def analyze() -> None:
    """Have PostgreSQL gather statistics of all tables; SQLite goes without."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
