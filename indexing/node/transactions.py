"""Blocks and transactions as the indexer works on them, read from a node's answers and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.db.keys import MAX_BLOCK, MAX_TIMESTAMP, UINT256_MAX
from indexing.node.logs import RawLog

_QUANTITY = re.compile(r"0x[0-9a-f]{1,64}", re.ASCII | re.IGNORECASE)


# One pattern over all fields at once: a quarter of the time of six patterns.
_HEAD = re.compile(
    r"0x[0-9a-f]{64},0x[0-9a-f]{40},(?:0x[0-9a-f]{40})?"  # hash, from, to
    r",0x[0-9a-f]{1,10},0x[0-9a-f]{1,10},0x[0-9a-f]{1,64}",  # transactionIndex, blockNumber, value
    re.ASCII,
)


class MalformedAnswerError(ValueError):
    """A node's block, transaction or receipt lacks what the indexer needs, or has it in another form."""


class Header(NamedTuple):
    """What is kept of a block; the time is in Unix seconds."""

    number: int
    hash: str
    parent_hash: str
    timestamp: int


@dataclass(frozen=True, slots=True)
class ChainTransaction:
    """A transaction with an NFT log, and all logs that it left. All hexadecimal text is lower case.

    ``value`` is in wei, ``timestamp`` its block's in Unix seconds; ``target`` is ``None`` where it made a contract.
    """

    hash: str
    index: int
    block_number: int
    timestamp: int
    sender: str
    target: str | None
    value: int
    logs: tuple[RawLog, ...]


def header(answer: Any) -> Header:
    """Read a block's header. Raises ``MalformedAnswerError``."""
    block = _object(answer, "block")
    return Header(
        _number(block, "number", MAX_BLOCK),
        _hash(block, "hash"),
        _hash(block, "parentHash"),
        _number(block, "timestamp", MAX_TIMESTAMP),
    )


def transaction(answer: Any, logs: Sequence[RawLog], timestamp: int) -> ChainTransaction:
    """Read a transaction, whose logs are known. Raises ``MalformedAnswerError``."""
    logs = tuple(logs) if len(logs) < 2 else tuple(sorted(logs, key=lambda log: log.log_index))
    try:
        to = answer["to"]
        head = ",".join(
            [
                answer["hash"],
                answer["from"],
                "" if to is None else to,
                answer["transactionIndex"],
                answer["blockNumber"],
                answer["value"],
            ]
        ).lower()
    except (KeyError, TypeError):
        return _with_care(answer, logs, timestamp)
    if _HEAD.fullmatch(head) is None or to == "":
        return _with_care(answer, logs, timestamp)
    hash_, sender, target, index, number, value = head.split(",")
    return ChainTransaction(
        hash_, int(index, 16), int(number, 16), timestamp, sender, target or None, int(value, 16), logs
    )


def _with_care(answer: Any, logs: tuple[RawLog, ...], timestamp: int) -> ChainTransaction:
    """Read a transaction whose form is seldom, or wrong in a way that is to be told."""
    found = _object(answer, "transaction")
    return ChainTransaction(
        hash=_hash(found, "hash"),
        index=_number(found, "transactionIndex", MAX_BLOCK),
        block_number=_number(found, "blockNumber", MAX_BLOCK),
        timestamp=timestamp,
        sender=_address(found, "from"),
        target=None if found.get("to") is None else _address(found, "to"),
        value=_number(found, "value", UINT256_MAX),
        logs=logs,
    )


def _object(answer: Any, kind: str) -> Mapping[str, Any]:
    if not isinstance(answer, Mapping):
        raise MalformedAnswerError(f"A {kind} is {type(answer).__name__}, not an object.")
    return answer


def _number(answer: Mapping[str, Any], name: str, most: int) -> int:
    value = answer.get(name)
    if not isinstance(value, str) or _QUANTITY.fullmatch(value) is None or int(value, 16) > most:
        raise MalformedAnswerError(f"{name} is no number that can be: {_shown(value)}.")
    return int(value, 16)


def _shown(value: object) -> str:
    return repr(value[:70]) if isinstance(value, str) else type(value).__name__


def _hash(answer: Mapping[str, Any], name: str) -> str:
    return _hexadecimal(answer, name, 66)


def _address(answer: Mapping[str, Any], name: str) -> str:
    return _hexadecimal(answer, name, 42)


def _hexadecimal(answer: Mapping[str, Any], name: str, length: int) -> str:
    value = answer.get(name)
    try:
        if not isinstance(value, str) or len(value) != length or value[:2].lower() != "0x":
            raise ValueError
        bytes.fromhex(value[2:])
    except ValueError:
        raise MalformedAnswerError(
            f"{name} is not {length - 2} hexadecimal digits: {_shown(value)}."
        ) from None
    return value.lower()
