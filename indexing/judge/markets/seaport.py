"""Seaport 1.1 to 1.6, OpenSea's protocol, at one address each on every chain.

``OrderFulfilled`` for each order that is filled, in whole or in part (the amounts are those of this fill). Item types:
0 native, 1 ERC-20, 2 ERC-721, 3 ERC-1155, 4 and 5 the same with criteria (the event names the token that was chosen).
It stands before the transfers where a basic order is filled or several orders are (``fulfillAvailable…``, ``match…``),
behind them where a single one is.

From 1.2 on ``OrdersMatched`` follows the orders that were matched with each other, before their transfers; 1.1 shows
them by having no recipient.

Specified by ``ConsiderationEventsAndErrors`` and ``ConsiderationStructs`` of Seaport's published source; when they are
emitted: ``BasicOrderFulfiller``, ``OrderFulfiller`` and ``OrderCombiner`` there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, EVERYWHERE, Market, Protocol
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.markets.seaport_books import ORDERS
from indexing.judge.markets.seaport_matches import matched
from indexing.judge.markets.seaport_orders import Order, ask, bid, caller_of, hashes, order
from indexing.judge.verdicts import Fault, Fill, Role

_ITEM = "uint8 itemType, address token, uint256 identifier, uint256 amount"
ORDER_FULFILLED = Event(
    "OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, "
    f"({_ITEM})[] offer, ({_ITEM}, address recipient)[] consideration)"
)
ORDERS_MATCHED = Event("OrdersMatched(bytes32[] orderHashes)")


def fills(found: list[tuple[Told, Order | tuple[str, ...]]], around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that one Seaport contract filled; those matched with each other are one fill a sale.

    An order that gives NFTs for money is an ask, one that gives money for NFTs a bid; one that gives NFTs and wants
    NFTs is an exchange; one that gives NFTs and wants nothing is a fill of price 0. One without NFTs is none.
    """
    orders: list[Order] = []
    matches: list[list[Order]] = []
    for _, value in found:
        if isinstance(value, Order):
            orders.append(value)
        else:
            matches.append(_taken(orders, value))
    matches.append([one for one in orders if caller_of(one) is None])
    for one in orders:
        if caller_of(one) is not None and one.gives:
            yield ask(one, one.recipient)
        elif caller_of(one) is not None and one.wants:
            yield bid(one, one.recipient)._replace(rest=Role.SELLER)
    for group in matches:
        yield from matched(group)


def _taken(orders: list[Order], named: Sequence[str]) -> list[Order]:
    """Take the newest orders with these hashes out of a list: one that was filled before, in part, was not matched."""
    wanted = Counter(named)
    taken = []
    for place in range(len(orders) - 1, -1, -1):
        if wanted[orders[place].hash]:
            wanted[orders[place].hash] -= 1
            taken.append(orders.pop(place))
    return taken[::-1]


_HANDLERS: dict[Event, Callable[[Told], Order | tuple[str, ...]]] = {
    ORDER_FULFILLED: order,
    ORDERS_MATCHED: hashes,
}
_READ = together(_HANDLERS, fills)
ADDRESSES = {
    "seaport-1.1": ("0x00000000006c3852cbef3e08e8df289169ede581",),
    "seaport-1.2": ("0x00000000000006c7676171937c444f6bde3d6282",),
    "seaport-1.3": ("0x0000000000000ad24e80fd803c6ac37206a45f15",),
    "seaport-1.4": ("0x00000000000001ad428e4906ae43d8f9852d0dd6",),
    "seaport-1.5": ("0x00000000000000adc04c56bf30ac9d3c0aaf14dc",),
    "seaport-1.6": (
        "0x0000000000000068f116a894984e2db1123eb395",
        "0x00000000006687982678b03100b9bdc8be440814",  # where that one cannot be made
    ),
}
# Conduits, by the constants of opensea-js: most orders name one of these.
_CONDUITS = ("0x1e0049783f008a0085193e00003d00cd54003c71", "0x963f00d3ff000064ffcba824b800c0000000c300")

MARKET = Market(
    "opensea",
    "OpenSea",
    tuple(
        Protocol(
            name,
            _READ,
            {EVERYWHERE: some},
            orders=ORDERS,
            is_operator=True,
            operators={EVERYWHERE: _CONDUITS},
        )
        for name, some in ADDRESSES.items()
    ),
    sources=(
        "0x5b3256965e7c3cf26e11fcaf296dfc8807c01073",
        "0x8de9c5a032463c561423387a9648c5c7bcc5bc90",
        "0x34ba0f2379bf9b81d09f7259892e26a8b0885095",
        "0x0000a26b00c1f0df003000390027140000faa719",
    ),
    adapters={
        ETHEREUM: {
            # Orders for OpenSea's shared storefront name the adapter that Seaport calls in its place.
            "0xa604060890923ff400e8c6f5290461a83aedacec": "0x495f947276749ce646f68ac8c248420045cb7b5e"
        }
    },
)
