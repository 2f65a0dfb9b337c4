"""Wyvern, OpenSea's protocol before Seaport: exchange 1 (2018 to 2022) and 2 (2022), on Ethereum
(``deployments.MARKETS``).

``OrdersMatched(bytes32 buyHash, bytes32 sellHash, address indexed maker, address indexed taker, uint256 price, bytes32
indexed metadata)`` for each pair of orders that was matched. It names neither the NFT nor the currency, nor which of
the two parties sells. What ``ExchangeCore.atomicMatch`` of the published source does tells them:

- The hash of an order is zero where its maker is who called the exchange. Makers sign, takers call.
- First the money: the price from the buyer to the seller in a token, then the fees. Of a sell order's fees the maker's
  come out of what the seller got, the taker's on top of the price; of a buy order's it is the other way round. They
  are charged in the same token (``SplitFee``), or in the protocol's own (``ProtocolFee``). Native money leaves no log,
  and only pays sell orders: it is believed up to what the transaction brought or unwrapped,
  each wei once.
- Then the call that the seller's proxy makes: as a rule ``transferFrom`` of an NFT, or of several through the
  atomicizer, to whom the buyer chose, but it may be any. A factory mints; a proxy may move what another address holds.
- Last the event: all of a match lies between the event before and its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.words import expect_topics, number, topic_address
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.money import MoneyMove, unwrapped
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

ORDERS_MATCHED = "0xc4109843e0b7d514e4c093114b863f8e7d8d9a458c372cd51bfe526b588006c9"

_NO_ORDER = "0x" + "0" * 64


class _Match(NamedTuple):
    """One ``OrdersMatched``."""

    log_index: int
    buy_hash: str
    sell_hash: str
    maker: str
    taker: str
    price: int


class _Between(NamedTuple):
    """What happened between the match before and this one, in log order."""

    moves: list[tuple[int, Move]]
    """Moves that no other market sold and that delivered something, with their places."""
    money: Sequence[MoneyMove]


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the pairs of orders that one exchange matched; each names the moves that it sold.

    A match that no NFT log belongs to is a fill of nothing, with a fault where it had a price.
    """
    transaction, wrapped = around.transaction, around.registry.wrapped_native
    brought = transaction.value + unwrapped(transaction.logs, around.money, wrapped)
    ends = [log.log_index for log in around.transaction.logs if _is_match(log, around)]
    for one in each(logs, {ORDERS_MATCHED: _match}, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        match = one[1]
        place = bisect_left(ends, match.log_index)
        between = _between(ends[place - 1] if place else -1, match.log_index, around)
        for read in _fill(match, between, brought, deployment, around):
            yield read
            if isinstance(read, Fill) and read.currency == NATIVE:
                brought = max(0, brought - read.price)


def _fill(
    match: _Match, between: _Between, brought: int, deployment: Deployment, around: Around
) -> Iterator[Fill | Fault]:
    is_direct = around.transaction.target == deployment.address
    seller, buyer = _parties(match, between, around.transaction.sender if is_direct else match.taker)
    side = Side.ASK if seller == match.maker else Side.BID
    sold = _sold(between.moves, seller, buyer)
    delivered = sold[0][1].log_index if sold else match.log_index
    money = [one for one in between.money if one.log_index < delivered]
    must_be_token = side is Side.BID or brought < match.price
    paid = _paid(match.price, seller, buyer, money, taxed=must_be_token)
    is_bounded = around.transaction.target in around.registry.markets  # as all of its prices together are
    unpriced = paid is None and match.price > 0 and (side is Side.BID or (must_be_token and not is_bounded))
    on_top = _on_top(paid, money) if paid is not None and paid.amount == match.price else ()
    yield Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=match.log_index,
        side=side,
        seller=seller,
        buyer=buyer,
        items=tuple(Item(move.contract, move.token_id, move.amount) for _, move in sold),
        currency=NATIVE if paid is None else paid.currency,
        price=0 if unpriced else match.price + sum(one.amount for one in on_top),
        payments=on_top,
        order_hashes=tuple(one for one in (match.buy_hash, match.sell_hash) if one != _NO_ORDER),
        unpriced=unpriced,
        moves=tuple(place for place, _ in sold),
    )
    if match.price and not sold:
        reason = "No NFT log tells what was sold."
        yield Fault(deployment.protocol, match.log_index, reason, NATIVE, match.price)
    if unpriced:
        reason = f"No log tells in which token the buyer paid {match.price}."
        if side is Side.ASK:
            reason = (
                f"The transaction has {brought} wei left for it, and no log shows {match.price} of a token."
            )
        yield Fault(deployment.protocol, match.log_index, reason, NATIVE, match.price)


