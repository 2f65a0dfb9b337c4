"""Logs made by hand: an encoder of its own, so that what is decoded was not encoded by what decodes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from Crypto.Hash import keccak
from hypothesis import settings

from indexing.node.logs import RawLog, raw_log

APES = "0x" + "a9" * 20
ALICE = "0x" + "a1" * 20
BOB = "0x" + "b0" * 20
CAROL = "0x" + "ca" * 20
ZERO = "0x" + "0" * 40
TRANSACTION = "0x" + "7a" * 32
BLOCK = 17_000_000
LATER = 2**24 - 1
"""The index of a log that gets its own by its place among the others of a transaction."""

UNHURRIED = settings(deadline=None)
"""For property tests: a busy machine may stop any example for a while."""


def topic0(signature: str) -> str:
    """The hash that a log of this event begins with."""
    return "0x" + keccak.new(digest_bits=256, data=signature.encode()).hexdigest()


def word(value: int | str) -> str:
    """64 hexadecimal digits: of a number, or of an address."""
    return value[2:].rjust(64, "0") if isinstance(value, str) else f"{value:064x}"


def words(*values: int | str) -> str:
    """The words of several numbers and addresses, one behind the other."""
    return "".join(map(word, values))


def batch_data(ids: Sequence[int], amounts: Sequence[int]) -> str:
    """``(uint256[], uint256[])`` as Solidity lays it out."""
    return (
        word(64)
        + word(96 + 32 * len(ids))
        + "".join(map(word, [len(ids), *ids]))
        + "".join(map(word, [len(amounts), *amounts]))
    )


def node_log(
    signature: str, topics: Sequence[int | str] = (), data: str = "", *, contract: str = APES, index: int = 3
) -> dict[str, Any]:
    """A log of this event as a node sends it: topics behind the first, and data in hexadecimal digits."""
    return {
        "address": contract,
        "topics": [topic0(signature), *("0x" + word(value) for value in topics)],
        "data": "0x" + data,
        "blockNumber": hex(BLOCK),
        "blockHash": "0x" + "bb" * 32,
        "transactionHash": TRANSACTION,
        "transactionIndex": "0x5",
        "logIndex": hex(index),
        "removed": False,
    }


def log(
    signature: str, topics: Sequence[int | str] = (), data: str = "", *, contract: str = APES, index: int = 3
) -> RawLog:
    """The same, read."""
    return raw_log(node_log(signature, topics, data, contract=contract, index=index))
