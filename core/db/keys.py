"""Sort keys as text: every key compares bytewise (C collation), alike in PostgreSQL, in SQLite and in Python.

One rule serves all orders: keys are never null and ascend; what is unknown has a sentinel that sorts last.
"""

from __future__ import annotations

import base64
import binascii
from decimal import Decimal, localcontext

UINT256_MAX = 2**256 - 1
"""The largest ERC-721/ERC-1155 token id, amount or wei value."""

NEVER = "~"
"""Recency or position key of what never happened: sorts behind every real key, whose alphabet ends at ``z``."""

PLACES = 18
"""Decimal places of prices and rates."""
_ONE: int = 10**PLACES

# Widths of a recency key's fields: 37 + 43 + 24 + 24 = 128 bits hold timestamp, block, log index and batch index.
MAX_TIMESTAMP = 2**37 - 1
MAX_BLOCK = 2**43 - 1
MAX_LOG_INDEX = 2**24 - 1
MAX_BATCH_INDEX = 2**24 - 1
_ALL_BITS = 2**128 - 1

# base64 keeps the order of its input once its alphabet is renamed to one that ascends in ASCII.
_STANDARD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_ASCENDING = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
_TO_ASCENDING = bytes.maketrans(_STANDARD, _ASCENDING)
_TO_STANDARD = bytes.maketrans(_ASCENDING, _STANDARD)


_LENGTHS = [f"{length:02d}" for length in range(100)]


def uint_key(number: int) -> str:
    """Return a non-negative integer below 10**99 as text that sorts by value: two digits of length, then the digits.

    >>> uint_key(2024)
    '042024'
    """
    digits = str(number)
    if number < 0 or len(digits) > 99:
        raise ValueError(f"not a number of 1 to 99 digits: {digits[:40]}")
    return _LENGTHS[len(digits)] + digits


def uint_from_key(key: str) -> int:
    """Return the integer of a :func:`uint_key`."""
    return int(key[2:])


def digits_from_key(key: str) -> str:
    """Return the digits of the integer of a :func:`uint_key`."""
    return key[2:]


def float_from_key(key: str) -> float:
    """Return the float nearest to the number of :data:`PLACES` places that is kept as :func:`uint_key`."""
    return int(key[2:]) / _ONE


def token_key(token_id: str) -> str:
    """Return the sort key of a token id in its canonical form: a plain decimal, or a base58 mint.

    Numbers sort by value over all 256 bits; mints follow in byte order (specification, Sort order).
    """
    return uint_key(int(token_id)) if token_id.isdigit() and len(token_id) < 79 else mint_key(token_id)


def mint_key(mint: str) -> str:
    """Return the sort key of a mint: behind all numbers, even where all its letters are digits."""
    return "~" + mint


def token_id_from_key(key: str) -> str:
    """Return the canonical token id of a :func:`token_key`."""
    return key[1:] if key.startswith("~") else key[2:]


def position_key(timestamp: int, block: int, log_index: int = 0, batch_index: int = 0) -> str:
    """Return the place of an event on its chain as 22 characters, oldest first.

    ``timestamp`` is in Unix seconds. Raises ``ValueError`` when a part does not fit its width.
    """
    return _encode(_position(timestamp, block, log_index, batch_index))


def recency_key(timestamp: int, block: int, log_index: int = 0, batch_index: int = 0) -> str:
    """Return the place of an event as 22 characters, newest first: timestamp, block, log index, index in the batch."""
    return _encode(_ALL_BITS - _position(timestamp, block, log_index, batch_index))


def recency_parts(key: str) -> tuple[int, int, int, int]:
    """Return (timestamp, block, log index, batch index) of a :func:`recency_key`."""
    raw = base64.b64decode(key.encode().translate(_TO_STANDARD) + b"==")
    number = _ALL_BITS - int.from_bytes(raw, "big")
    return number >> 91, number >> 48 & MAX_BLOCK, number >> 24 & MAX_LOG_INDEX, number & MAX_BATCH_INDEX


def _position(timestamp: int, block: int, log_index: int, batch_index: int) -> int:
    if not (0 <= timestamp <= MAX_TIMESTAMP and 0 <= block <= MAX_BLOCK):
        raise ValueError(f"timestamp {timestamp} or block {block} out of range")
    if not (0 <= log_index <= MAX_LOG_INDEX and 0 <= batch_index <= MAX_BATCH_INDEX):
        raise ValueError(f"log index {log_index} or batch index {batch_index} out of range")
    return timestamp << 91 | block << 48 | log_index << 24 | batch_index


def _encode(number: int) -> str:
    return binascii.b2a_base64(number.to_bytes(16, "big"))[:22].translate(_TO_ASCENDING).decode()


def scaled(number: Decimal, places: int = PLACES) -> int:
    """Return ``number * 10**places`` exactly. Raises ``ValueError`` when it has more places or is no finite number."""
    if not number.is_finite():
        raise ValueError(f"not a finite number: {number}")
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    if exponent + places > 200:
        raise ValueError("number too large")
    whole = int("".join(map(str, digits)) or "0")
    shift = exponent + places
    if shift >= 0:
        whole *= 10**shift
    else:
        whole, rest = divmod(whole, 10**-shift) if -shift < 400 else (0, whole)
        if rest:
            raise ValueError(f"more than {places} decimal places")
    return -whole if sign else whole


def unscaled(number: int, places: int = PLACES) -> Decimal:
    """Return ``number / 10**places`` as an exact decimal without trailing zeros in its fraction."""
    with localcontext() as context:
        context.prec = 200
        value = Decimal(number).scaleb(-places).normalize()
        return value if value.as_tuple().exponent <= 0 else value.quantize(Decimal(1))  # type: ignore[operator]
