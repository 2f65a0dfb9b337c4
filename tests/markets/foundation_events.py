"""Foundation's events, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, log, words

FOUNDATION = "0xcda72070e455bb31c7690a170224ce43623d0b6f"
DROPS = "0x53f451165ba6fdbe39a134673d13948261b2334a"


def auction_finalized(
    *, seller: str, bidder: str, parts: tuple[int, int, int], index: int, contract: str = FOUNDATION
) -> RawLog:
    """A reserve auction that was won; the parts are those of the fees, the creator and the seller, in wei."""
    signature = "ReserveAuctionFinalized(uint256,address,address,uint256,uint256,uint256)"
    return log(signature, [281, seller, bidder], words(*parts), contract=contract, index=index)


def buy_price_accepted(
    *, seller: str, buyer: str, parts: tuple[int, int, int], index: int, token_id: int = 7
) -> RawLog:
    """An NFT bought at its set price."""
    signature = "BuyPriceAccepted(address,uint256,address,address,uint256,uint256,uint256)"
    data = words(buyer, *parts)
    return log(signature, [APES, token_id, seller], data, contract=FOUNDATION, index=index)


def offer_accepted(*, seller: str, buyer: str, parts: tuple[int, int, int], index: int) -> RawLog:
    """An offer that the owner took."""
    signature = "OfferAccepted(address,uint256,address,address,uint256,uint256,uint256)"
    data = words(seller, *parts)
    return log(signature, [APES, 7, buyer], data, contract=FOUNDATION, index=index)


def private_sale_finalized(*, seller: str, buyer: str, parts: tuple[int, int, int], index: int) -> RawLog:
    """An NFT that was offered to one buyer; the last word is the time when that ended."""
    signature = "PrivateSaleFinalized(address,uint256,address,address,uint256,uint256,uint256,uint256)"
    data = words(buyer, *parts, 1_640_000_000)
    return log(signature, [APES, 7, seller], data, contract=FOUNDATION, index=index)


def minted_from_drop(*, buyer: str, first: int, count: int, fees: int, creator: int, index: int) -> RawLog:
    """So many tokens of a drop, minted to their buyer."""
    signature = "MintFromFixedPriceDrop(address,address,uint256,uint256,uint256,uint256)"
    data = words(count, fees, creator)
    return log(signature, [APES, buyer, first], data, contract=DROPS, index=index)
