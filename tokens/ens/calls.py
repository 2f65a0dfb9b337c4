"""The calls that resolve an ENS name: how names are hashed and encoded, what is asked, what answers hold.

ENSIP-1 (namehash, registry, resolver), ENSIP-10 (wildcards), EIP-3668 (answers from outside of the chain).
"""

from __future__ import annotations

from Crypto.Hash import keccak

from core.addresses import ZERO_ADDRESS

OFFCHAIN_LOOKUP = "0x556f1830"
"""Selector of the revert by which a resolver sends its caller to a server (EIP-3668)."""

# function resolver(bytes32), of the registry; function addr(bytes32), of a resolver — ENSIP-1
_RESOLVER, _ADDR = bytes.fromhex("0178b8bf"), bytes.fromhex("3b3b57de")
# function supportsInterface(bytes4) — ERC-165
_SUPPORTS_INTERFACE = bytes.fromhex("01ffc9a7")
# function resolve(bytes,bytes), whose selector is also the id of its interface — ENSIP-10
_RESOLVE = bytes.fromhex("9061b923")

WORD = 32
"""Bytes of a value in calls and answers."""

_LONGEST_LABEL = 255


def namehash(name: str) -> bytes:
    """Return the 32 bytes by which contracts know a name in normal form (ENSIP-1)."""
    node = bytes(WORD)
    for label in reversed(name.split(".")):
        node = _keccak(node + _keccak(label.encode()))
    return node


def lineage(name: str) -> list[str]:
    """Return a name and its parents, the top-level domain last."""
    labels = name.split(".")
    return [".".join(labels[start:]) for start in range(len(labels))]


def resolver_of(name: str) -> bytes:
    """Return the call that asks the registry for the resolver of a name."""
    return _RESOLVER + namehash(name)


def addr_of(name: str) -> bytes:
    """Return the call that asks a resolver for the address of a name."""
    return _ADDR + namehash(name)


def supports_resolve() -> bytes:
    """Return the call that asks a resolver whether it has ``resolve`` (ENSIP-10)."""
    return _SUPPORTS_INTERFACE + _RESOLVE.ljust(WORD, b"\0")


def resolve_addr_of(name: str) -> bytes | None:
    """Return the call of ``resolve`` that asks for the address of a name; ``None`` when DNS cannot encode the name."""
    labels = [label.encode() for label in name.split(".")]
    if any(len(label) > _LONGEST_LABEL for label in labels):
        return None
    dns_name = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
    first, second = _tail(dns_name), _tail(addr_of(name))
    return _RESOLVE + _number(2 * WORD) + _number(2 * WORD + len(first)) + first + second


def is_true(answer: bytes) -> bool:
    """Tell whether a contract said ``true``."""
    return answer == _number(1)


def is_address(answer: bytes) -> bool:
    """Tell whether an answer is an address and nothing else, the zero address included."""
    return len(answer) == WORD and not any(answer[:12])


def address_in(answer: bytes) -> str | None:
    """Return the address that an answer begins with, in lower case; ``None`` for the zero address and without one."""
    word = answer[:WORD]
    address = f"0x{word[12:].hex()}"
    return address if is_address(word) and address != ZERO_ADDRESS else None


def bytes_in(answer: bytes) -> bytes:
    """Return the ``bytes`` in an answer; nothing where it holds none."""
    start = int.from_bytes(answer[:WORD], "big") + WORD
    length = int.from_bytes(answer[start - WORD : start], "big")
    found = answer[start : start + length]
    return found if len(found) == length else b""


def _tail(data: bytes) -> bytes:
    """The length and the bytes, filled up to whole words, as arguments of a call have them."""
    return _number(len(data)) + data + bytes(-len(data) % WORD)


def _number(value: int) -> bytes:
    return value.to_bytes(WORD, "big")


def _keccak(data: bytes) -> bytes:
    return keccak.new(digest_bits=256, data=data).digest()
