"""Seaport 1.1 to 1.6, OpenSea's protocol, at one address each on every chain (``deployments.EVERYWHERE``).

``OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, SpentItem[] offer,
ReceivedItem[] consideration)`` for each order that is filled, in whole or in part (the amounts are those of this fill).
``SpentItem`` is ``(uint8 itemType, address token, uint256 identifier, uint256 amount)``, ``ReceivedItem`` has an
``address recipient`` behind these. Item types: 0 native, 1 ERC-20, 2 ERC-721, 3 ERC-1155, 4 and 5 the same with
criteria (the event names the token that was chosen). It stands before the transfers where a basic order is filled or
several orders are (``fulfillAvailable…``, ``match…``), behind them where a single one is.

From 1.2 on ``OrdersMatched(bytes32[] orderHashes)`` follows the orders that were matched with each other, before their
transfers; 1.1 shows them by having no recipient.

Specified by ``ConsiderationEventsAndErrors`` and ``ConsiderationStructs`` of Seaport's published source; when they are
emitted: ``BasicOrderFulfiller``, ``OrderFulfiller`` and ``OrderCombiner`` there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.markets.seaport_matches import matched
from indexing.judge.markets.seaport_orders import Order, ask, bid, caller_of, hashes, order
from indexing.judge.sales import Fault, Fill
from indexing.node.logs import RawLog

ORDER_FULFILLED = "0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31"
ORDERS_MATCHED = "0x4b9f2d36e1b4c93de62cc077b00b1a91d84b6c31b4a14e012718dcca230689e7"
_READERS: Mapping[str, Callable[[RawLog], Order | tuple[str, ...]]] = {
    ORDER_FULFILLED: order,
    ORDERS_MATCHED: hashes,
}


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that one Seaport contract filled; those matched with each other are one fill a sale.

    An order that gives NFTs for money is an ask, one that gives money for NFTs a bid; one that gives NFTs and wants
    NFTs is an exchange; one that gives NFTs and wants nothing is a fill of price 0. One without NFTs is none.
    """
    orders: list[Order] = []
    matches: list[list[Order]] = []
    for found in each(logs, _READERS, deployment):
        if isinstance(found, Fault):
            yield found
        elif isinstance(found[1], Order):
            orders.append(found[1])
        else:
            matches.append(_taken(orders, found[1]))
    matches.append([one for one in orders if caller_of(one) is None])
    for one in orders:
        if caller_of(one) is not None and one.gives:
            yield ask(one, one.recipient, deployment, around)
        elif caller_of(one) is not None and one.wants:
            yield bid(one, one.recipient, deployment, around)
    for together in matches:
        yield from matched(together, deployment, around)


def _taken(orders: list[Order], named: Sequence[str]) -> list[Order]:
    """Take the newest orders with these hashes out of a list: one that was filled before, in part, was not matched."""
    wanted = Counter(named)
    taken = []
    for place in range(len(orders) - 1, -1, -1):
        if wanted[orders[place].hash]:
            wanted[orders[place].hash] -= 1
            taken.append(orders.pop(place))
    return taken[::-1]
