"""Values of the Ethereum JSON-RPC API: quantities, and the lists of eth_getLogs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from core.net.rpc.errors import BadAnswerError

_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,64}", re.ASCII)
_DATA = re.compile(r"0x(?:[0-9a-fA-F]{2})*", re.ASCII)


def quantity(name: str, value: object) -> int:
    """Return the integer that a node named `name` gave as a quantity ("0x1b4"). Raises `BadAnswerError`."""
    try:
        return _integer(value)
    except TypeError:
        raise BadAnswerError(f"{name}: {type(value).__name__} that is no hexadecimal quantity") from None


@lru_cache(maxsize=20_000)  # the logs of a block share their numbers
def _integer(value: object) -> int:
    """Return the integer of a quantity. Raises ``TypeError`` for what is none."""
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value):
        raise TypeError
    return int(value, 16)


def data_bytes(name: str, value: object) -> bytes:
    """Return the bytes that a node named `name` gave as data ("0x00ff"). Raises `BadAnswerError`."""
    if not isinstance(value, str) or not _DATA.fullmatch(value):
        raise BadAnswerError(f"{name}: {type(value).__name__} that is no hexadecimal data")
    return bytes.fromhex(value[2:])


def check_logs(name: str, answer: object, first: int, last: int) -> None:
    """Raise `BadAnswerError` unless the answer is a list of logs, each an object of a block within first … last.

    A proxy that ignores the filter would otherwise fill the database with strangers.
    """
    if not isinstance(answer, list):
        raise BadAnswerError(f"{name}: {type(answer).__name__} instead of a list of logs")
    for log in answer:
        try:
            block, _index = place_of(log)
        except (TypeError, KeyError, BadAnswerError):
            block = -1
        if not first <= block <= last:
            raise BadAnswerError(
                f"{name}: what is no log of blocks {first} to {last} in the answer to eth_getLogs"
            )


def place_of(log: dict[str, Any]) -> tuple[int, int]:
    """Return the block number and the log index of a log as a node gives it: its place in the chain.

    Raises `BadAnswerError`, `TypeError` or `KeyError` where it has none.
    """
    return quantity("", log["blockNumber"]), quantity("", log["logIndex"])
