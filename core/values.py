"""Readers of single values of a line: each takes a JSON value that is not null and returns what the database holds.

A reader that cannot take a value raises :class:`WrongValueError`: the rest of a sentence after the field's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from typing import Any

from core import spellings
from core.addresses import is_base58, is_collection_address, is_evm_address, is_mint
from core.db.keys import MAX_BATCH_INDEX, MAX_BLOCK, MAX_LOG_INDEX, UINT256_MAX, scaled, uint_key
from core.db.texts import storable

Reader = Callable[[Any], Any]

MAX_SECONDS = 10**11 - 1
"""Timestamps from here on are in milliseconds by mistake."""

_DECIMAL = re.compile(r"[0-9]{1,120}(\.[0-9]{1,120})?", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,80}", re.ASCII)
_EVM_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
_SIGNATURE = re.compile(r"[0-9A-Za-z]{1,90}", re.ASCII)
_ANY_HASH = re.compile(r"0[xX][0-9a-fA-F]+", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class WrongValueError(ValueError):
    """Why a value cannot be taken: the rest of a sentence after the field's name."""


def string(value: Any) -> str:
    """A JSON string."""
    if not isinstance(value, str):
        raise WrongValueError("must be a string.")
    return value


def text(limit: int) -> Reader:
    """A text of at most ``limit`` characters; an empty one is not known."""

    def read(value: Any) -> str | None:
        if len(string(value)) > limit:
            raise WrongValueError(f"is longer than {limit} characters.")
        return storable(value) or None

    return read


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise WrongValueError("must be true or false.")
    return value


def whole(limit: int) -> Reader:
    """A JSON integer from 0 to ``limit``."""

    def read(value: Any) -> int:
        if value.__class__ is not int:
            raise WrongValueError("must be an integer.")
        if not 0 <= value <= limit:
            raise WrongValueError(f"is out of range: it must be from 0 to {limit}.")
        return value

    return read


block = whole(MAX_BLOCK)
log_index = whole(MAX_LOG_INDEX)
_up_to_max_seconds = whole(MAX_SECONDS)
batch_index = whole(MAX_BATCH_INDEX)


def seconds(value: Any) -> int:
    """A time in Unix seconds."""
    if value.__class__ is int and value > MAX_SECONDS:
        raise WrongValueError("is not in Unix seconds: a time in milliseconds is not taken.")
    return _up_to_max_seconds(value)  # type: ignore[no-any-return]


