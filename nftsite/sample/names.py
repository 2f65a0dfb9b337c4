"""Identifiers of the sample: addresses, hashes and mints that look real, belong to nobody, and are always the same."""

from __future__ import annotations

import hashlib

from core.addresses import BASE58_ALPHABET


def digest(*parts: object, size: int = 32) -> bytes:
    """Return bytes that the same parts always give; at most 64."""
    return hashlib.blake2b(repr(("nft sample", *parts)).encode(), digest_size=size).digest()


def address(*parts: object) -> str:
    """An EVM address."""
    return "0x" + digest("address", *parts, size=20).hex()


def transaction(*parts: object) -> str:
    """An EVM transaction hash."""
    return "0x" + digest("transaction", *parts).hex()


def account(*parts: object) -> str:
    """An address on a mint-identified chain: base58 of 32 bytes. Mints and collections are such."""
    return base58(digest("account", *parts))


def signature(*parts: object) -> str:
    """A transaction's signature on a mint-identified chain: base58 of 64 bytes."""
    return base58(digest("signature", *parts, size=64))


def base58(data: bytes) -> str:
    """Return bytes in base58."""
    number, text = int.from_bytes(data), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58_ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text
