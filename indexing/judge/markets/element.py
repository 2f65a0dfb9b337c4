"""Element, on many chains: an exchange that grew out of 0x 4's orders for NFTs.

The maker of a sell order sells, that of a buy order buys. The amount is all that the buyer pays, fees included. 0xeeee…
is the native currency. Basic orders and batches emit the same events. Its first version (2022) had other events, with
the amount that the seller gets: fees come on top and are in no event, as at 0x.

Orders are cancelled as at 0x, or all of a maker's at once by ``HashNonceIncremented``: those of another hash nonce.

Specified by ``IERC721OrdersEvent.sol``, ``IERC1155OrdersEvent.sol``, ``ERC721OrdersFeature.sol`` and
``BatchListingOrdersFeature.sol`` of the published element contracts, and the verified source of the first version.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ARBITRUM, BASE, BSC, ETHEREUM, POLYGON, Market, Protocol
from indexing.judge.markets.gross import on_top
from indexing.judge.markets.order_reading import OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.markets.zeroex import (
    ERC721_ORDER_CANCELLED,
    ERC1155_ORDER_CANCELLED,
    cancelled,
    currency,
    item,
    matched,
    used,
)
from indexing.judge.verdicts import Fault, Fill, Payment, Role, Side
from transfers.ledger.order_facts import NonceRule, OrderEvent

_ORDER = (
    "bytes32 orderHash, address maker, address taker, uint256 nonce, address erc20Token, uint256 price, "
    "(address recipient, uint256 amount)[] fees, address token, uint256 tokenId"
)
ERC721_SELL = Event(f"ERC721SellOrderFilled({_ORDER})")
ERC721_BUY = Event(f"ERC721BuyOrderFilled({_ORDER})")
ERC1155_SELL = Event(f"ERC1155SellOrderFilled({_ORDER}, uint128 units)")
ERC1155_BUY = Event(f"ERC1155BuyOrderFilled({_ORDER}, uint128 units)")

_FIRST = "address maker, address taker, address erc20Token, uint256 price, address token, uint256 tokenId"
ERC721_SELL_FIRST = Event(f"ERC721SellOrderFilled({_FIRST}, bytes32 orderHash)")
ERC721_BUY_FIRST = Event(f"ERC721BuyOrderFilled({_FIRST}, bytes32 orderHash)")
ERC1155_SELL_FIRST = Event(f"ERC1155SellOrderFilled({_FIRST}, uint128 units, bytes32 orderHash)")
ERC1155_BUY_FIRST = Event(f"ERC1155BuyOrderFilled({_FIRST}, uint128 units, bytes32 orderHash)")

HASH_NONCE_INCREMENTED = Event("HashNonceIncremented(address maker, uint256 newHashNonce)")


def fills(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read the orders that the exchange filled."""
    yield from (fill for told, fill in found if told.event not in _FIRST_EVENTS)
    yield from on_top(matched([fill for told, fill in found if told.event in _FIRST_EVENTS]), around)


def _fill(told: Told) -> Fill:
    paid_in, price = currency(told["erc20Token"]), told["price"]
    fees = [Payment(paid_in, fee["amount"], fee["recipient"]) for fee in told["fees"]]
    if sum(fee.amount for fee in fees) > price:
        raise UndecodableError("The fees are more than the price that includes them.")
    return _sold(told)._replace(payments=tuple(fee for fee in fees if fee.amount), rest=Role.SELLER)


def _first(told: Told) -> Fill:
    return _sold(told)._replace(surcharges=(0,))


def _sold(told: Told) -> Fill:
    is_ask = "Sell" in told.event.name
    parties = told["maker"], told["taker"]
    seller, buyer = parties if is_ask else parties[::-1]
    return told.fill(Side.ASK if is_ask else Side.BID)._replace(
        seller=seller,
        buyer=buyer,
        items=(item(told),),
        currency=currency(told["erc20Token"]),
        price=told["price"],
        order_hashes=(told["orderHash"],),
    )


_FIRST_EVENTS = (ERC721_SELL_FIRST, ERC721_BUY_FIRST, ERC1155_SELL_FIRST, ERC1155_BUY_FIRST)


def _hash_nonce_incremented(said: Said) -> Iterator[OrderEvent]:
    yield said.bulk_ended(said["maker"], NonceRule.ALL, said["newHashNonce"])


_ORDERS = OrderReader(
    {
        ERC721_ORDER_CANCELLED: cancelled,
        ERC1155_ORDER_CANCELLED: cancelled,
        HASH_NONCE_INCREMENTED: _hash_nonce_incremented,
        ERC721_SELL: used,
        ERC721_BUY: used,
    }
)
_HANDLERS = {
    **dict.fromkeys((ERC721_SELL, ERC721_BUY, ERC1155_SELL, ERC1155_BUY), _fill),
    **dict.fromkeys(_FIRST_EVENTS, _first),
}
_ADDRESSES = {
    ETHEREUM: ("0x20f780a973856b93f63670377900c1d2a50a77c4",),
    POLYGON: ("0xeaf5453b329eb38be159a872a6ce91c9a8fb0260",),
    BASE: ("0xa39a5f160a1952ddf38781bd76e402b0006912a9",),
    ARBITRUM: ("0x18cd9270dbdca86d470cfb3be1b156241fffa9de",),
    BSC: ("0xb3e3dfcb2d9f3dde16d78b9e6eb3538eb32b5ae1",),
}

MARKET = Market(
    "element",
    "Element",
    (Protocol("element", together(_HANDLERS, fills), _ADDRESSES, orders=_ORDERS, is_operator=True),),
)
