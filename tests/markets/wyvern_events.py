"""Wyvern's event, encoded from its published layout."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import log, word

EXCHANGE_1 = "0x7be8076f4ea4a4ad08075c2508e481d6c946d12b"
EXCHANGE_2 = "0x7f268357a8c2552623316e2562d90e642bb538e5"
UNSIGNED = "0x" + "0" * 64
BUY, SELL = "0x" + "b1" * 32, "0x" + "5e" * 32
SIGNATURE = "OrdersMatched(bytes32,bytes32,address,address,uint256,bytes32)"


def orders_matched(
    maker: str, taker: str, price: int, *, buy: str, sell: str, index: int, contract: str = EXCHANGE_2
) -> RawLog:
    """`OrdersMatched`; `buy` and `sell` are the hashes of the two orders."""
    data = buy[2:] + sell[2:] + word(price)
    return log(SIGNATURE, [maker, taker, 0], data, contract=contract, index=index)


def ask_matched(seller: str, buyer: str, price: int, *, index: int, contract: str = EXCHANGE_2) -> RawLog:
    """The seller had signed, the buyer called."""
    return orders_matched(seller, buyer, price, buy=UNSIGNED, sell=SELL, index=index, contract=contract)


def bid_matched(seller: str, buyer: str, price: int, *, index: int, contract: str = EXCHANGE_2) -> RawLog:
    """The buyer had signed, the seller called."""
    return orders_matched(buyer, seller, price, buy=BUY, sell=UNSIGNED, index=index, contract=contract)
