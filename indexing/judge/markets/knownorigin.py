"""KnownOrigin's market for second sales of its own NFTs, version 3 (``KODAV3SecondaryMarketplace``, Ethereum).

``ListedForBuyNow`` offers a token at a price in wei, all fees in it, from a moment on; the market holds nothing, and
moves the token by the maker's approval. Specified by the published known-origin-contracts-v3. The market for first
sales lists editions, not tokens. Sales are not read here.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said
from transfers.ledger.order_facts import OrderEvent

LISTED_FOR_BUY_NOW = Event(
    "ListedForBuyNow(uint256 indexed tokenId, uint256 price, address currentOwner, uint256 startDate)"
)
BUY_NOW_PRICE_CHANGED = Event("BuyNowPriceChanged(uint256 indexed tokenId, uint256 price)")
TOKEN_DE_LISTED = Event("TokenDeListed(uint256 indexed tokenId)")
BUY_NOW_PURCHASED = Event(
    "BuyNowPurchased(uint256 indexed tokenId, address buyer, address currentOwner, uint256 price)"
)
CONVERT_FROM_BUY_NOW_TO_OFFERS = Event(
    "ConvertFromBuyNowToOffers(uint256 indexed tokenId, uint128 startDate)"
)

_TOKENS = "0xabb3738f04dc2ec20f4ae4462c3d069d02ae045b"


def _listed(said: Said) -> Iterator[OrderEvent]:
    yield said.opened(
        _TOKENS,
        said["tokenId"],
        said["price"],
        maker=said["currentOwner"],
        operator=said.log.address,
        valid_from=said["startDate"],
    )


def _repriced(said: Said) -> Iterator[OrderEvent]:
    yield said.repriced(said["price"], contract=_TOKENS, token_id=said["tokenId"])


def _over(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, contract=_TOKENS, token_id=said["tokenId"])


def _bought(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(FILLED, contract=_TOKENS, token_id=said["tokenId"], maker=said["currentOwner"])


_ORDERS = OrderReader(
    {
        LISTED_FOR_BUY_NOW: _listed,
        BUY_NOW_PRICE_CHANGED: _repriced,
        TOKEN_DE_LISTED: _over,
        CONVERT_FROM_BUY_NOW_TO_OFFERS: _over,
        BUY_NOW_PURCHASED: _bought,
    }
)
_ADDRESSES = {ETHEREUM: ("0x0eb65b4c3d3de340e1b15384f8f211784247a37a",)}

MARKET = Market(
    "knownorigin",
    "KnownOrigin",
    (Protocol("knownorigin-3", None, _ADDRESSES, orders=_ORDERS, is_operator=True),),
)
