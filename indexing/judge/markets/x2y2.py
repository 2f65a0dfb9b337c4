"""X2Y2, one exchange on Ethereum (``X2Y2_r1``, behind a proxy).

``EvInventory`` for everything that becomes of an item of an order. A fee's percentage is in millionths of the price.

- Ops: 1 an ask is filled (the taker buys), 2 a bid is accepted (the maker buys), 3 cancelled, 4 a bid in an auction
  (the first one puts the NFTs into custody), 5 an auction completed (by anybody, so that the event does not name the
  buyer), 6 and 7 an auction given up.
- What is paid is the price of the detail; that of the order's item is its least one.
- Delegate type 1 moves ERC-721, the data is ``(address token, uint256 tokenId)[]``; type 2 moves ERC-1155, with a
  ``uint256 amount`` behind. More than one is a bundle. Where a bid leaves the token open (``dataMask``), the exchange
  has put the chosen one into the data before it emits them.
- Currency 0 is native.

``EvProfit`` comes before it where something was sold: what the seller got. That is the price less the fees, in an
auction also less what the former bidder was given (``bidIncentivePct`` of the price). Specified by ``X2Y2_r1.sol``,
``MarketConsts.sol``, ``ERC721Delegate.sol`` and ``ERC1155Delegate.sol`` of the verified source.

``EvCancel`` ends an order that was signed. The delegates move what is sold, by the makers' approval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError, address, number, structs
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.order_reading import CANCELLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import Fault, Fill, Item, Payment, Role, Side
from transfers.ledger.order_facts import OrderEvent

EV_INVENTORY = Event(
    "EvInventory(bytes32 indexed itemHash, address maker, address taker, uint256 orderSalt, "
    "uint256 settleSalt, uint256 intent, uint256 delegateType, uint256 deadline, address currency, "
    "bytes dataMask, (uint256 price, bytes data) item, (uint8 op, uint256 orderIdx, uint256 itemIdx, "
    "uint256 price, bytes32 itemHash, address executionDelegate, bytes dataReplacement, "
    "uint256 bidIncentivePct, uint256 aucMinIncrementPct, uint256 aucIncDurationSecs, "
    "(uint256 percentage, address to)[] fees) detail)"
)
EV_CANCEL = Event("EvCancel(bytes32 indexed itemHash)")
EV_PROFIT = Event("EvProfit(bytes32 itemHash, address currency, address to, uint256 amount)")

_ASK_FILLED, _BID_ACCEPTED, _AUCTION_COMPLETED = 1, 2, 5
_OPS = range(1, 8)
_SIDES = {_ASK_FILLED: Side.ASK, _BID_ACCEPTED: Side.BID, _AUCTION_COMPLETED: Side.AUCTION}
_ERC721, _ERC1155 = 1, 2
_PAIR_WORDS = {_ERC721: 2, _ERC1155: 3}
_WHOLE = 10**6


class _Profit(NamedTuple):
    """One ``EvProfit``."""

    item_hash: str
    amount: int


_FEES = "0xd823c605807cc5e6bd6fc0d7e4eea50d3e2d66cd"
"""Gets the exchange's own fee: it is among the receivers of every recorded sale. Any others get royalties."""


class _Settlement(NamedTuple):
    """One ``EvInventory`` by which something was sold."""

    side: Side
    maker: str
    taker: str
    currency: str
    items: tuple[Item, ...]
    price: int
    incentive: int
    """What the former bidder gets of the winning bid, in millionths."""
    fees: list[tuple[int, str]]
    """In millionths, and who gets them."""


def fills(found: list[tuple[Told, _Settlement | _Profit | None]], around: Around) -> Iterator[Fill | Fault]:
    """Read what the exchange sold, one fill an item of an order; a bid in an auction or its refund is none."""
    profits: dict[str, int] = {}
    for told, value in found:
        if isinstance(value, _Profit):
            profits[value.item_hash] = value.amount
        elif value is not None:
            yield from _fill(told, value, profits)