def _parties(match: _Match, between: _Between, caller: str) -> tuple[str, str]:
    """Return seller and buyer. Where both orders were signed, or none, money tells: without any it was native."""
    as_ask, as_bid = (match.maker, match.taker), (match.taker, match.maker)
    if (match.buy_hash == _NO_ORDER) != (match.sell_hash == _NO_ORDER):
        caller_buys = match.buy_hash == _NO_ORDER
        return as_ask if caller_buys == (caller != match.maker) else as_bid
    for one in between.money:
        if one.amount == match.price and (one.receiver, one.sender) in (as_ask, as_bid):
            return one.receiver, one.sender
    return as_ask


def _sold(moves: list[tuple[int, Move]], seller: str, buyer: str) -> list[tuple[int, Move]]:
    """Return the moves that were sold, the surest kind that there is; at worst the only move of all."""
    leaving = [one for one in moves if one[1].sender == seller]
    reaching = [one for one in moves if one[1].receiver == buyer]
    kinds = (
        [one for one in leaving if one[1].receiver == buyer],
        # Bought for somebody else: all of an order goes to one receiver.
        [one for one in leaving if one[1].receiver == leaving[-1][1].receiver],
        [one for one in reaching if one[1].sender != ZERO_ADDRESS],
        reaching,
        moves if len(moves) == 1 else [],
    )
    return next((kind for kind in kinds if kind), [])


def _paid(
    price: int, seller: str, buyer: str, money: Sequence[MoneyMove], *, taxed: bool
) -> MoneyMove | None:
    """Return the token transfer by which the buyer paid; ``None`` where it was native money.

    Some tokens keep a part of what is sent. With ``taxed`` a transfer of less than the price will do, if need be.
    """
    direct = [one for one in money if (one.sender, one.receiver) == (buyer, seller)]
    exact = [one for one in direct if one.amount == price]
    if exact:
        return exact[-1]
    less = [one for one in direct if taxed and price < 2 * one.amount < 2 * price]
    return less[-1] if less else None


def _on_top(paid: MoneyMove, money: Sequence[MoneyMove]) -> tuple[Payment, ...]:
    """Return the fees that the buyer paid besides the price: whatever it sent of the token between that and the NFT."""
    return tuple(
        Payment(one.currency, one.amount, one.receiver)
        for one in money
        if one.log_index > paid.log_index
        and (one.currency, one.sender) == (paid.currency, paid.sender)
        and one.receiver not in (paid.sender, paid.receiver)
    )


def _between(start: int, end: int, around: Around) -> _Between:
    """Return what happened between two logs, by their indexes, without what other markets sold."""
    first, last = _stretch(around.moves, start, end)
    moves = [
        (place, around.moves[place])
        for place in range(first, last)
        if place not in around.taken
        and around.moves[place].amount
        and around.moves[place].receiver != ZERO_ADDRESS
    ]
    first, last = _stretch(around.money, start, end)
    return _Between(moves, around.money[first:last])


def _stretch(some: Sequence[Move] | Sequence[MoneyMove], start: int, end: int) -> tuple[int, int]:
    return bisect_left(some, start, key=_log_index), bisect_left(some, end, key=_log_index)


def _log_index(one: Move | MoneyMove) -> int:
    return one.log_index


def _is_match(log: RawLog, around: Around) -> bool:
    return bool(log.topics) and log.topics[0] == ORDERS_MATCHED and log.address in around.registry.markets


def _match(log: RawLog) -> _Match:
    expect_topics(log, 4, "OrdersMatched")
    return _Match(
        log.log_index,
        f"0x{number(log.data, 0):064x}",
        f"0x{number(log.data, 32):064x}",
        topic_address(log.topics, 1),
        topic_address(log.topics, 2),
        number(log.data, 64),
    )
