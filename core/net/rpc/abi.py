"""The little of the ABI that asking a contract needs; bounded, since a contract may answer anything."""

from __future__ import annotations

from typing import Any

MAX_TEXT = 200
"""Characters kept of a contract's name or symbol."""

# function supportsInterface(bytes4) — ERC-165
SUPPORTS_INTERFACE = "0x01ffc9a7"
# function name(), function symbol() — ERC-721 and ERC-20, and by custom ERC-1155
NAME, SYMBOL = "0x06fdde03", "0x95d89b41"
# function decimals() — ERC-20
DECIMALS = "0x313ce567"
# function ownerOf(uint256) — ERC-721
OWNER_OF = "0x6352211e"
# function getApproved(uint256) — ERC-721
GET_APPROVED = "0x081812fc"
# No function: a contract that answers it answers anything
NO_FUNCTION = "0xffffffff"
# function tokenURI(uint256) — ERC-721; function uri(uint256) — ERC-1155
TOKEN_URI, URI = "0xc87b56dd", "0x0e89341c"
# function tokenMetadataURI(uint256) — Zora's Media, Catalog: the document, where tokenURI is the file itself
METADATA_URI = "0x157c3df9"
# function balanceOf(address,uint256) — ERC-1155
BALANCE_OF = "0x00fdd58e"

ERC721_ID, ERC1155_ID, NO_ID = "80ac58cd", "d9b67a26", "ffffffff"
"""Interface ids (EIP-721, EIP-1155), and the one that nothing supports (EIP-165)."""


def supports(interface_id: str) -> str:
    """Return the call data of ``supportsInterface``."""
    return SUPPORTS_INTERFACE + interface_id.ljust(64, "0")


def of_token(selector: str, token_id: int) -> str:
    """Return the call data of a function whose one argument is a token id, such as ``OWNER_OF``."""
    return f"{selector}{token_id:064x}"


def balance_of(address: str, token_id: int) -> str:
    """Return the call data of ERC-1155's ``balanceOf``."""
    return f"{BALANCE_OF}{address[2:].rjust(64, '0')}{token_id:064x}"


def as_bytes(answer: Any) -> bytes:
    """Return what a call gave as bytes; nothing for whatever is no hexadecimal text."""
    if not isinstance(answer, str) or not answer.startswith("0x"):
        return b""
    try:
        return bytes.fromhex(answer[2:])
    except ValueError:
        return b""


def as_number(answer: Any) -> int | None:
    """Return the unsigned integer that a call gave, ``None`` when it gave no word."""
    data = as_bytes(answer)
    return int.from_bytes(data[:32], "big") if len(data) >= 32 else None


def as_flag(answer: Any) -> bool | None:
    """Return the boolean that a call gave, ``None`` when it gave none."""
    number = as_number(answer)
    return None if number is None or number > 1 else bool(number)


def text_bytes(answer: Any) -> bytes | None:
    """Return the bytes of the text that a call gave, as ``string`` or as ``bytes32``, ``None`` when it gave none.

    NUL bytes at the end are left out: they fill a ``bytes32`` up.
    """
    data = as_bytes(answer)
    if len(data) >= 64 and int.from_bytes(data[:32], "big") == 32:
        length = int.from_bytes(data[32:64], "big")
        return data[64 : 64 + length].rstrip(b"\0") if length <= len(data) - 64 else None
    return data.rstrip(b"\0") if len(data) == 32 else None


def as_text(answer: Any) -> str | None:
    """Return the text that a call gave, as ``string`` or as ``bytes32``, ``None`` when it gave none.

    NULs around it are padding. What else is not UTF-8, or no database can hold, becomes U+FFFD, and a text of nothing
    else is none; cut at ``MAX_TEXT`` characters.
    """
    raw = text_bytes(answer)
    if raw is None:
        return None
    cut = raw[: 4 * MAX_TEXT]
    padded = cut.decode("utf-8", "replace").strip()
    text = padded.strip("\0").replace("\0", "\ufffd").strip()[:MAX_TEXT]
    return text if text.strip("\ufffd") else None
