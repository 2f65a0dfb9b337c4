"""Blur's first exchange, at 0x000000000000ad05ccc4f10045630fb830b95127 on Ethereum, October 2022 to July 2023.

``OrdersMatched(address indexed maker, address indexed taker, Order sell, bytes32 sellHash, Order buy,
bytes32 buyHash)`` for each pair of orders that ``execute`` or ``bulkExecute`` matched. ``Order`` is ``(address trader,
uint8 side, address matchingPolicy, address collection, uint256 tokenId, uint256 amount, address paymentToken,
uint256 price, uint256 listingTime, uint256 expirationTime, Fee[] fees, uint256 salt, bytes extraParams)``, ``Fee`` is
``(uint16 rate, address recipient)`` in hundredths of a percent of the price; side 0 buys, 1 sells.

Of the two orders the one that was listed first is the maker's, the seller's where both were listed in the same second;
the maker's price holds. The token is the selling order's: a bid for a whole collection names none. The seller's fees
are taken out of the price, the buyer's come on top of it. Paid in ether, WETH or the pool's ether. The money moves
first, then the NFT, then the event is emitted.
Specified by ``BlurExchange``, ``OrderStructs`` and the matching policies of Blur's published source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexing.decode.words import UndecodableError, address, expect_topics, number, structs, topic_address
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

ORDERS_MATCHED = "0x61cbb2a3dee0b6064c2e681aadd61677fb4ef319f0b547508d495626f5a62f64"

_BUY, _SELL = 0, 1
_BASIS_POINTS = 10_000
_MAX_RATE = 2**16 - 1


class _Fee(NamedTuple):
    rate: int
    recipient: str


class _Order(NamedTuple):
    trader: str
    collection: str
    token_id: int
    currency: str
    """The zero address is ether, as everywhere."""
    price: int
    listing_time: int
    fees: tuple[_Fee, ...]

    def paid(self, price: int) -> tuple[Payment, ...]:
        """Return what its fees come to, of the price that the orders were matched at."""
        fees = ((one.recipient, price * one.rate // _BASIS_POINTS) for one in self.fees)
        return tuple(Payment(self.currency, amount, recipient) for recipient, amount in fees if amount)


class _Matched(NamedTuple):
    """One ``OrdersMatched``."""

    log_index: int
    sell: _Order
    buy: _Order
    hashes: tuple[str, str]

    @property
    def side(self) -> Side:
        return Side.ASK if self.sell.listing_time <= self.buy.listing_time else Side.BID

    @property
    def maker(self) -> _Order:
        return self.sell if self.side is Side.ASK else self.buy


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that the exchange matched: one fill each."""
    matched: list[_Matched] = []
    for read in each(logs, {ORDERS_MATCHED: _matched}, deployment):
        if isinstance(read, Fault):
            yield read
        else:
            matched.append(read[1])
    deliveries = [
        Delivery(one.log_index, one.sell.collection, one.sell.token_id, None, one.sell.trader, one.buy.trader)
        for one in matched
    ]
    for one, place in zip(matched, delivered(around.moves, deliveries), strict=True):
        yield _fill(one, place, deployment, around)


def _fill(matched: _Matched, place: int | None, deployment: Deployment, around: Around) -> Fill:
    sell, buy = matched.sell, matched.buy
    price = matched.maker.price
    on_top = buy.paid(price)
    # Every published policy hands over one unit, whatever amount the orders name; the move tells.
    amount = 1 if place is None else around.moves[place].amount
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=matched.log_index,
        side=matched.side,
        seller=sell.trader,
        buyer=buy.trader,
        items=(Item(sell.collection, sell.token_id, amount),),
        currency=sell.currency,
        price=price + sum(one.amount for one in on_top),
        payments=(*sell.paid(price), *on_top),
        order_hashes=matched.hashes,
        moves=() if place is None else (place,),
    )


def _matched(log: RawLog) -> _Matched:
    expect_topics(log, 3, "OrdersMatched")
    matched = _Matched(
        log.log_index,
        _order(log.data, 0, _SELL),
        _order(log.data, 64, _BUY),
        ("0x" + log.data[32:64].hex(), "0x" + log.data[96:128].hex()),
    )
    if topic_address(log.topics, 1) != matched.maker.trader:
        raise UndecodableError("The maker is not the trader of the order that was listed first.")
    return matched


def _order(data: bytes, head: int, side: int) -> _Order:
    """Read the ``Order`` whose offset stands at the byte ``head``; the offsets in it count from where it starts."""
    order = data[number(data, head) :]
    if number(order, 32) != side:
        raise UndecodableError(
            f"An order of side {number(order, 32)} stands where one of side {side} belongs."
        )
    start, count = structs(order, 320, 2)
    return _Order(
        trader=address(order, 0),
        collection=address(order, 96),
        token_id=number(order, 128),
        currency=address(order, 192),
        price=number(order, 224),
        listing_time=number(order, 256),
        fees=tuple(_fee(order, at) for at in range(start, start + 64 * count, 64)),
    )


def _fee(order: bytes, at: int) -> _Fee:
    rate = number(order, at)
    if rate > _MAX_RATE:
        raise UndecodableError(f"A fee has the rate {rate}, which does not fit 16 bits.")
    return _Fee(rate, address(order, at + 32))
