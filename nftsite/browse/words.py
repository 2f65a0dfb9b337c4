"""How it was found what a transfer was, in a line; its own page has the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_JUDGED = {
    "mint": "it comes from the zero address",
    "burn": "it goes to the zero address or to 0x…dEaD",
    "swap": "NFTs went both ways between the same parties",
    "transfer": "nothing was given for it that the chain tells of",
}


def found_by(record: Mapping[str, Any], judged: bool) -> str:
    """Return by what the type of a transfer is known. ``judged``: from what the chain's own logs say."""
    if not judged:
        return "As stated in a file that was loaded"
    kind = record.get("transferType")
    if kind == "sale":
        if record.get("isCommercial"):
            markets = ", ".join(record["markets"]) or "the market"
            return f"The market's own record of the sale ({markets}), held against what moved"
        return "Its receiver paid its sender a token in the same transaction"
    text = _JUDGED.get(kind or "transfer", _JUDGED["transfer"])
    return text[0].upper() + text[1:]
