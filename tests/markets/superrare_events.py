"""SuperRare's events, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, log, word, words

FIRST = "0x41a322b28d0ff354040e2cbc676f0320d8c8850d"
MARKET_1 = "0x2947f98c42597966a0ec25e92843c09ac17fbaa7"
MARKET_2 = "0x65b49f7aee40347f5a90b714be4ef086f3fe5e2c"
AUCTIONS = "0x8c9f364bf7a56ed058fc63ef81c6cf09c833e656"
BAZAAR = "0x6d7c44773c52d396f43c2d511b81aa168e9a7a42"


def moved_first(token_id: int, sender: str, receiver: str, *, index: int) -> RawLog:
    """A transfer by the first contract, which does not index the token."""
    return log(
        "Transfer(address,address,uint256)", [sender, receiver], word(token_id), contract=FIRST, index=index
    )


def of_first(name: str, *, buyer: str, seller: str, amount: int, index: int, token_id: int = 7) -> RawLog:
    """`Sold` or `AcceptBid` of the first contract."""
    signature = f"{name}(address,address,uint256,uint256)"
    return log(signature, [buyer, seller, token_id], word(amount), contract=FIRST, index=index)


def of_market(
    name: str,
    *,
    buyer: str,
    seller: str,
    amount: int,
    index: int,
    token_id: int = 7,
    contract: str = MARKET_2,
) -> RawLog:
    """`Sold` or `AcceptBid` of the markets."""
    signature = f"{name}(address,address,address,uint256,uint256)"
    return log(signature, [APES, buyer, seller], words(amount, token_id), contract=contract, index=index)


def auction_settled(*, bidder: str, seller: str, amount: int, index: int) -> RawLog:
    """The end of an auction of the auction house."""
    signature = "AuctionSettled(address,address,address,uint256,uint256)"
    return log(signature, [APES, bidder, 7], words(seller, amount), contract=AUCTIONS, index=index)


def bazaar_sold(*, buyer: str, seller: str, currency: str, amount: int, index: int) -> RawLog:
    """An NFT bought at its price in the Bazaar."""
    signature = "Sold(address,address,address,address,uint256,uint256)"
    data = words(currency, amount, 7)
    return log(signature, [APES, buyer, seller], data, contract=BAZAAR, index=index)


def bazaar_offer_accepted(*, buyer: str, seller: str, currency: str, amount: int, index: int) -> RawLog:
    """An accepted offer in the Bazaar; the seller keeps all of the proceeds."""
    signature = "AcceptOffer(address,address,address,address,uint256,uint256,address[],uint8[])"
    data = words(currency, amount, 7, 160, 224, 1, seller, 1, 100)
    return log(signature, [APES, buyer, seller], data, contract=BAZAAR, index=index)


def bazaar_auction_settled(*, bidder: str, seller: str, currency: str, amount: int, index: int) -> RawLog:
    """The end of an auction of the Bazaar."""
    signature = "AuctionSettled(address,address,address,uint256,address,uint256)"
    data = words(seller, currency, amount)
    return log(signature, [APES, bidder, 7], data, contract=BAZAAR, index=index)
