"""Foundation's events, as its contracts declare them."""

from __future__ import annotations

from tests.markets.emitting import Emitted

FOUNDATION = "0xcda72070e455bb31c7690a170224ce43623d0b6f"
DROPS = "0x53f451165ba6fdbe39a134673d13948261b2334a"

_PARTS = "uint256 fees, uint256 creator, uint256 rest"
"""What the fees, the creator and the seller get, in wei."""
_USUAL = {"fees": 15, "creator": 10, "rest": 75}
auction_finalized = Emitted(
    f"ReserveAuctionFinalized(uint256 indexed auction, address indexed seller, address indexed bidder, {_PARTS})",
    FOUNDATION,
    **_USUAL,
)
_SOLD = "address indexed nft, uint256 indexed token_id, address indexed seller, address buyer"
buy_price_accepted = Emitted(f"BuyPriceAccepted({_SOLD}, {_PARTS})", FOUNDATION, **_USUAL)
offer_accepted = Emitted(
    "OfferAccepted(address indexed nft, uint256 indexed token_id, address indexed buyer, address seller, "
    f"{_PARTS})",
    FOUNDATION,
    **_USUAL,
)
private_sale_finalized = Emitted(
    f"PrivateSaleFinalized({_SOLD}, {_PARTS}, uint256 deadline)", FOUNDATION, **_USUAL, deadline=1_640_000_000
)
minted_from_drop = Emitted(
    "MintFromFixedPriceDrop(address indexed nft, address indexed buyer, uint256 indexed first, uint256 count, "
    "uint256 fees, uint256 creator)",
    DROPS,
    first=7,
)
