"""Wyvern, OpenSea's protocol before Seaport: exchange 1 (2018 to 2022) and 2 (2022), on Ethereum.

``OrdersMatched`` for each pair of orders that was matched names neither the NFT nor the currency, nor which of the two
parties sells. What ``ExchangeCore.atomicMatch`` of the published source does tells them:

- The hash of an order is zero where its maker is who called the exchange. Makers sign, takers call.
- First the money: the price from the buyer to the seller in a token, then the fees. Of a sell order's fees the maker's
  come out of what the seller got, the taker's on top of the price; of a buy order's it is the other way round. They
  are charged in the same token (``SplitFee``), or in the protocol's own (``ProtocolFee``). Native money leaves no log,
  and only pays sell orders: it is believed up to what the transaction brought or unwrapped,
  each wei once.
- Then the call that the seller's proxy makes: as a rule ``transferFrom`` of an NFT, or of several through the
  atomicizer, to whom the buyer chose, but it may be any. A factory mints; a proxy may move what another address holds.
- Last the event: all of a match lies between the event before and its own.

``OrderCancelled`` ends an order; in exchange 2 ``NonceIncremented`` ends all of a maker that do not bear the new nonce.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.order_reading import CANCELLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, holding, items, together
from indexing.judge.money import MoneyMove, unwrapped
from indexing.judge.verdicts import NATIVE, Fault, Fill, Payment, Side
from indexing.node.logs import RawLog
from transfers.ledger.order_facts import NonceRule, OrderEvent

ORDERS_MATCHED = Event(
    "OrdersMatched(bytes32 buyHash, bytes32 sellHash, address indexed maker, address indexed taker, "
    "uint256 price, bytes32 indexed metadata)"
)
ORDER_CANCELLED = Event("OrderCancelled(bytes32 indexed hash)")
NONCE_INCREMENTED = Event("NonceIncremented(address indexed maker, uint256 newNonce)")

_NO_ORDER = "0x" + "0" * 64


class _Between(NamedTuple):
    """What happened between the match before and this one, in log order."""

    moves: list[tuple[int, Move]]
    """Moves that no other market sold and that delivered something, with their places."""
    money: Sequence[MoneyMove]


def fills(found: list[tuple[Told, None]], around: Around) -> Iterator[Fill | Fault]:
    """Read the pairs of orders that one exchange matched; each names the moves that it sold.

    A match that no NFT log belongs to is a fill of nothing, with a fault where it had a price.
    """
    transaction, wrapped = around.transaction, around.registry.wrapped_native
    brought = transaction.value + unwrapped(transaction.logs, around.money, wrapped)
    ends = [log.log_index for log in around.transaction.logs if _is_match(log, around)]
    for told, _ in found:
        place = bisect_left(ends, told.log.log_index)
        between = _between(ends[place - 1] if place else -1, told.log.log_index, around)
        for read in _fill(told, between, brought):
            yield read
            if isinstance(read, Fill) and read.currency == NATIVE:
                brought = max(0, brought - read.price)


def _fill(told: Told, between: _Between, brought: int) -> Iterator[Fill | Fault]:
    around, price = told.around, told["price"]
    is_direct = around.transaction.target == told.deployment.address
    seller, buyer = _parties(told, between, around.transaction.sender if is_direct else told["taker"])
    side = Side.ASK if seller == told["maker"] else Side.BID
    sold = _sold(between.moves, seller, buyer)
    delivered = sold[0][1].log_index if sold else told.log.log_index
    money = [one for one in between.money if one.log_index < delivered]
    must_be_token = side is Side.BID or brought < price
    paid = _paid(price, seller, buyer, money, taxed=must_be_token)
    is_bounded = around.transaction.target in around.registry.markets  # as all of its prices together are
    unpriced = paid is None and price > 0 and (side is Side.BID or (must_be_token and not is_bounded))
    on_top = _on_top(paid, money) if paid is not None and paid.amount == price else ()
    yield told.fill(side)._replace(
        seller=seller,
        buyer=buyer,
        items=items(move for _, move in sold),
        currency=NATIVE if paid is None else paid.currency,
        price=0 if unpriced else price + sum(one.amount for one in on_top),
        payments=on_top,
        order_hashes=tuple(one for one in (told["buyHash"], told["sellHash"]) if one != _NO_ORDER),
        unpriced=unpriced,
        moves=tuple(place for place, _ in sold),
    )
    if price and not sold:
        yield told.fault("No NFT log tells what was sold.", NATIVE, price)
    if unpriced:
        reason = f"No log tells in which token the buyer paid {price}."
        if side is Side.ASK:
            reason = f"The transaction has {brought} wei left for it, and no log shows {price} of a token."
        yield told.fault(reason, NATIVE, price)


def _parties(told: Told, between: _Between, caller: str) -> tuple[str, str]:
    """Return seller and buyer. Where both orders were signed, or none, money tells: without any it was native."""
    maker, taker = told["maker"], told["taker"]
    as_ask, as_bid = (maker, taker), (taker, maker)
    caller_buys, caller_sells = told["buyHash"] == _NO_ORDER, told["sellHash"] == _NO_ORDER
    if caller_buys != caller_sells:
        return as_ask if caller_buys == (caller != maker) else as_bid
    for one in between.money:
        if one.amount == told["price"] and (one.receiver, one.sender) in (as_ask, as_bid):
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
    return (
        bool(log.topics) and log.topics[0] == ORDERS_MATCHED.topic and log.address in around.registry.markets
    )


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=said["hash"])


def _nonce_incremented(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["maker"], NonceRule.OTHER, said["newNonce"])


_ORDERS = OrderReader({ORDER_CANCELLED: _cancelled, NONCE_INCREMENTED: _nonce_incremented})
_MATCH = holding("buyHash", "sellHash", "maker", "taker", "price")
_READ = together({ORDERS_MATCHED: _MATCH}, fills)
_ADDRESSES_1 = ("0x7be8076f4ea4a4ad08075c2508e481d6c946d12b",)
_ADDRESSES_2 = ("0x7f268357a8c2552623316e2562d90e642bb538e5",)

MARKET = Market(
    "opensea",
    "OpenSea",
    (
        Protocol("wyvern-1", _READ, {ETHEREUM: _ADDRESSES_1}, is_nameless=True, orders=_ORDERS),
        Protocol("wyvern-2", _READ, {ETHEREUM: _ADDRESSES_2}, is_nameless=True, orders=_ORDERS),
    ),
)
