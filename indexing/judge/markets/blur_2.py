"""Blur's second exchange, since July 2023, on Ethereum and Blast.

One event for each listing that ``takeAsk``, ``takeBid``, their ``…Single`` and ``…Pool`` forms filled:

- ``Execution``. Asset types: 0 ERC-721 (its amount is left at 0), 1 ERC-1155.
- ``Execution721Packed`` where an ERC-721's numbers are small and there are no fees. From the highest byte on,
  ``tokenIdListingIndexTrader`` holds the token (11 bytes), the index (1) and the trader (20), ``collectionPriceSide``
  the order's type (1), the price (11), the collection (20).
- ``Execution721TakerFeePacked`` and ``Execution721MakerFeePacked``: the same with a third word for the one fee that
  there is, the rate above the recipient's 20 bytes.

``orderHash`` is of a list of orders, one for several NFTs: it names no ask. Order types: 0 an ask, 1 a bid. ``trader``
made the order: the seller of an ask, the buyer of a bid; who took it shows in the NFT's log only.
The price is that of all units. Whoever made the order pays the maker's fee, whoever took it the taker's; the protocol's
comes out of the price. So what the buyer pays is the price and the taker's fee for an ask, the price and the maker's
fee for a bid. Asks are paid in ether, bids in the pool's. All NFTs of a call move before its first event.
Where one call fills several listings, the maker's rate is computed back from its fee, rounded down: it is exact for
prices that are a multiple of 10,000 wei.
``CancelTrade`` ends a listing, or units of one, by its order's hash and its index; ``NonceIncremented`` is as in the
first exchange.
Specified by ``BlurExchangeV2``, ``Executor`` and ``Structs`` of Blur's published source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.blur import NONCE_INCREMENTED, nonce_incremented
from indexing.judge.markets.declaring import BLAST, ETHEREUM, Market, Protocol
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.order_reading import CANCELLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Payment, Role, Side
from transfers.ledger.order_facts import OrderEvent

_FEE = "(address recipient, uint16 rate)"
EXECUTION = Event(
    "Execution((address trader, uint256 id, uint256 amount, address collection, uint8 assetType) transfer, "
    f"bytes32 orderHash, uint256 listingIndex, uint256 price, {_FEE} makerFee, "
    f"({_FEE} protocolFee, {_FEE} takerFee) fees, uint8 orderType)"
)
_WORDS = "bytes32 orderHash, uint256 tokenIdListingIndexTrader, uint256 collectionPriceSide"
PACKED = Event(f"Execution721Packed({_WORDS})")
TAKER_FEE_PACKED = Event(f"Execution721TakerFeePacked({_WORDS}, uint256 takerFeeRecipientRate)")
MAKER_FEE_PACKED = Event(f"Execution721MakerFeePacked({_WORDS}, uint256 makerFeeRecipientRate)")
CANCEL_TRADE = Event("CancelTrade(address indexed user, bytes32 hash, uint256 index, uint256 amount)")

POOLS = {
    ETHEREUM: "0x0000000000a39bb272e79075ade125fd351887ac",
    BLAST: "0xb772d5c5f4a2eef67dfbc89aa658d2711341b8e5",
}
"""The pool whose ether bids are paid in, at par, by EIP-155 chain id."""

_SIDES = {0: Side.ASK, 1: Side.BID}
_ERC721, _ERC1155 = 0, 1
_BASIS_POINTS = 10_000
_MAX_RATE = 2**16 - 1


class _Fee(NamedTuple):
    recipient: str
    rate: int


_NO_FEE = _Fee(ZERO_ADDRESS, 0)


class _Execution(NamedTuple):
    """One event, of whichever form."""

    told: Told
    side: Side
    trader: str
    item: Item
    price: int
    maker_fee: _Fee = _NO_FEE
    taker_fee: _Fee = _NO_FEE
    protocol_fee: _Fee = _NO_FEE

    def part(self, fee: _Fee) -> int:
        """Return what a fee comes to."""
        return self.price * fee.rate // _BASIS_POINTS

    @property
    def delivery(self) -> Delivery:
        seller, buyer = (self.trader, None) if self.side is Side.ASK else (None, self.trader)
        return Delivery(self.told.log.log_index, *self.item, seller, buyer)


def fills(found: list[tuple[Told, _Execution]], around: Around) -> Iterator[Fill | Fault]:
    """Read what the exchange executed: one fill each."""
    places = delivered(around.moves, [one.delivery for _, one in found])
    for (_, one), place in zip(found, places, strict=True):
        if one.side is Side.BID and around.registry.chain_id not in POOLS:
            reason = "Which pool's ether bids are paid in is not known on this chain."
            yield one.told.fault(reason, price=one.price)
        else:
            yield _fill(one, place, around)


def _fill(one: _Execution, place: int | None, around: Around) -> Fill:
    seller, buyer = one.delivery.seller, one.delivery.buyer
    if place is not None:
        seller, buyer = around.moves[place].sender, around.moves[place].receiver
    if one.side is Side.ASK:
        currency, on_top = NATIVE, one.taker_fee
    else:
        currency, on_top = POOLS[around.registry.chain_id], one.maker_fee
    fees = (one.maker_fee, one.taker_fee, one.protocol_fee)
    return one.told.fill(one.side)._replace(
        seller=seller,
        buyer=buyer,
        items=(one.item,),
        currency=currency,
        price=one.price + one.part(on_top),
        payments=tuple(Payment(currency, one.part(fee), fee.recipient) for fee in fees if one.part(fee)),
        roles=(
            *((fee.recipient, Role.ROYALTY) for fee in fees[:2]),
            (one.protocol_fee.recipient, Role.PROTOCOL),
        ),
        rest=Role.SELLER,
        moves=() if place is None else (place,),
    )


def _execution(told: Told) -> _Execution:
    transfer = told["transfer"]
    kind = transfer["assetType"]
    if kind not in (_ERC721, _ERC1155):
        raise UndecodableError(f"An asset is of type {kind}, which Blur does not have.")
    amount = 1 if kind == _ERC721 else transfer["amount"]
    return _Execution(
        told,
        side=_side(told["orderType"]),
        trader=transfer["trader"],
        item=Item(transfer["collection"], transfer["id"], amount),
        price=told["price"],
        maker_fee=_fee(told["makerFee"]),
        protocol_fee=_fee(told["fees"]["protocolFee"]),
        taker_fee=_fee(told["fees"]["takerFee"]),
    )


def _packed(told: Told) -> _Execution:
    first, second = told["tokenIdListingIndexTrader"], told["collectionPriceSide"]
    return _Execution(
        told,
        side=_side(second >> 248),
        trader=_address(first),
        item=Item(_address(second), first >> 168),
        price=second >> 160 & 2**88 - 1,
    )


def _taker_fee_packed(told: Told) -> _Execution:
    return _packed(told)._replace(taker_fee=_packed_fee(told["takerFeeRecipientRate"]))


def _maker_fee_packed(told: Told) -> _Execution:
    return _packed(told)._replace(maker_fee=_packed_fee(told["makerFeeRecipientRate"]))


def _address(word: int) -> str:
    """Return the address in the lowest 20 bytes of a word."""
    return f"0x{word & 2**160 - 1:040x}"


def _packed_fee(word: int) -> _Fee:
    return _checked(_Fee(_address(word), word >> 160))


def _fee(fee: Fields) -> _Fee:
    return _checked(_Fee(fee["recipient"], fee["rate"]))


def _checked(fee: _Fee) -> _Fee:
    if fee.rate > _MAX_RATE:
        raise UndecodableError(f"A fee has the rate {fee.rate}, which does not fit 16 bits.")
    return fee


def _side(order_type: int) -> Side:
    if order_type not in _SIDES:
        raise UndecodableError(f"An order is of type {order_type}, which Blur does not have.")
    return _SIDES[order_type]


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(
        CANCELLED, order_hash=f"{said['hash']}:{said['index']}", maker=said["user"], units=said["amount"]
    )


_ORDERS = OrderReader({CANCEL_TRADE: _cancelled, NONCE_INCREMENTED: nonce_incremented})
# ``Delegate``, as Reservoir's SDK has it.
_DELEGATES = {
    ETHEREUM: ("0x2f18f339620a63e43f0839eeb18d7de1e1be4dfb",),
    BLAST: ("0x17d8a54d35842133b123a6e6fc57d51338a4aee5",),
}
_HANDLERS = {
    EXECUTION: _execution,
    PACKED: _packed,
    TAKER_FEE_PACKED: _taker_fee_packed,
    MAKER_FEE_PACKED: _maker_fee_packed,
}
_ADDRESSES = {
    ETHEREUM: ("0xb2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5",),
    BLAST: ("0x0f41639352b190f352baddd32856038f1c230ced",),
}

MARKET = Market(
    "blur",
    "Blur",
    (Protocol("blur-2", together(_HANDLERS, fills), _ADDRESSES, orders=_ORDERS, operators=_DELEGATES),),
    wrapped_native=POOLS,
)
