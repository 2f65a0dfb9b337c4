"""The events of both of Blur's exchanges, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets.currencies import ETHER, ONE_ETHER
from tests.markets.emitting import Emitted

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

    def told(self) -> tuple[Any, ...]:
        """The struct; one byte of `extraParams`, as Blur's have."""
        what = (self.trader, self.side, POLICY, self.collection, self.token_id, self.amount, self.currency)
        return (*what, self.price, self.listed, self.listed + 86_400, self.fees, 1234, b"\1")


_MATCHED = Emitted(
    f"OrdersMatched(address indexed maker, address indexed taker, {_ORDER} sell, bytes32 sell_hash, "
    f"{_ORDER} buy, bytes32 buy_hash)",
    BLUR,
    sell_hash="5e" * 32,
    buy_hash="b0" * 32,
)


def orders_matched(sell: Order, buy: Order, *, maker: str | None = None, **of: Any) -> RawLog:
    """`OrdersMatched`: the order that was listed first is the maker's."""
    makers = (sell.trader, buy.trader) if sell.listed <= buy.listed else (buy.trader, sell.trader)
    return _MATCHED(maker=maker or makers[0], taker=makers[1], sell=sell.told(), buy=buy.told(), **of)


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
    trader: str = BOB,
    side: int = ASK,
    price: int = ONE_ETHER,
    token_id: int = 7,
    collection: str = APES,
    listing: int = 0,
    maker_fee: tuple[int, str] | None = None,
    taker_fee: tuple[int, str] | None = None,
    order: str = "5e" * 32,
    **of: Any,
) -> RawLog:
    """`Execution721Packed`, or its form with the one fee that is given: rate and receiver."""
    told = [order, f"{token_id:022x}{listing:02x}{trader[2:]}", f"{side:02x}{price:022x}{collection[2:]}"]
    if fee := maker_fee or taker_fee:
        told.append(f"{fee[0]:024x}{fee[1][2:]}")
    kind = "MakerFee" if maker_fee else "TakerFee" if taker_fee else ""
    names = [f"word_{place}" for place in range(len(told))]
    fields = ", ".join(f"{'uint256' if place else 'bytes32'} {name}" for place, name in enumerate(names))
    return Emitted(f"Execution721{kind}Packed({fields})", BLUR_2, " ".join(names))(*told, **of)


_EXECUTION = Emitted(
    "Execution((address trader, uint256 token_id, uint256 amount, address collection, uint8 kind), bytes32 order, "
    "uint256 listing, uint256 price, (address,uint16) maker_fee, ((address,uint16),(address,uint16)) fees, "
    "uint8 side)",
    BLUR_2,
    trader=BOB,
    order="5e" * 32,
    price=ONE_ETHER,
    side=ASK,
)


def execution(
    *,
    maker_fee: tuple[int, str] = (0, ZERO),
    taker_fee: tuple[int, str] = (0, ZERO),
    protocol_fee: tuple[int, str] = (0, ZERO),
    **of: Any,
) -> RawLog:
    """`Execution`: an ERC-721 (kind 0) has no amount in it, an ERC-1155 (1) has."""
    return _EXECUTION(maker_fee=maker_fee[::-1], fees=(protocol_fee[::-1], taker_fee[::-1]), **of)


def cut(event: RawLog, octets: int) -> RawLog:
    """The same event without its last bytes."""
    return event._replace(data=event.data[:-octets])
