"""Archipelago, a market for Art Blocks on Ethereum.

``Trade``: ``cost`` is all that the buyer paid, the royalties that came on top of the price included; the seller got
``proceeds``. Before it ``RoyaltyPayment`` for each royalty, behind it ``TokenTrade`` for each token. The currency is a
token always: ether is wrapped for the buyer first, and may be unwrapped for the seller. Specified by
``ArchipelagoMarket.sol`` of the published contracts.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import Fault, Fill, Item, Payment, Side

TRADE = Event(
    "Trade(bytes32 indexed tradeId, address indexed buyer, address indexed seller, uint256 price, "
    "uint256 proceeds, uint256 cost, address currency)"
)
TOKEN_TRADE = Event(
    "TokenTrade(bytes32 indexed tradeId, address indexed tokenAddress, uint256 indexed tokenId)"
)
ROYALTY_PAYMENT = Event(
    "RoyaltyPayment(bytes32 indexed tradeId, address indexed payer, address indexed recipient, "
    "uint256 micros, uint256 amount, address currency)"
)

_Parts = Fill | Item | Payment


def fills(found: list[tuple[Told, _Parts]], around: Around) -> Iterator[Fill | Fault]:
    """Read the trades, one fill each; a trade of several tokens is a bundle."""
    trades: dict[str, tuple[Told, Fill]] = {}
    parts: dict[str, list[Item | Payment]] = {}
    for told, value in found:
        if isinstance(value, Fill):
            trades[told["tradeId"]] = told, value
        else:
            parts.setdefault(told["tradeId"], []).append(value)
    for trade_id, (told, fill) in trades.items():
        some = parts.get(trade_id, [])
        items = tuple(part for part in some if isinstance(part, Item))
        payments = tuple(part for part in some if isinstance(part, Payment) and part.amount)
        if items:
            yield fill._replace(items=items, payments=payments)
        else:
            yield told.fault("No TokenTrade tells what was traded.", fill.currency, fill.price)


def _trade(told: Told) -> _Parts:
    seller = told["seller"]
    if not told["proceeds"] <= told["price"] <= told["cost"]:
        raise UndecodableError("The proceeds are more than the price, or the price more than the cost.")
    # Both sides sign. Who calls is the one that takes what the other offered.
    side = Side.BID if told.around.transaction.sender == seller else Side.ASK
    return told.fill(side)._replace(
        seller=seller, buyer=told["buyer"], currency=told["currency"], price=told["cost"]
    )


def _token(told: Told) -> _Parts:
    return Item(told["tokenAddress"], told["tokenId"])


def _royalty(told: Told) -> _Parts:
    return Payment(told["currency"], told["amount"], told["recipient"])


_HANDLERS = {TRADE: _trade, TOKEN_TRADE: _token, ROYALTY_PAYMENT: _royalty}

MARKET = Market(
    "archipelago",
    "Archipelago",
    (
        Protocol(
            "archipelago",
            together(_HANDLERS, fills),
            {ETHEREUM: ("0x555598409fe9a72f0a5e423245c34555f6445555",)},
        ),
    ),
)
