"""Reading the texts that lines and queries hold: addresses, token ids, trait values, lists.

Everything in this package is written a second time, on purpose, without a look at the service's own code:
it is the model that the service is compared with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

ZERO = "0x" + "0" * 40
SYSTEM_PROGRAM = "1" * 32
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58_decode(text: str) -> bytes:
    """The bytes that a base58 text stands for; ValueError for a character outside the alphabet."""
    number = 0
    for character in text:
        number = number * 58 + ALPHABET.index(character)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def base58_encode(data: bytes) -> str:
    """The base58 text of some bytes."""
    number = int.from_bytes(data, "big")
    text = ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def is_evm_address(text: str) -> bool:
    return re.fullmatch(r"0[xX][0-9a-fA-F]{40}", text) is not None


def plain_address(text: str) -> str:
    """EVM addresses and hashes in lower case; base58 as it is."""
    return text.lower() if re.fullmatch(r"0[xX][0-9a-fA-F]*", text) else text


def plain_token_id(text: str) -> str:
    """`007`, `0x7` and `7` are the token id `7`; a mint is itself."""
    if re.fullmatch(r"[0-9]+", text):
        return str(int(text))
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
        return str(int(text, 16))
    return text


def value_text(value: Any) -> str:
    """The text of a trait value, as `traits=<type>-<text>` compares it."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def split_list(given: str | Iterable[str]) -> list[str]:
    """The distinct non-blank entries of a list parameter, in order; quotes as in CSV; repeated parameters add up."""
    entries: list[str] = []
    for text in [given] if isinstance(given, str) else given:
        entries.extend(_split_once(text))
    return list(dict.fromkeys(entry for entry in entries if entry.strip()))


def _split_once(text: str) -> list[str]:
    entries = []
    rest = text
    while True:
        rest = rest.lstrip()
        if rest.startswith('"'):
            match = re.match(r'"((?:[^"]|"")*)"\s*(,|$)', rest)
            assert match, f"not a valid list: {text!r}"
            entries.append(match.group(1).replace('""', '"'))
            rest, more = rest[match.end() :], match.group(2) == ","
        else:
            entry, comma, rest = rest.partition(",")
            entries.append(entry.strip())
            more = comma == ","
        if not more:
            return entries
