"""One sale, written log by log as each market does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO
from tests.markets import (
    blur_events,
    looksrare_events,
    punk_events,
    seaport_events,
    wyvern_events,
    x2y2_events,
)
from tests.markets.building import erc20, erc721, erc1155
from tests.markets.currencies import ETHER, POOL_ETHER, USDC, WETH

FEES = "0x" + "fe" * 20
COINS = "0x" + "c0" * 20
"""An ERC-1155 contract, whose one id everybody sells."""


class Sale(NamedTuple):
    """What was truly sold: the log of the leg that left the seller, gross price and currency, and where."""

    log_index: int
    price: int
    currency: str
    market: str


class Deal(NamedTuple):
    """A sale that is to be written. Amounts are in base units; the fee is on top of what the seller gets."""

    how: str
    net: int
    fee: int
    currency: str
    token_id: int
    units: int
    is_routed: bool

    @property
    def price(self) -> int:
        """Gross."""
        return self.net + self.fee

    @property
    def nft(self) -> tuple[str, int]:
        """What is sold, by contract and id: one ape, or units of the one coin."""
        return (COINS, 1) if self.units > 1 else (APES, self.token_id)


@dataclass
class Writer:
    """Logs that are written one behind the other, and who holds what by then."""

    logs: list[RawLog] = field(default_factory=list)
    sales: list[Sale] = field(default_factory=list)
    malformed: int = 0
    """Events that cannot be read."""

    @property
    def index(self) -> int:
        """Of the next log; there are gaps, for logs that tell nothing."""
        return 2 * len(self.logs) + 1

    def write(self, make: Callable[..., RawLog], *values: object, **named: object) -> int:
        """Write a log, and return its index."""
        index = self.index
        self.logs.append(make(*values, index=index, **named))
        return index

    def pay(self, currency: str, amount: int, sender: str, receiver: str) -> None:
        """Write a payment; native money leaves no log."""
        if currency != ETHER and amount:
            self.write(erc20, currency, amount, sender, receiver)

    def move(self, deal: Deal, seller: str, buyer: str) -> int:
        """Write the transfer of what a deal is about."""
        if deal.units > 1:
            return self.write(erc1155, *deal.nft, deal.units, seller, buyer)
        return self.write(erc721, *deal.nft, seller, buyer)


def _item(deal: Deal, receiver: str = ZERO) -> seaport_events.Item:
    return seaport_events.nft_item(*deal.nft, receiver, amount=deal.units, kind=3 if deal.units > 1 else 2)


def _money(deal: Deal, amount: int, receiver: str = ZERO) -> seaport_events.Item:
    if deal.currency == ETHER:
        return seaport_events.paid(amount, receiver)
    return seaport_events.erc20_item(deal.currency, amount, receiver)


def _seaport_ask(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    asked = [_money(deal, deal.net, seller), *([_money(deal, deal.fee, FEES)] if deal.fee else [])]
    event = {"offerer": seller, "recipient": buyer, "offer": [_item(deal)], "consideration": asked}
    to.write(seaport_events.order_fulfilled, **event)
    at = to.move(deal, seller, buyer)
    to.pay(deal.currency, deal.net, buyer, seller)
    to.pay(deal.currency, deal.fee, buyer, FEES)
    return at


def _seaport_bid(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    wanted = [_item(deal, buyer), *([_money(deal, deal.fee, FEES)] if deal.fee else [])]
    to.pay(deal.currency, deal.price, buyer, seller)
    at = to.move(deal, seller, buyer)
    to.pay(deal.currency, deal.fee, seller, FEES)
    event = {
        "offerer": buyer,
        "recipient": seller,
        "offer": [_money(deal, deal.price)],
        "consideration": wanted,
    }
    to.write(seaport_events.order_fulfilled, **event, contract=seaport_events.SEAPORT_16)
    return at


def _looksrare_1(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    to.pay(deal.currency, deal.fee, buyer, FEES)
    to.pay(deal.currency, deal.net, buyer, seller)
    at = to.move(deal, seller, buyer)
    (collection, token_id), of = (
        deal.nft,
        {"amount": deal.units, "price": deal.price, "currency": deal.currency},
    )
    parties = {"buyer": buyer, "seller": seller}
    to.write(looksrare_events.taker_bid_1, collection=collection, token_id=token_id, **parties, **of)
    return at


def _looksrare_2(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    at = to.move(deal, seller, buyer)
    to.pay(deal.currency, deal.net, buyer, seller)
    collection, token_id = deal.nft
    what = {"collection": collection, "token_ids": (token_id,), "amounts": (deal.units,)}
    paid = {"proceeds": (seller, deal.net), "fee": deal.fee, "currency": deal.currency}
    to.write(looksrare_events.trade_2, "TakerBid", buyer, buyer, **what, **paid)
    to.pay(deal.currency, deal.fee, buyer, FEES)
    return at


def _x2y2(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    market = x2y2_events.X2Y2
    to.pay(deal.currency, deal.price, buyer, market)
    at = to.move(deal, seller, buyer)
    to.pay(deal.currency, deal.price, market, seller)
    kind, units = (x2y2_events.ERC1155, (deal.units,)) if deal.units > 1 else (x2y2_events.ERC721, ())
    of = {"maker": seller, "taker": buyer, "pairs": [(*deal.nft, *units)], "delegate_type": kind}
    to.write(x2y2_events.ev_inventory, **of, price=deal.price, currency=deal.currency)
    return at


def _wyvern(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    to.pay(deal.currency, deal.price, buyer, seller)
    to.pay(deal.currency, deal.fee, seller, FEES)
    at = to.move(deal, seller, buyer)
    to.write(wyvern_events.ask_matched, seller, buyer, deal.price)
    return at


def _blur(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    to.pay(deal.currency, deal.price, buyer, seller)
    at = to.move(deal, seller, buyer)
    pair = blur_events.pair(
        seller=seller, buyer=buyer, token_id=deal.token_id, price=deal.price, currency=deal.currency
    )
    to.write(blur_events.orders_matched, *pair)
    return at


def _blur_2(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    at = to.move(deal, seller, buyer)
    side = blur_events.ASK if deal.currency == ETHER else blur_events.BID
    if side == blur_events.BID:
        to.pay(deal.currency, deal.price, buyer, seller)
    trader = seller if side == blur_events.ASK else buyer
    to.write(blur_events.packed, trader=trader, side=side, price=deal.price, token_id=deal.token_id)
    return at


def _punk(to: Writer, deal: Deal, seller: str, buyer: str) -> int:
    index = to.index
    to.logs += punk_events.buy_punk(deal.token_id, deal.price, seller, buyer, index=index)
    return index + 2


class Market(NamedTuple):
    """How a market's sales are written, in what they are paid, and whether it sells several units of an ERC-1155."""

    slug: str
    write: Callable[[Writer, Deal, str, str], int]
    """Of a deal, its seller and its buyer; returns the log index of the leg."""
    currencies: tuple[str, ...]
    has_units: bool


WRITERS = {
    "seaport ask": Market("opensea", _seaport_ask, (ETHER, WETH, USDC), True),
    "seaport bid": Market("opensea", _seaport_bid, (WETH, USDC), True),
    "looksrare 1": Market("looksrare", _looksrare_1, (WETH, USDC), True),
    "looksrare 2": Market("looksrare", _looksrare_2, (ETHER, WETH), True),
    "x2y2": Market("x2y2", _x2y2, (ETHER, WETH), True),
    "wyvern": Market("opensea", _wyvern, (ETHER, WETH, USDC), False),
    "blur": Market("blur", _blur, (ETHER, WETH, POOL_ETHER), False),
    "blur 2": Market("blur", _blur_2, (ETHER, POOL_ETHER), False),
    "punk": Market("cryptopunks", _punk, (ETHER,), False),
}
