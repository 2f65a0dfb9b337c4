"""Wyvern's event, as its contracts declare it."""

from __future__ import annotations

from typing import Any

from indexing.node.logs import RawLog
from tests.markets.emitting import Emitted

EXCHANGE_1 = "0x7be8076f4ea4a4ad08075c2508e481d6c946d12b"
EXCHANGE_2 = "0x7f268357a8c2552623316e2562d90e642bb538e5"
UNSIGNED = "0x" + "0" * 64
BUY, SELL = "0x" + "b1" * 32, "0x" + "5e" * 32

# With the hashes of both orders.
orders_matched = Emitted(
    "OrdersMatched(bytes32 buy, bytes32 sell, address indexed maker, address indexed taker, uint256 price, "
    "bytes32 indexed metadata)",
    EXCHANGE_2,
    "maker taker price",
)


def ask_matched(seller: str, buyer: str, price: int, **of: Any) -> RawLog:
    """The seller had signed, the buyer called."""
    return orders_matched(seller, buyer, price, buy=UNSIGNED, sell=SELL, **of)


def bid_matched(seller: str, buyer: str, price: int, **of: Any) -> RawLog:
    """The buyer had signed, the seller called."""
    return orders_matched(buyer, seller, price, buy=BUY, sell=UNSIGNED, **of)
