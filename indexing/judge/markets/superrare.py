"""SuperRare: the market within its first NFT contract, the two markets and the auction house after it, and the Bazaar.

- The first contract (``SupeRare``), where all fees are a part of the amount. The NFT is the emitter's own.
- The markets (``SuperRareMarketAuction``, ``SuperRareMarketAuctionV2``).
- The auction house (``SuperRareAuctionHouse``). Without a bid the bidder is the zero address and the NFT goes back: no
  sale.
- The Bazaar (``SuperRareBazaarStorage``), with the currency, 0 being native.

But for the first contract the buyer pays the marketplace's fee on top of the amount, which no event tells: 3
percent, as ``MarketplaceSettings`` is made with, rounded down. A buyer sends exactly amount and fee, so that
the value of a call to the market, or the token's logs, tell better where only one thing is bought. Bids were
paid in when they were made. Specified by the sources published in pixura-contracts and core. Versions of the
Bazaar that name an app in their events, and take no fee on top, are not known to be deployed and not read.

A set price is an order of whoever owns the NFT then, which sells again when it comes back, where the market is approved
to move it. It is shown with the fee on top. The Bazaar keeps one price for everybody and one for each buyer who has his
own; taking back any of them is told as the price 0 for everybody, so that the Bazaar has to be asked which is left. A
sale ends the buyer's own price and the one for everybody, an accepted offer that one. The price in the first contract
goes with the token, whoever holds it; how its ``SalePriceSet`` is indexed is known from copies of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.addresses import ZERO_ADDRESS
from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said, address_or_none
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side
from transfers.ledger.order_facts import OrderEvent

# What these say is named alike in all of them: there are many names for it in the sources.
_OLD = "address indexed buyer, address indexed seller, uint256 amount, uint256 indexed tokenId"
OLD_SOLD = Event(f"Sold({_OLD})")
OLD_ACCEPT_BID = Event(f"AcceptBid({_OLD})")
_MARKET = "address indexed contract, address indexed buyer, address indexed seller"
SOLD = Event(f"Sold({_MARKET}, uint256 amount, uint256 tokenId)")
ACCEPT_BID = Event(f"AcceptBid({_MARKET}, uint256 amount, uint256 tokenId)")
_AUCTION = "address indexed contract, address indexed buyer, address seller, uint256 indexed tokenId"
AUCTION_SETTLED = Event(f"AuctionSettled({_AUCTION}, uint256 amount)")
BAZAAR_SOLD = Event(f"Sold({_MARKET}, address currency, uint256 amount, uint256 tokenId)")
BAZAAR_ACCEPT_OFFER = Event(
    f"AcceptOffer({_MARKET}, address currency, uint256 amount, uint256 tokenId, address[] splitAddresses, "
    "uint8[] splitRatios)"
)
BAZAAR_AUCTION_SETTLED = Event(f"AuctionSettled({_AUCTION}, address currency, uint256 amount)")

OLD_SALE_PRICE_SET = Event("SalePriceSet(uint256 indexed tokenId, uint256 indexed amount)")
SET_SALE_PRICE = Event("SetSalePrice(address indexed contract, uint256 amount, uint256 tokenId)")
BAZAAR_SET_SALE_PRICE = Event(
    "SetSalePrice(address indexed contract, address indexed currency, address target, uint256 amount, "
    "uint256 tokenId, address[] splitRecipients, uint8[] splitRatios)"
)

_SIDES = {
    **dict.fromkeys((OLD_SOLD, SOLD, BAZAAR_SOLD), Side.ASK),
    **dict.fromkeys((OLD_ACCEPT_BID, ACCEPT_BID, BAZAAR_ACCEPT_OFFER), Side.BID),
    **dict.fromkeys((AUCTION_SETTLED, BAZAAR_AUCTION_SETTLED), Side.AUCTION),
}
_BOUGHT = (SOLD.topic, BAZAAR_SOLD.topic)
"""First topics of the events that a buyer's own call brings about."""

_FEE_PERCENT = 3
_MOST_FEE_PERCENT = 10
"""What is further above the amount is not amount and fee: whoever sends it does not buy at this market alone."""