def _fill(told: Told, one: _Settlement, profits: Mapping[str, int]) -> Iterator[Fill | Fault]:
    """Yield the fill; the price of an auction that no profit bears out cannot be told, which is a fault.

    It was paid when it was bid, and no contract checks the one that is told when the auction is completed. What the
    seller got is certain.
    """
    seller = one.taker if one.side is Side.BID else one.maker
    fees = [Payment(one.currency, one.price * part // _WHOLE, receiver) for part, receiver in one.fees]
    price, proceeds, is_told = one.price, one.price - sum(fee.amount for fee in fees), True
    if one.side is Side.AUCTION:
        got = profits.get(told["itemHash"], 0)
        is_told = got in (proceeds, proceeds - one.price * one.incentive // _WHOLE)
        proceeds = got
        if not is_told:
            price, fees = 0, []
    yield told.fill(one.side)._replace(
        seller=seller,
        buyer={Side.ASK: one.taker, Side.BID: one.maker}.get(one.side),
        items=one.items,
        currency=one.currency,
        price=price,
        payments=tuple(paid for paid in (Payment(one.currency, proceeds, seller), *fees) if paid.amount),
        roles=tuple(
            (receiver, Role.PROTOCOL if receiver == _FEES else Role.ROYALTY) for _, receiver in one.fees
        ),
        order_hashes=(told["itemHash"],),
        unpriced=not is_told and proceeds > 0,
        escrowed=one.side is Side.AUCTION,
    )
    if not is_told:
        reason = f"The price does not go with the {proceeds} that the seller got."
        yield told.fault(reason, one.currency, one.price)


def _profit(told: Told) -> _Profit:
    return _Profit(told["itemHash"], told["amount"])


def _settlement(told: Told) -> _Settlement | None:
    """Read an ``EvInventory``; ``None`` where nothing was sold by it."""
    detail = told["detail"]
    op = detail["op"]
    if op not in _OPS:
        raise UndecodableError(f"An op {op}, which X2Y2 does not have.")
    if op not in _SIDES:
        return None
    fees = [(fee["percentage"], fee["to"]) for fee in detail["fees"]]
    if sum(part for part, _ in fees) > _WHOLE:
        raise UndecodableError("The fees are more than the price.")
    return _Settlement(
        side=_SIDES[op],
        maker=told["maker"],
        taker=told["taker"],
        currency=told["currency"],
        items=_items(told["item"]["data"], told["delegateType"]),
        price=detail["price"],
        incentive=detail["bidIncentivePct"],
        fees=fees,
    )


def _items(data: bytes, delegate: int) -> tuple[Item, ...]:
    words = _PAIR_WORDS.get(delegate)
    if words is None:
        raise UndecodableError(f"Items of the delegate type {delegate}, which X2Y2 does not have.")
    start, count = structs(data, 0, words)
    items = tuple(
        Item(
            address(data, at),
            number(data, at + 32),
            number(data, at + 64) if words > _PAIR_WORDS[_ERC721] else 1,
        )
        for at in range(start, start + 32 * words * count, 32 * words)
    )
    if not items or not all(item.amount for item in items):
        raise UndecodableError("An order of nothing: no item, or no units of one.")
    return items


_HANDLERS: dict[Event, Callable[[Told], _Settlement | _Profit | None]] = {
    EV_INVENTORY: _settlement,
    EV_PROFIT: _profit,
}


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=said["itemHash"])


_ORDERS = OrderReader({EV_CANCEL: _cancelled})
# ``ERC721Delegate`` and ``ERC1155Delegate``, as Reservoir's published router has them.
_DELEGATES = {
    ETHEREUM: ("0xf849de01b080adc3a814fabe1e2087475cf2e354", "0x024ac22acdb367a3ae52a3d94ac6649fdc1f0779")
}
_ADDRESSES = ("0x74312363e45dcaba76c59ec49a7aa8a65a67eed3",)

MARKET = Market(
    "x2y2",
    "X2Y2",
    (
        Protocol(
            "x2y2", together(_HANDLERS, fills), {ETHEREUM: _ADDRESSES}, orders=_ORDERS, operators=_DELEGATES
        ),
    ),
)
