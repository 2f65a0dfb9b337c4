"""0x 4: orders for NFTs, of the exchange proxy on many chains.

Direction 0: the maker sells, 1: the maker buys. 0xeeee… is the native currency. The amount is what the seller gets; the
buyer pays the order's fees on top, which no event tells (see :mod:`indexing.judge.markets.gross`). ``matcher`` is not
zero where two orders were matched: then the seller's event comes first, the buyer's right behind it, and what the buyer
offered is paid whole. Specified by ``IERC721OrdersFeature.sol``, ``IERC1155OrdersFeature.sol`` and ``NFTOrders.sol`` of
the published zero-ex contracts. The proxy's other events are about tokens.

Orders are signed, each with a nonce of its own, in no order, by which it is cancelled. A filled order for an ERC-721
token uses up its nonce; one for units may be filled again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import (
    ARBITRUM,
    AVALANCHE,
    BASE,
    BSC,
    ETHEREUM,
    OPTIMISM,
    POLYGON,
    Market,
    Protocol,
)
from indexing.judge.markets.gross import on_top
from indexing.judge.markets.order_reading import FILLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side
from transfers.ledger.order_facts import NonceRule, OrderEvent

_ORDER = "uint8 direction, address maker, address taker, uint256 nonce, address erc20Token, uint256 price"
ERC721_ORDER_FILLED = Event(f"ERC721OrderFilled({_ORDER}, address token, uint256 tokenId, address matcher)")
ERC1155_ORDER_FILLED = Event(
    f"ERC1155OrderFilled({_ORDER}, address token, uint256 tokenId, uint128 units, address matcher)"
)
ERC721_ORDER_CANCELLED = Event("ERC721OrderCancelled(address maker, uint256 nonce)")
ERC1155_ORDER_CANCELLED = Event("ERC1155OrderCancelled(address maker, uint256 nonce)")

_ETHER = "0x" + "ee" * 20
_SELLS, _BUYS = 0, 1


def fills(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read the orders for NFTs that the proxy filled; two that were matched are one fill."""
    yield from on_top(matched([fill for _, fill in found]), around)


def matched(found: Sequence[Fill]) -> list[Fill]:
    """Return fills without the sellers' sides of orders that were matched: the buyer's side tells what was paid."""
    kept: list[Fill] = []
    for fill in found:
        before = kept[-1] if kept else None
        if (
            before is not None
            and (before.side, fill.side) == (Side.ASK, Side.BID)
            and (before.seller, before.buyer, before.items) == (fill.seller, fill.buyer, fill.items)
        ):
            kept[-1] = fill._replace(order_hashes=(*before.order_hashes, *fill.order_hashes))
        else:
            kept.append(fill)
    return kept


def currency(token: str) -> str:
    """Return a currency by its contract, which is 0xeeee… for the native one."""
    return NATIVE if token == _ETHER else token


def item(told: Told) -> Item:
    """Return the NFT of an order, or its units of an ERC-1155. Raises ``UndecodableError`` for none of them."""
    found = Item(told["token"], told["tokenId"], told.get("units", 1))
    if not found.amount:
        raise UndecodableError("An order of no units.")
    return found


def _fill(told: Told) -> Fill:
    direction = told["direction"]
    if direction not in (_SELLS, _BUYS):
        raise UndecodableError(f"A direction {direction}, which 0x does not have.")
    parties = told["maker"], told["taker"]
    seller, buyer = parties if direction == _SELLS else parties[::-1]
    told.check("matcher")
    return told.fill(Side.ASK if direction == _SELLS else Side.BID)._replace(
        seller=seller,
        buyer=buyer,
        items=(item(told),),
        currency=currency(told["erc20Token"]),
        price=told["price"],
        surcharges=(0,),
    )


def cancelled(said: Said) -> Iterator[OrderEvent]:
    """Read the end of the order with a nonce."""
    yield said.bulk_ended(said["maker"], NonceRule.LISTED, said["nonce"])


def used(said: Said) -> Iterator[OrderEvent]:
    """Read the end of all orders with the nonce of one that was filled."""
    yield said.bulk_ended(said["maker"], NonceRule.LISTED, said["nonce"], outcome=FILLED)


_ORDERS = OrderReader(
    {ERC721_ORDER_CANCELLED: cancelled, ERC1155_ORDER_CANCELLED: cancelled, ERC721_ORDER_FILLED: used}
)
_HANDLERS = {ERC721_ORDER_FILLED: _fill, ERC1155_ORDER_FILLED: _fill}
_PROXY = ("0xdef1c0ded9bec7f1a1670819833240f027b25eff",)
_ADDRESSES = {
    **dict.fromkeys((ETHEREUM, POLYGON, BASE, AVALANCHE, ARBITRUM, BSC), _PROXY),
    OPTIMISM: ("0xdef1abe32c034e558cdd535791643c58a13acc10",),
}

MARKET = Market(
    "zeroex",
    "0x",
    (Protocol("0x-4", together(_HANDLERS, fills), _ADDRESSES, orders=_ORDERS, is_operator=True),),
)
