"""The events of both of Blur's exchanges, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO, log, word
from tests.markets.building import ETHER, ONE_ETHER

BLUR = "0x000000000000ad05ccc4f10045630fb830b95127"
BLUR_2 = "0xb2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5"
BLUR_2_ON_BLAST = "0x0f41639352b190f352baddd32856038f1c230ced"
POOL_ON_BLAST = "0xb772d5c5f4a2eef67dfbc89aa658d2711341b8e5"
AGGREGATOR = "0x39da41747a83aee658334415666f3ef92dd0d541"
BLEND = "0x29469395eaf6f95920e59f858042f0e28d98a20b"
POLICY = "0x" + "90" * 20
BUY, SELL = 0, 1
ASK, BID = 0, 1

_ORDER = (
    "(address,uint8,address,address,uint256,uint256,address,uint256,uint256,uint256,(uint16,address)[],"
    "uint256,bytes)"
)
_FEE = "(address,uint16)"


class Order(NamedTuple):
    """An order of the first exchange."""

    trader: str = BOB
    side: int = SELL
    collection: str = APES
    token_id: int = 7
    amount: int = 1
    currency: str = ETHER
    price: int = ONE_ETHER
    listed: int = 1_699_999_000
    fees: tuple[tuple[int, str], ...] = ()

    def encoded(self) -> str:
        """The struct, its own offsets counted from where it starts; one byte of `extraParams`, as Blur's have."""
        fees = word(len(self.fees)) + "".join(word(rate) + word(receiver) for rate, receiver in self.fees)
        head: list[int | str] = [
            self.trader,
            self.side,
            POLICY,
            self.collection,
            self.token_id,
            self.amount,
            self.currency,
        ]
        head += [self.price, self.listed, self.listed + 86_400, 13 * 32, 1234, 13 * 32 + len(fees) // 2]
        return "".join(map(word, head)) + fees + word(1) + "01".ljust(64, "0")


def orders_matched(
    sell: Order, buy: Order, *, index: int, maker: str | None = None, contract: str = BLUR
) -> RawLog:
    """`OrdersMatched`: the order that was listed first is the maker's."""
    makers = (sell.trader, buy.trader) if sell.listed <= buy.listed else (buy.trader, sell.trader)
    first = sell.encoded()
    data = word(128) + "5e" * 32 + word(128 + len(first) // 2) + "b0" * 32 + first + buy.encoded()
    topics = [maker or makers[0], makers[1]]
    signature = f"OrdersMatched(address,address,{_ORDER},bytes32,{_ORDER},bytes32)"
    return log(signature, topics, data, contract=contract, index=index)


def pair(
    *,
    seller: str = BOB,
    buyer: str = ALICE,
    side: int = ASK,
    fees: Sequence[tuple[int, str]] = (),
    buyer_fees: Sequence[tuple[int, str]] = (),
    token_id: int = 7,
    price: int = ONE_ETHER,
    currency: str = ETHER,
    collection: str = APES,
) -> tuple[Order, Order]:
    """Two orders that fit each other, the seller's listed first for an ask, the buyer's for a bid."""
    sell = Order(seller, SELL, collection, token_id, 1, currency, price, fees=tuple(fees))
    buy = Order(buyer, BUY, collection, token_id, 1, currency, price, fees=tuple(buyer_fees))
    late = sell.listed + 60
    return (sell, buy._replace(listed=late)) if side == ASK else (sell._replace(listed=late), buy)


def packed(
    *,
    trader: str,
    side: int,
    price: int = ONE_ETHER,
    token_id: int = 7,
    collection: str = APES,
    listing: int = 0,
    index: int,
    maker_fee: tuple[int, str] | None = None,
    taker_fee: tuple[int, str] | None = None,
    order: str = "5e" * 32,
    contract: str = BLUR_2,
) -> RawLog:
    """`Execution721Packed`, or its form with the one fee that is given: rate and receiver."""
    data = order + f"{token_id:022x}{listing:02x}{trader[2:]}" + f"{side:02x}{price:022x}{collection[2:]}"
    if fee := maker_fee or taker_fee:
        data += f"{fee[0]:024x}{fee[1][2:]}"
    kind = "MakerFee" if maker_fee else "TakerFee" if taker_fee else ""
    words = "bytes32,uint256,uint256,uint256" if kind else "bytes32,uint256,uint256"
    return log(f"Execution721{kind}Packed({words})", data=data, contract=contract, index=index)


def execution(
    *,
    trader: str,
    side: int,
    index: int,
    price: int = ONE_ETHER,
    token_id: int = 7,
    amount: int = 0,
    collection: str = APES,
    kind: int = 0,
    maker_fee: tuple[int, str] = (0, ZERO),
    taker_fee: tuple[int, str] = (0, ZERO),
    protocol_fee: tuple[int, str] = (0, ZERO),
    contract: str = BLUR_2,
) -> RawLog:
    """`Execution`: an ERC-721 (kind 0) has no amount in it, an ERC-1155 (1) has."""
    fees = "".join(word(receiver) + word(rate) for rate, receiver in (maker_fee, protocol_fee, taker_fee))
    transfer: list[int | str] = [trader, token_id, amount, collection, kind]
    data = "".join(map(word, transfer)) + "5e" * 32
    data += word(0) + word(price) + fees + word(side)
    struct = "(address,uint256,uint256,address,uint8)"
    signature = f"Execution({struct},bytes32,uint256,uint256,{_FEE},({_FEE},{_FEE}),uint8)"
    return log(signature, data=data, contract=contract, index=index)


def cut(event: RawLog, octets: int) -> RawLog:
    """The same event without its last bytes."""
    return event._replace(data=event.data[:-octets])
