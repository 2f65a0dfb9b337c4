"""Blur's first exchange, on Ethereum, October 2022 to July 2023.

``OrdersMatched`` for each pair of orders that ``execute`` or ``bulkExecute`` matched. A fee's rate is in hundredths of
a percent of the price; side 0 buys, 1 sells.

Of the two orders the one that was listed first is the maker's, the seller's where both were listed in the same second;
the maker's price holds. The token is the selling order's: a bid for a whole collection names none. The seller's fees
are taken out of the price, the buyer's come on top of it. Paid in ether, WETH or the pool's ether. The money moves
first, then the NFT, then the event is emitted.
Orders are signed: ``OrderCancelled`` ends one, ``NonceIncremented`` all of a maker that do not bear the new nonce.
Specified by ``BlurExchange``, ``OrderStructs`` and the matching policies of Blur's published source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.order_reading import CANCELLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import Fault, Fill, Item, Payment, Role, Side
from transfers.ledger.order_facts import NonceRule, OrderEvent

_ORDER = (
    "(address trader, uint8 side, address matchingPolicy, address collection, uint256 tokenId, "
    "uint256 amount, address paymentToken, uint256 price, uint256 listingTime, uint256 expirationTime, "
    "(uint16 rate, address recipient)[] fees, uint256 salt, bytes extraParams)"
)
ORDERS_MATCHED = Event(
    f"OrdersMatched(address indexed maker, address indexed taker, {_ORDER} sell, bytes32 sellHash, "
    f"{_ORDER} buy, bytes32 buyHash)"
)
ORDER_CANCELLED = Event("OrderCancelled(bytes32 hash)")
NONCE_INCREMENTED = Event("NonceIncremented(address indexed trader, uint256 newNonce)")

_BUY, _SELL = 0, 1
_BASIS_POINTS = 10_000
_MAX_RATE = 2**16 - 1


class _Order(NamedTuple):
    trader: str
    collection: str
    token_id: int
    currency: str
    """The zero address is ether, as everywhere."""
    price: int
    listing_time: int
    fees: tuple[tuple[int, str], ...]
    """Rates and recipients."""

    def paid(self, price: int) -> tuple[Payment, ...]:
        """Return what its fees come to, of the price that the orders were matched at."""
        fees = ((recipient, price * rate // _BASIS_POINTS) for rate, recipient in self.fees)
        return tuple(Payment(self.currency, amount, recipient) for recipient, amount in fees if amount)


class _Matched(NamedTuple):
    """One ``OrdersMatched``, and the fill that it will be."""

    fill: Fill
    sell: _Order
    buy: _Order

    @property
    def delivery(self) -> Delivery:
        sell = self.sell
        return Delivery(
            self.fill.log_index, sell.collection, sell.token_id, None, sell.trader, self.buy.trader
        )


def fills(found: list[tuple[Told, _Matched]], around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that the exchange matched: one fill each."""
    places = delivered(around.moves, [one.delivery for _, one in found])
    for (_, one), place in zip(found, places, strict=True):
        yield _fill(one, place, around)


def _fill(matched: _Matched, place: int | None, around: Around) -> Fill:
    fill, sell, buy = matched
    price = (sell if fill.side is Side.ASK else buy).price
    on_top = buy.paid(price)
    # Every published policy hands over one unit, whatever amount the orders name; the move tells.
    amount = 1 if place is None else around.moves[place].amount
    return fill._replace(
        seller=sell.trader,
        buyer=buy.trader,
        items=(Item(sell.collection, sell.token_id, amount),),
        currency=sell.currency,
        price=price + sum(one.amount for one in on_top),
        payments=(*sell.paid(price), *on_top),
        roles=tuple((receiver, Role.ROYALTY) for _, receiver in (*sell.fees, *buy.fees)),
        rest=Role.SELLER,
        moves=() if place is None else (place,),
    )


def _matched(told: Told) -> _Matched:
    sell, buy = _order(told["sell"], _SELL), _order(told["buy"], _BUY)
    side = Side.ASK if sell.listing_time <= buy.listing_time else Side.BID
    if told["maker"] != (sell if side is Side.ASK else buy).trader:
        raise UndecodableError("The maker is not the trader of the order that was listed first.")
    hashes = told["sellHash"], told["buyHash"]
    return _Matched(told.fill(side)._replace(order_hashes=hashes), sell, buy)


def _order(order: Fields, side: int) -> _Order:
    if order["side"] != side:
        raise UndecodableError(f"An order of side {order['side']} stands where one of side {side} belongs.")
    return _Order(
        trader=order["trader"],
        collection=order["collection"],
        token_id=order["tokenId"],
        currency=order["paymentToken"],
        price=order["price"],
        listing_time=order["listingTime"],
        fees=tuple(map(_fee, order["fees"])),
    )


def _fee(fee: Fields) -> tuple[int, str]:
    if fee["rate"] > _MAX_RATE:
        raise UndecodableError(f"A fee has the rate {fee['rate']}, which does not fit 16 bits.")
    return fee["rate"], fee["recipient"]


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=said["hash"])


def nonce_incremented(said: Said) -> Iterator[OrderEvent]:
    """Read the end of all orders of a trader that bear another nonce."""
    yield said.bulk_ended(said["trader"], NonceRule.OTHER, said["newNonce"])


_ORDERS = OrderReader({ORDER_CANCELLED: _cancelled, NONCE_INCREMENTED: nonce_incremented})
# As operator-filter-registry lists it.
_DELEGATE = {ETHEREUM: ("0x00000000000111abe46ff893f3b2fdf1f759a8a8",)}
_READ = together({ORDERS_MATCHED: _matched}, fills)

MARKET = Market(
    "blur",
    "Blur",
    (
        Protocol(
            "blur-1",
            _READ,
            {ETHEREUM: ("0x000000000000ad05ccc4f10045630fb830b95127",)},
            orders=_ORDERS,
            operators=_DELEGATE,
        ),
    ),
    targets={ETHEREUM: ("0x39da41747a83aee658334415666f3ef92dd0d541",)},  # BlurSwap, the aggregator
    # A zone: of the orders that Blur lists on Seaport.
    sources=("0x0000000000d80cfcb8dfcd8b2c4fd9c813482938",),
)
