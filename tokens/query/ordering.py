"""The orders of NFTs: one table for both operations (specification, Sort order)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KeyField = Literal["recent_key", "token_key", "rarity_key"]


@dataclass(frozen=True, slots=True)
class Order:
    """An order: its name in ``sortBy``, the column of its sort key, and which end of the asks decides, if any.

    Keys ascend, unknown values last; only ``descending`` orders are read backwards. In an order by asks the key is
    that of the items behind all asks.
    """

    name: str
    key: KeyField
    descending: bool = False
    asks: Literal["lowest", "highest"] | None = None


RECENT = Order("", "recent_key")
LOWEST_ASK = Order("lowestAsk", "recent_key", asks="lowest")
HIGHEST_ASK = Order("highestAsk", "recent_key", asks="highest")
TOKEN_ID = Order("tokenId", "token_key")
TOKEN_ID_DESCENDING = Order("tokenId-desc", "token_key", descending=True)
RARITY = Order("rarity", "rarity_key")

ORDERS: dict[str, Order] = {
    order.name: order for order in (RECENT, LOWEST_ASK, HIGHEST_ASK, TOKEN_ID, TOKEN_ID_DESCENDING, RARITY)
}

TITLES: dict[str, str] = {
    RECENT.name: "Newest",
    LOWEST_ASK.name: "Cheapest",
    HIGHEST_ASK.name: "Highest ask",
    RARITY.name: "Rarest",
    TOKEN_ID.name: "Token id",
    TOKEN_ID_DESCENDING.name: "Token id, last first",
}
"""What people call them, by the name in ``sortBy``."""
