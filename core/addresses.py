"""Address rules of the two kinds of chain: EVM addresses fold case, base58 never does."""

from __future__ import annotations

import re

ZERO_ADDRESS = "0x" + "0" * 40
DEAD_ADDRESS = "0x000000000000000000000000000000000000dead"
SYSTEM_PROGRAM = "1" * 32
"""The system program's address: nobody, on a mint-identified chain."""

_EVM = re.compile(r"0[xX][0-9a-fA-F]{40}", re.ASCII)
BASE58_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE58 = re.compile(rf"[{BASE58_ALPHABET}]+", re.ASCII)
_COLLECTION = re.compile(r"[0-9A-Za-z]{32,44}", re.ASCII)
_DIGIT = {character: value for value, character in enumerate(BASE58_ALPHABET)}


def is_evm_address(text: str) -> bool:
    """Tell whether this is ``0x`` and 40 hexadecimal digits, in any case, whatever its checksum (EIP-55)."""
    return _EVM.fullmatch(text) is not None


def normalise_evm_address(text: str) -> str:
    """Return an EVM address in lower case. Raises ``ValueError`` when it is none."""
    if not is_evm_address(text):
        raise ValueError(f"not an EVM address: {text[:60]!r}")
    return text.lower()


def is_base58(text: str) -> bool:
    """Tell whether the text is non-empty base58 (the Bitcoin alphabet)."""
    return _BASE58.fullmatch(text) is not None


def is_mint(text: str) -> bool:
    """Tell whether this is a mint: 32 to 44 base58 characters that decode to exactly 32 bytes."""
    return 32 <= len(text) <= 44 and is_base58(text) and _decoded_length(text) == 32


def is_collection_address(text: str) -> bool:
    """Tell whether this has the form of a mint-identified chain's collection: 32 to 44 letters and digits."""
    return _COLLECTION.fullmatch(text) is not None


def _decoded_length(text: str) -> int:
    number = 0
    for character in text:
        number = number * 58 + _DIGIT[character]
    leading_zero_bytes = len(text) - len(text.lstrip("1"))
    return leading_zero_bytes + (number.bit_length() + 7) // 8