def fills(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read what one of the contracts sold, one fill an event; an auction that nobody bid in is none."""
    for told, fill in found:
        if fill.buyer != ZERO_ADDRESS:
            has_fee = told.event not in (OLD_SOLD, OLD_ACCEPT_BID)
            yield fill._replace(price=_with_fee(told, fill)) if has_fee else fill


def _fill(told: Told) -> Fill:
    """Return a fill at the amount that the event tells."""
    side = _SIDES[told.event]
    return told.fill(side)._replace(
        seller=told["seller"],
        buyer=told["buyer"],
        items=(Item(told.get("contract", told.log.address), told["tokenId"]),),
        currency=told.get("currency", NATIVE),
        price=told["amount"],
        escrowed=side is not Side.ASK,
    )


def _with_fee(told: Told, fill: Fill) -> int:
    """Return amount and fee: as the buyer sent them, where that can be told apart, else by the usual fee."""
    logs = [one for one in told.around.transaction.logs if one.address == told.log.address]
    is_single = sum(bool(one.topics) and one.topics[0] in _BOUGHT for one in logs) == 1
    if is_single and told.event.topic in _BOUGHT:
        sent = _sent(told, fill)
        if fill.price <= sent <= fill.price + fill.price * _MOST_FEE_PERCENT // 100:
            return sent
    return _usual(fill.price)


def _usual(amount: int) -> int:
    """Return an amount with the usual fee."""
    return amount + amount * _FEE_PERCENT // 100


def _sent(told: Told, fill: Fill) -> int:
    """Return what the buyer sent to the market; 0 where a router paid native money in the buyer's place."""
    transaction, contract = told.around.transaction, told.log.address
    if fill.currency == NATIVE:
        return transaction.value if transaction.target == contract else 0
    return sum(
        one.amount
        for one in told.around.money
        if (one.currency, one.sender, one.receiver) == (fill.currency, fill.buyer, contract)
    )


def _price_set(said: Said) -> Iterator[OrderEvent]:
    is_first, is_bazaar = said.event is OLD_SALE_PRICE_SET, said.event is BAZAAR_SET_SALE_PRICE
    contract, token_id, amount = said.get("contract", said.log.address), said["tokenId"], said["amount"]
    taker = address_or_none(said.get("target", ZERO_ADDRESS))
    currency = said.get("currency", NATIVE)
    if amount:
        yield said.opened(
            contract,
            token_id,
            amount if is_first else _usual(amount),
            currency,
            taker=taker,
            operator=None if is_first else said.log.address,
            per_taker=is_bazaar,
        )
    else:
        yield said.ended(
            CANCELLED, contract=contract, token_id=token_id, per_taker=is_bazaar, is_vague=is_bazaar
        )


def _bought(said: Said) -> Iterator[OrderEvent]:
    yield from _over(said, FILLED)
    if said.event is BAZAAR_SOLD:
        nft = {"contract": said["contract"], "token_id": said["tokenId"]}
        yield said.ended(FILLED, **nft, taker=said["buyer"], per_taker=True)


def _over(said: Said, outcome: str) -> Iterator[OrderEvent]:
    yield said.ended(
        outcome,
        contract=said.get("contract", said.log.address),
        token_id=said["tokenId"],
        maker=said["seller"],
        per_taker=said.event in (BAZAAR_SOLD, BAZAAR_ACCEPT_OFFER),
    )


_ORDERS = OrderReader(
    {
        **dict.fromkeys((OLD_SALE_PRICE_SET, SET_SALE_PRICE, BAZAAR_SET_SALE_PRICE), _price_set),
        **dict.fromkeys((OLD_SOLD, SOLD, BAZAAR_SOLD), _bought),
        **dict.fromkeys(
            (OLD_ACCEPT_BID, ACCEPT_BID, BAZAAR_ACCEPT_OFFER), lambda said: _over(said, CANCELLED)
        ),
    }
)
_ADDRESSES = (
    "0x41a322b28d0ff354040e2cbc676f0320d8c8850d",  # the first NFT contract
    "0x2947f98c42597966a0ec25e92843c09ac17fbaa7",
    "0x65b49f7aee40347f5a90b714be4ef086f3fe5e2c",
    "0x8c9f364bf7a56ed058fc63ef81c6cf09c833e656",  # auctions
    "0x6d7c44773c52d396f43c2d511b81aa168e9a7a42",  # the Bazaar
)
_READ = together(dict.fromkeys(_SIDES, _fill), fills)

MARKET = Market(
    "superrare",
    "SuperRare",
    (Protocol("superrare", _READ, {ETHEREUM: _ADDRESSES}, orders=_ORDERS, is_operator=True),),
)
