"""Archipelago, a market for Art Blocks on Ethereum.

``Trade(bytes32 indexed tradeId, address indexed buyer, address indexed seller, uint256 price, uint256 proceeds,
uint256 cost, address currency)``: ``cost`` is all that the buyer paid, the royalties that came on top of the price
included; the seller got ``proceeds``. Before it ``RoyaltyPayment(bytes32 indexed tradeId, address indexed payer,
address indexed recipient, uint256 micros, uint256 amount, address currency)`` for each royalty, behind it
``TokenTrade(bytes32 indexed tradeId, address indexed tokenAddress, uint256 indexed tokenId)`` for each token. The
currency is a token always: ether is wrapped for the buyer first, and may be unwrapped for the seller. Specified by
``ArchipelagoMarket.sol`` of the published contracts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import (
    UndecodableError,
    address,
    expect_topics,
    number,
    topic_address,
    topic_number,
)
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

TRADE = "0x446ea7816fd82a3e830f82ef187f55d7718a739e8ecfcd33e456f69cfa164cb5"
TRADED = "0x1db01bf65e5b6e3e603931112bbd1714e830813bdcf0b6ebf7b5dcf44542ca31"
ROYALTY_PAYMENT = "0xf524c74bf2303c29e6511dc690bf20aa7408a9c6428d5678eb931b28bc3b0a08"

_Parts = Fill | Item | Payment


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the trades, one fill each; a trade of several tokens is a bundle."""
    readers = {
        TRADE: lambda log: _trade(log, deployment, around),
        TRADED: _token,
        ROYALTY_PAYMENT: _royalty,
    }
    trades: dict[str, Fill] = {}
    parts: dict[str, list[Item | Payment]] = {}
    for one in each(logs, readers, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, value = one
        if isinstance(value, Fill):
            trades[log.topics[1]] = value
        else:
            parts.setdefault(log.topics[1], []).append(value)
    for trade_id, fill in trades.items():
        some = parts.get(trade_id, [])
        items = tuple(part for part in some if isinstance(part, Item))
        payments = tuple(part for part in some if isinstance(part, Payment) and part.amount)
        if items:
            yield fill._replace(items=items, payments=payments)
        else:
            yield Fault(
                deployment.protocol,
                fill.log_index,
                "No TokenTrade tells what was traded.",
                fill.currency,
                fill.price,
            )


def _trade(log: RawLog, deployment: Deployment, around: Around) -> _Parts:
    expect_topics(log, 4, "An event of a trade")
    seller = topic_address(log.topics, 3)
    price, proceeds, cost = number(log.data, 0), number(log.data, 32), number(log.data, 64)
    if not proceeds <= price <= cost:
        raise UndecodableError("The proceeds are more than the price, or the price more than the cost.")
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        # Both sides sign. Who calls is the one that takes what the other offered.
        side=Side.BID if around.transaction.sender == seller else Side.ASK,
        seller=seller,
        buyer=topic_address(log.topics, 2),
        items=(),
        currency=address(log.data, 96),
        price=cost,
    )


def _token(log: RawLog) -> _Parts:
    expect_topics(log, 4, "An event of a trade")
    return Item(topic_address(log.topics, 2), topic_number(log.topics, 3))


def _royalty(log: RawLog) -> _Parts:
    expect_topics(log, 4, "An event of a trade")
    return Payment(address(log.data, 64), number(log.data, 32), topic_address(log.topics, 3))