def uint256(value: Any) -> int:
    """An integer of up to 256 bits, as a string of digits; an exact JSON integer is taken too."""
    if value.__class__ is str and value.isascii() and value.isdigit() and len(value) < 100:
        number = int(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    else:
        raise WrongValueError("must be an integer as a string of decimal digits.")
    if not 0 <= number <= UINT256_MAX:
        raise WrongValueError("is out of range: it must be from 0 to 2^256-1.")
    return number


def evm_token(value: Any) -> str:
    """The key of a token id: decimal or hexadecimal, below 2^256."""
    if value.__class__ is str and _HEXADECIMAL.fullmatch(value):
        value = int(value, 16)
    elif value.__class__ is str and value.isascii() and value.isdigit():
        value = value.lstrip("0") or "0"
    return uint_key(uint256(value))


def mint_token(value: Any) -> str:
    """The key of a token on a mint-identified chain."""
    if not is_mint(string(value)):
        raise WrongValueError("must be a mint: 32 to 44 base58 characters that stand for 32 bytes.")
    return f"~{value}"


def evm_address(value: Any) -> str:
    """An EVM address, in lower case."""
    if value.__class__ is not str or not is_evm_address(value):
        raise WrongValueError("must be an address: 0x and 40 hexadecimal digits.")
    return value.lower()


def mint_account(value: Any) -> str:
    """An account of a mint-identified chain, as it is written."""
    if not (32 <= len(string(value)) <= 44 and is_base58(value)):
        raise WrongValueError("must be an account: 32 to 44 base58 characters.")
    return value  # type: ignore[no-any-return]


def collection(value: Any) -> str:
    """The address of a collection on a mint-identified chain, as it is written."""
    if not is_collection_address(string(value)) or is_evm_address(value):
        raise WrongValueError("must be a collection's address: 32 to 44 letters and digits.")
    return value  # type: ignore[no-any-return]


def evm_hash(value: Any) -> str:
    """The hash of a transaction, in lower case."""
    if not _EVM_HASH.fullmatch(string(value)):
        raise WrongValueError("must be a transaction hash: 0x and 64 hexadecimal digits.")
    return value.lower()  # type: ignore[no-any-return]


def mint_signature(value: Any) -> str:
    """The signature of a transaction on a mint-identified chain, as it is written."""
    if not _SIGNATURE.fullmatch(string(value)):
        raise WrongValueError("must be a transaction signature: at most 90 letters and digits.")
    return value  # type: ignore[no-any-return]


def order_hash(value: Any) -> str:
    """What identifies an ask on its marketplace; a hash is in lower case."""
    if not string(value).strip():
        raise WrongValueError("is blank.")
    if len(value) > 200:
        raise WrongValueError("is longer than 200 characters.")
    return value.lower() if _ANY_HASH.fullmatch(value) else storable(value)


def decimal(limit: int) -> Reader:
    """A decimal string in whole units, of at most 18 places and below ``10**limit``; or a JSON number."""

    def read(value: Any) -> Decimal:
        written = (
            format(value, "f") if isinstance(value, Decimal) and -60 < value.adjusted() < 60 else str(value)
        )
        if isinstance(value, bool | dict | list) or not _DECIMAL.fullmatch(written):
            raise WrongValueError("must be a decimal string, without sign or exponent.")
        number = Decimal(written)
        if number >= 10**limit:
            raise WrongValueError(f"is out of range: it must be below 10^{limit}.")
        try:
            scaled(number)
        except ValueError:
            raise WrongValueError("has more than 18 decimal places.") from None
        return number

    return read


def amount_of_money(value: Any) -> Decimal:
    """A value in ETH or USD, a JSON number or a decimal string; digits beyond 18 places are rounded away."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
            raise WrongValueError("must be a number.")
        number = Decimal(value)
        if not 0 <= number < 10**60:
            raise WrongValueError("is out of range: it must be from 0 to below 10^60.")
    except InvalidOperation:
        raise WrongValueError("must be a number.") from None
    return number.quantize(Decimal(1).scaleb(-18), context=Context(prec=100, rounding=ROUND_HALF_EVEN))


def number(value: Any) -> float:
    """A JSON number that a double can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise WrongValueError("must be a number.")
    if not -(10**300) < value < 10**300:
        raise WrongValueError("is out of range.")
    return float(value) + 0.0  # never the negative zero


def symbol(value: Any) -> str:
    """A currency's symbol, in upper case."""
    read = string(value).strip().upper()
    if not spellings.SYMBOL.fullmatch(read):
        raise WrongValueError("must be a symbol of 1 to 40 characters, without white space, comma or quote.")
    return read


def chain_slug(value: Any) -> str:
    """The identifier of a chain, in lower case."""
    read = string(value).lower()
    if not spellings.CHAIN.fullmatch(read):
        raise WrongValueError(
            "must be 1 to 40 letters, digits, dots, dashes or underscores, and begin with a letter."
        )
    return read


def content_hash(value: Any) -> str:
    """The SHA-256 of some bytes: 64 hexadecimal digits, in lower case."""
    read = string(value).lower()
    if not _SHA256.fullmatch(read):
        raise WrongValueError("must be a SHA-256: 64 hexadecimal digits.")
    return read


def stored_url(value: Any) -> str:
    """A URL as it is stored, of any scheme."""
    if len(string(value)) > 10_000_000:
        raise WrongValueError("is longer than 10000000 characters.")
    return storable(value)


def slug(value: Any) -> str:
    """The name of a marketplace, in lower case."""
    read = string(value).strip().lower()
    if not (1 <= len(read) <= 64 and read.isprintable()) or "," in read or '"' in read:
        raise WrongValueError(
            "must be the name of a marketplace: 1 to 64 characters, without comma or quote."
        )
    return read


def slugs(value: Any) -> list[str]:
    """Names of marketplaces, each once, in the order given."""
    if not isinstance(value, list):
        raise WrongValueError("must be a list of names of marketplaces.")
    return list(dict.fromkeys(map(slug, value))) if value else []


def one_of(*allowed: str) -> Reader:
    """One of a few words."""

    def read(value: Any) -> str:
        if value not in allowed:
            raise WrongValueError(f"must be one of {', '.join(allowed)}.")
        return str(value)

    return read
