"""A node's log, read once and checked: what follows may rely on its lengths and its letter case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

MAX_DATA_BYTES = 4_000_000
"""More than a log can hold: a byte costs 8 gas (EIP-2028 left it so), and a block has about 30 million."""

MOST_LOG_INDEX = 2**31 - 1
"""What a column of log indexes holds."""

_FIELDS = ("address", "blockHash", "transactionHash", "blockNumber", "transactionIndex", "logIndex")
# One pattern over all short fields at once: a fifth of the time of six patterns.
_HEAD = re.compile(
    r"0x[0-9a-f]{40},0x[0-9a-f]{64},0x[0-9a-f]{64}"  # address, blockHash, transactionHash
    r",0x[0-9a-f]{1,15},0x[0-9a-f]{1,7},0x[0-9a-f]{1,7}"  # blockNumber, transactionIndex, logIndex
    r"(?:,0x[0-9a-f]{64}){0,4}",  # topics
    re.ASCII,
)


class MalformedLogError(ValueError):
    """What a node sent as a log is none; the text says what is wrong with it."""


class RawLog(NamedTuple):
    """A log as a node has it, checked in form only. All hexadecimal text is lower case, with ``0x``."""

    address: str
    """Of the contract that emitted it."""
    topics: tuple[str, ...]
    """None to four, 32 bytes each; the first is the event's hash (but for anonymous events)."""
    data: bytes
    block_number: int
    block_hash: str
    transaction_hash: str
    transaction_index: int
    """Within the block."""
    log_index: int
    """Within the block."""


class Unreadable(NamedTuple):
    """What a node sent in the place of a log, as far as it can be made out, and why it is none.

    ``transaction_hash`` is "block" and the block's number where it names no transaction.
    """

    block_number: int
    transaction_hash: str
    log_index: int
    """At most :data:`MOST_LOG_INDEX`, which stands for whatever is no number too."""
    address: str
    topics: tuple[str, ...]
    data: str
    reason: str


def unreadable(
    answer: Any, block_number: int, reason: str, transaction_hash: str | None = None
) -> Unreadable:
    """Make out what there is of a log that :func:`raw_log` refused, of a known block and perhaps transaction."""
    told: Mapping[Any, Any] = answer if isinstance(answer, Mapping) else {}
    topics = told.get("topics")
    index = _digits(told.get("logIndex"), 1, 64)
    return Unreadable(
        block_number,
        transaction_hash or _digits(told.get("transactionHash"), 64, 64) or f"block {block_number}",
        min(int(index, 16), MOST_LOG_INDEX) if index else MOST_LOG_INDEX,
        _digits(told.get("address"), 40, 40),
        tuple(filter(None, (_digits(one, 64, 64) for one in topics[:4]))) if isinstance(topics, list) else (),
        _digits(told.get("data"), 0, 2 * MAX_DATA_BYTES) or "0x",
        reason,
    )


def _digits(value: object, fewest: int, most: int) -> str:
    """Return hexadecimal text in lower case, an empty one for whatever else it is."""
    if not isinstance(value, str) or re.fullmatch(rf"0[xX][0-9a-fA-F]{{{fewest},{most}}}", value) is None:
        return ""
    return value.lower()


def raw_log(answer: Mapping[str, Any]) -> RawLog:
    """Read one log of ``eth_getLogs`` or of a receipt (Ethereum JSON-RPC: ``Log``).

    Whether it is ``removed`` is the caller's to see. Raises ``MalformedLogError`` for whatever is no log of a mined
    block: keys missing, null or of another type, bad hexadecimal digits, wrong lengths, more than four topics,
    numbers beyond what the tables hold (2^60 blocks, 2^28 logs), more than 4 MB of data. A log index that a place in
    the order of transfers does not hold (2^24) is one: see :func:`indexing.decode.decode.decode`.
    """
    try:
        topics, data = answer["topics"], answer["data"]
        head = ",".join(
            [
                answer["address"],
                answer["blockHash"],
                answer["transactionHash"],
                answer["blockNumber"],
                answer["transactionIndex"],
                answer["logIndex"],
                *topics,
            ]
        ).lower()
        payload = bytes.fromhex(data[2:])
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise MalformedLogError(_complaint(answer)) from fault
    if (
        _HEAD.fullmatch(head) is None
        or head.count(",") != 5 + len(topics)  # no comma came with a value
        or not isinstance(topics, list | tuple)
        or data[:2] not in {"0x", "0X"}
        or len(data) != 2 + 2 * len(payload)  # bytes.fromhex skips white space
    ):
        raise MalformedLogError(_complaint(answer))
    if len(payload) > MAX_DATA_BYTES:
        raise MalformedLogError(f"the log has {len(payload)} bytes of data, more than any block has room for")
    address, block_hash, transaction_hash, block_number, transaction_index, log_index, *words = head.split(
        ","
    )
    return RawLog(
        address,
        tuple(words),
        payload,
        int(block_number, 16),
        block_hash,
        transaction_hash,
        int(transaction_index, 16),
        int(log_index, 16),
    )


def _complaint(answer: object) -> str:
    """Say what is wrong with a log that was refused."""
    if not isinstance(answer, Mapping):
        return f"the log is {_kind(answer)}, not an object"
    for field in (*_FIELDS, "topics", "data"):
        if field not in answer:
            return f"the log has no {field}"
    topics = answer["topics"]
    if not isinstance(topics, list | tuple):
        return f"the log's topics are {_kind(topics)}, not a list"
    if len(topics) > 4:
        return f"the log has {len(topics)} topics, more than four"
    named = [(field, answer[field]) for field in (*_FIELDS, "data")]
    named += [(f"topic {number}", topic) for number, topic in enumerate(topics)]
    for field, value in named:
        if not isinstance(value, str):
            return f"the log's {field} is {_kind(value)}, not text"
        if (
            re.fullmatch(r"0[xX](?:[0-9a-fA-F]{2})*" if field == "data" else r"0[xX][0-9a-fA-F]+", value)
            is None
        ):
            return f"the log's {field} is not hexadecimal: {value[:70]!r}"
        if field != "data" and not _has_length(field, len(value) - 2):
            return f"the log's {field} has the wrong length: {value[:70]!r}"
    return "the log cannot be read"


def _has_length(field: str, digits: int) -> bool:
    if field == "address":
        return digits == 40
    if field == "blockNumber":
        return digits <= 15
    return digits <= 7 if field in {"transactionIndex", "logIndex"} else digits == 64


def _kind(value: object) -> str:
    return "null" if value is None else f"of type {type(value).__name__}"
