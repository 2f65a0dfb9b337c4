"""Blur's second exchange, since July 2023: at 0xb2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5 on Ethereum, and at
0x0f41639352b190f352baddd32856038f1c230ced on Blast.

One event for each listing that ``takeAsk``, ``takeBid``, their ``…Single`` and ``…Pool`` forms filled:

- ``Execution(Transfer transfer, bytes32 orderHash, uint256 listingIndex, uint256 price, FeeRate makerFee, Fees fees,
  uint8 orderType)``, where ``Transfer`` is ``(address trader, uint256 id, uint256 amount, address collection,
  uint8 assetType)``, ``FeeRate`` ``(address recipient, uint16 rate)`` and ``Fees`` ``(FeeRate protocolFee,
  FeeRate takerFee)``: 15 words. Asset types: 0 ERC-721 (its amount is left at 0), 1 ERC-1155.
- ``Execution721Packed(bytes32 orderHash, uint256 tokenIdListingIndexTrader, uint256 collectionPriceSide)`` where an
  ERC-721's numbers are small and there are no fees. From the highest byte on, the first word holds the token (11
  bytes), the index (1) and the trader (20), the second one the order's type (1), the price (11), the collection (20).
- ``Execution721TakerFeePacked`` and ``Execution721MakerFeePacked``: the same with a third word for the one fee that
  there is, the rate above the recipient's 20 bytes.

No field is indexed. ``orderHash`` is of a list of orders, one for several NFTs: it names no ask. Order types: 0 an ask,
1 a bid. ``trader`` made the order: the seller of an ask, the buyer of a bid; who took it shows in the NFT's log only.
The price is that of all units. Whoever made the order pays the maker's fee, whoever took it the taker's; the protocol's
comes out of the price. So what the buyer pays is the price and the taker's fee for an ask, the price and the maker's
fee for a bid. Asks are paid in ether, bids in the pool's. All NFTs of a call move before its first event.
Where one call fills several listings, the maker's rate is computed back from its fee, rounded down: it is exact for
prices that are a multiple of 10,000 wei.
Specified by ``BlurExchangeV2``, ``Executor`` and ``Structs`` of Blur's published source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.words import UndecodableError, address, expect_topics, number
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

EXECUTION = "0xf2f66294df6fae7ac681cbe2f6d91c6904485929679dce263e8f6539b7d5c559"
PACKED = "0x1d5e12b51dee5e4d34434576c3fb99714a85f57b0fd546ada4b0bddd736d12b2"
TAKER_FEE_PACKED = "0x0fcf17fac114131b10f37b183c6a60f905911e52802caeeb3e6ea210398b81ab"
MAKER_FEE_PACKED = "0x7dc5c0699ac8dd5250cbe368a2fc3b4a2daadb120ad07f6cccea29f83482686e"

POOLS = {
    1: "0x0000000000a39bb272e79075ade125fd351887ac",
    81457: "0xb772d5c5f4a2eef67dfbc89aa658d2711341b8e5",
}
"""The pool whose ether bids are paid in, by EIP-155 chain id."""

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

    log_index: int
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
        return Delivery(self.log_index, *self.item, seller, buyer)


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what the exchange executed: one fill each."""
    readers = {
        EXECUTION: _execution,
        PACKED: _packed,
        TAKER_FEE_PACKED: _taker_fee_packed,
        MAKER_FEE_PACKED: _maker_fee_packed,
    }
    executions: list[_Execution] = []
    for read in each(logs, readers, deployment):
        if isinstance(read, Fault):
            yield read
        else:
            executions.append(read[1])
    places = delivered(around.moves, [one.delivery for one in executions])
    for one, place in zip(executions, places, strict=True):
        if one.side is Side.BID and around.registry.chain_id not in POOLS:
            reason = "Which pool's ether bids are paid in is not known on this chain."
            yield Fault(deployment.protocol, one.log_index, reason, price=one.price)
        else:
            yield _fill(one, place, deployment, around)


def _fill(one: _Execution, place: int | None, deployment: Deployment, around: Around) -> Fill:
    seller, buyer = one.delivery.seller, one.delivery.buyer
    if place is not None:
        seller, buyer = around.moves[place].sender, around.moves[place].receiver
    if one.side is Side.ASK:
        currency, on_top = NATIVE, one.taker_fee
    else:
        currency, on_top = POOLS[around.registry.chain_id], one.maker_fee
    fees = (one.maker_fee, one.taker_fee, one.protocol_fee)
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=one.log_index,
        side=one.side,
        seller=seller,
        buyer=buyer,
        items=(one.item,),
        currency=currency,
        price=one.price + one.part(on_top),
        payments=tuple(Payment(currency, one.part(fee), fee.recipient) for fee in fees if one.part(fee)),
        moves=() if place is None else (place,),
    )


def _execution(log: RawLog) -> _Execution:
    expect_topics(log, 1, "An execution")
    data, kind = log.data, number(log.data, 128)
    if kind not in (_ERC721, _ERC1155):
        raise UndecodableError(f"An asset is of type {kind}, which Blur does not have.")
    amount = 1 if kind == _ERC721 else number(data, 64)
    return _Execution(
        log_index=log.log_index,
        side=_side(number(data, 448)),
        trader=address(data, 0),
        item=Item(address(data, 96), number(data, 32), amount),
        price=number(data, 224),
        maker_fee=_fee(address(data, 256), number(data, 288)),
        protocol_fee=_fee(address(data, 320), number(data, 352)),
        taker_fee=_fee(address(data, 384), number(data, 416)),
    )


def _packed(log: RawLog) -> _Execution:
    expect_topics(log, 1, "An execution")
    number(log.data, 64)  # all three words are there
    data = log.data
    return _Execution(
        log_index=log.log_index,
        side=_side(data[64]),
        trader="0x" + data[44:64].hex(),
        item=Item("0x" + data[76:96].hex(), int.from_bytes(data[32:43], "big")),
        price=int.from_bytes(data[65:76], "big"),
    )


def _taker_fee_packed(log: RawLog) -> _Execution:
    return _packed(log)._replace(taker_fee=_packed_fee(log.data))


def _maker_fee_packed(log: RawLog) -> _Execution:
    return _packed(log)._replace(maker_fee=_packed_fee(log.data))


def _packed_fee(data: bytes) -> _Fee:
    return _fee("0x" + data[108:128].hex(), number(data, 96) >> 160)


def _fee(recipient: str, rate: int) -> _Fee:
    if rate > _MAX_RATE:
        raise UndecodableError(f"A fee has the rate {rate}, which does not fit 16 bits.")
    return _Fee(recipient, rate)


def _side(order_type: int) -> Side:
    if order_type not in _SIDES:
        raise UndecodableError(f"An order is of type {order_type}, which Blur does not have.")
    return _SIDES[order_type]
