"""Content identifiers of IPFS (github.com/multiformats/cid), decoded and checked, which a pattern alone cannot."""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple

from core.addresses import BASE58_ALPHABET
from core.memo import cached_if_short

_LONGEST = 256
_BASE36_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_VERSION_0 = re.compile(rf"Qm[{BASE58_ALPHABET}]{{44}}", re.ASCII)
_IDENTITY = 0x00
_DIGEST_BYTES = {0x11: 20, 0x12: 32, 0x13: 64, 0x16: 32, 0x1B: 32, 0x1E: 32, 0xB220: 32}
"""Length of a digest by the multicodec of its hash: SHA-1, SHA-2, SHA-3, Keccak, BLAKE3, BLAKE2b."""


class Cid(NamedTuple):
    """A CID: `text` is how it is written here, `multihash` what it stands for, whatever its version and base."""

    text: str
    codec: int
    multihash: bytes


@cached_if_short(maxsize=4_096, longest=_LONGEST)
def cid_of(text: str) -> Cid | None:
    """Return the CID that a text is, of version 0 (base58) or 1 (base16, 32, 36, 58 or 64url); `None` for another text.

    Bases that know no letter case come back in lower case: host names, where gateways put CIDs, fold it.
    """
    if len(text) > _LONGEST or not text.isascii():
        return None
    if _VERSION_0.fullmatch(text):
        multihash = _big_endian(text, BASE58_ALPHABET)
        return Cid(text, 0x70, multihash) if multihash and _is_sha2_256(multihash) else None
    folds = text[:1] in "bBfFkK"
    normal = text.lower() if folds and text in (text.lower(), text.upper()) else text
    decoded = _unpacked(normal) if normal else None
    return None if decoded is None else _version_1(normal, decoded)


def same_content(one: str, other: str) -> bool:
    """Tell whether two texts are CIDs of the same content, or else equal."""
    first, second = cid_of(one), cid_of(other)
    if first is None or second is None:
        return one == other
    return first.multihash == second.multihash


def _is_sha2_256(multihash: bytes) -> bool:
    return len(multihash) == 34 and multihash[:2] == b"\x12\x20"


def _version_1(text: str, decoded: bytes) -> Cid | None:
    version, rest = _varint(decoded)
    codec, multihash = _varint(rest)
    if version != 1 or codec is None:
        return None
    code, rest = _varint(multihash)
    length, digest = _varint(rest)
    if code is None or length != len(digest):
        return None
    fits = (
        length <= 128 if code == _IDENTITY else length == _DIGEST_BYTES.get(code, max(20, min(length, 128)))
    )
    return Cid(text, codec, multihash) if fits else None


def _unpacked(text: str) -> bytes | None:
    """Decode multibase: the first character names the base."""
    base, digits = text[0], text[1:]
    try:
        match base:
            case "b":
                return base64.b32decode(digits.upper() + "=" * (-len(digits) % 8))
            case "k":
                return _big_endian(digits, _BASE36_ALPHABET)
            case "z":
                return _big_endian(digits, BASE58_ALPHABET)
            case "f":
                return bytes.fromhex(digits) if digits.isalnum() else None
            case "u" if re.fullmatch(r"[\w-]*", digits):
                return base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
    except (binascii.Error, ValueError):
        return None
    return None


def _big_endian(digits: str, alphabet: str) -> bytes | None:
    """Decode a number written with an alphabet; its leading zeros are zero bytes."""
    number = 0
    for digit in digits:
        value = alphabet.find(digit)
        if value < 0:
            return None
        number = number * len(alphabet) + value
    zeros = len(digits) - len(digits.lstrip(alphabet[0]))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def _varint(data: bytes) -> tuple[int | None, bytes]:
    """Read an unsigned varint of at most nine bytes, in its shortest form; return it and the bytes behind it."""
    number = 0
    for place, byte in enumerate(data[:9]):
        number |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return (None if byte == 0 and place else number), data[place + 1 :]
    return None, b""
