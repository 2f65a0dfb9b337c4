"""Seaport 1.1 to 1.6, OpenSea's protocol, at one address each on every chain (``deployments.EVERYWHERE``).

``OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, SpentItem[] offer,
ReceivedItem[] consideration)`` for each order that is filled, in whole or in part (the amounts are those of this fill).
``SpentItem`` is ``(uint8 itemType, address token, uint256 identifier, uint256 amount)``, ``ReceivedItem`` has an
``address recipient`` behind these. Item types: 0 native, 1 ERC-20, 2 ERC-721, 3 ERC-1155, 4 and 5 the same with
criteria (the event names the token that was chosen). From 1.2 on ``OrdersMatched(bytes32[] orderHashes)`` names the
orders that were matched with each other; 1.1 shows them by having no recipient.
Specified by ``ConsiderationEventsAndErrors`` and ``ConsiderationStructs`` of Seaport's published source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nftsite.net.addresses import ZERO_ADDRESS
from transfers.ingest.logs import RawLog
from transfers.ingest.markets.reading import Around, each
from transfers.ingest.markets.registry import Deployment
from transfers.ingest.moves import MAX_ENTRIES
from transfers.ingest.sales import NATIVE, Fault, Fill, Item, Payment, Side
from transfers.ingest.words import UndecodableError, address, number, topic_address

ORDER_FULFILLED = "0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31"
ORDERS_MATCHED = "0x4b9f2d36e1b4c93de62cc077b00b1a91d84b6c31b4a14e012718dcca230689e7"

_NATIVE, _ERC20 = 0, 1
_ITEM_TYPES = range(6)
_SPENT_WORDS, _RECEIVED_WORDS = 4, 5


class _Spent(NamedTuple):
    kind: int
    token: str
    identifier: int
    amount: int
    recipient: str

    @property
    def is_money(self) -> bool:
        return self.kind <= _ERC20

    @property
    def currency(self) -> str:
        return NATIVE if self.kind == _NATIVE else self.token

    @property
    def item(self) -> Item:
        return Item(self.token, self.identifier, self.amount)


class _Order(NamedTuple):
    """One ``OrderFulfilled``."""

    log_index: int
    hash: str
    offerer: str
    recipient: str
    """Who gets the offer; the zero address where it was matched (1.1)."""
    offer: list[_Spent]
    consideration: list[_Spent]


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that one Seaport contract filled; those matched with each other are one fill an item.

    An order that gives NFTs for money is an ask, one that gives money for NFTs a bid; one that gives NFTs and wants
    NFTs is an exchange; one that gives NFTs and wants nothing is a fill of price 0. Two orders that were matched with
    each other are told by the buyer's: only it says what the buyer's side pays in all.
    """
    group: list[_Order] = []
    matched: list[list[_Order]] = []
    for one in each(logs, {ORDER_FULFILLED: _order, ORDERS_MATCHED: _hashes}, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        value = one[1]
        if isinstance(value, _Order):
            group.append(value)
            continue
        together = [order for order in group if order.hash in value]
        group = [order for order in group if order.hash not in value]
        matched.append(together)
    unnamed = [order for order in group if order.recipient == ZERO_ADDRESS]
    if unnamed:
        matched.append(unnamed)
    for order in group:
        if order.recipient != ZERO_ADDRESS:
            yield from _fill(order, deployment, around)
    for orders in matched:
        yield from _matched(orders, deployment, around)


def _fill(order: _Order, deployment: Deployment, around: Around) -> Iterator[Fill]:
    """Yield the fill of an order by somebody without an order of their own; none where no NFT is in it."""
    gives, wants = _nfts(order.offer), _nfts(order.consideration)
    offered, asked = _money(order.offer), _money(order.consideration)
    if not gives and not wants:
        return
    if gives:
        seller, buyer, side, items, returned = order.offerer, order.recipient, Side.ASK, gives, wants
        price, payments = asked, [*asked, *(one._replace(recipient=buyer) for one in offered)]
        mixed = bool(offered)
    else:
        seller, buyer, side, items, returned = order.recipient, order.offerer, Side.BID, wants, ()
        price, payments = offered, asked
        mixed = any(one.currency != offered[0].currency for one in asked) if offered else bool(asked)
    currency, amount, several = _sum(price)
    yield Fill(
        protocol=deployment.protocol,
        market=_market(order, deployment, around),
        log_index=order.log_index,
        side=side,
        seller=seller,
        buyer=buyer,
        items=items,
        currency=currency,
        price=amount,
        payments=tuple(Payment(one.currency, one.amount, one.recipient) for one in payments),
        order_hashes=(order.hash,),
        returned=returned,
        mixed=mixed or several,
    )


def _matched(orders: Sequence[_Order], deployment: Deployment, around: Around) -> Iterator[Fill]:
    """Yield the fills of orders that were matched with each other, each item once."""
    told: set[Item] = set()
    by_buyer = sorted(orders, key=lambda order: (bool(_nfts(order.offer)), order.log_index))
    for order in by_buyer:
        for fill in _fill(order, deployment, around):
            items = {*fill.items, *fill.returned}
            if items <= told:
                continue
            told |= items
            others = [
                other
                for other in orders
                if other is not order and items & {*_nfts(other.offer), *_nfts(other.consideration)}
            ]
            yield _joined(fill, order, others, around)


def _joined(fill: Fill, order: _Order, others: Sequence[_Order], around: Around) -> Fill:
    """Return the fill of an order with what those it was matched with say about the other side."""
    hashes = (order.hash, *(other.hash for other in others))
    if not others:  # who called the market took the items
        return fill._replace(order_hashes=hashes)
    if fill.side is Side.ASK:
        return fill._replace(buyer=others[0].offerer, order_hashes=hashes)
    sellers = {other.offerer for other in others if _nfts(other.offer)}
    payments = [*fill.payments]
    for other in others:
        payments += [Payment(one.currency, one.amount, one.recipient) for one in _money(other.consideration)]
    joined = fill._replace(
        seller=sellers.pop() if len(sellers) == 1 else None, payments=tuple(payments), order_hashes=hashes
    )
    if order.offerer in {around.transaction.sender, order.recipient}:
        # The buyer made this order only to fill the seller's: what it offers beyond that, it keeps.
        asks = [other for other in others if _nfts(other.offer)]
        paid = sum(one.amount for one in payments if one.currency == fill.currency)
        joined = joined._replace(side=Side.ASK, log_index=asks[0].log_index if asks else fill.log_index)
        if len(asks) == 1 and set(_nfts(asks[0].offer)) <= set(fill.items) and 0 < paid < fill.price:
            joined = joined._replace(price=paid)
    return joined


def _market(order: _Order, deployment: Deployment, around: Around) -> str:
    """Return the market that an order was made on: OpenSea, unless one of those it pays tells another."""
    named = [
        around.registry.sources[one.recipient]
        for one in order.consideration
        if one.recipient in around.registry.sources
    ]
    return named[0] if named and deployment.market not in named else deployment.market


def _nfts(side: Sequence[_Spent]) -> tuple[Item, ...]:
    return tuple(one.item for one in side if not one.is_money)


def _money(side: Sequence[_Spent]) -> list[_Spent]:
    return [one for one in side if one.is_money and one.amount]


def _sum(money: Sequence[_Spent]) -> tuple[str, int, bool]:
    """Return currency and sum, and whether there is more than one currency; the sum is then the first one's."""
    if not money:
        return NATIVE, 0, False
    currency = money[0].currency
    same = [one.amount for one in money if one.currency == currency]
    return currency, sum(same), len(same) < len(money)


def _order(log: RawLog) -> _Order:
    if len(log.topics) != 3:
        raise UndecodableError(f"OrderFulfilled has 3 topics, this log {len(log.topics)}.")
    return _Order(
        log.log_index,
        "0x" + log.data[:32].hex(),
        topic_address(log.topics, 1),
        address(log.data, 32),
        _items(log.data, 64, _SPENT_WORDS),
        _items(log.data, 96, _RECEIVED_WORDS),
    )


def _hashes(log: RawLog) -> frozenset[str]:
    start, count = _list(log.data, 0, 1)
    return frozenset("0x" + log.data[at : at + 32].hex() for at in range(start, start + 32 * count, 32))


def _items(data: bytes, head: int, words: int) -> list[_Spent]:
    start, count = _list(data, head, words)
    found = []
    for at in range(start, start + 32 * words * count, 32 * words):
        kind = number(data, at)
        if kind not in _ITEM_TYPES:
            raise UndecodableError(f"An item is of type {kind}, which Seaport does not have.")
        recipient = address(data, at + 128) if words == _RECEIVED_WORDS else ZERO_ADDRESS
        found.append(
            _Spent(kind, address(data, at + 32), number(data, at + 64), number(data, at + 96), recipient)
        )
    return found


def _list(data: bytes, head: int, words: int) -> tuple[int, int]:
    """Where the structs of a list start, and how many there are, all within the data."""
    offset = number(data, head)
    count = number(data, offset)
    if count > MAX_ENTRIES or offset + 32 + count * words * 32 > len(data):
        raise UndecodableError(f"A list claims {count} entries, more than the data holds.")
    return offset + 32, count
