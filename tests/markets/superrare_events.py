"""SuperRare's events, as its contracts declare them."""

from __future__ import annotations

from tests.ingestion.encoding import BOB
from tests.markets.emitting import Emitted

FIRST = "0x41a322b28d0ff354040e2cbc676f0320d8c8850d"
MARKET_1 = "0x2947f98c42597966a0ec25e92843c09ac17fbaa7"
MARKET_2 = "0x65b49f7aee40347f5a90b714be4ef086f3fe5e2c"
AUCTIONS = "0x8c9f364bf7a56ed058fc63ef81c6cf09c833e656"
BAZAAR = "0x6d7c44773c52d396f43c2d511b81aa168e9a7a42"

# The first contract does not index the token that moves.
moved_first = Emitted(
    "Transfer(address indexed sender, address indexed receiver, uint256 token_id)",
    FIRST,
    "token_id sender receiver",
)
_FIRST = "(address indexed buyer, address indexed seller, uint256 amount, uint256 indexed token_id)"
first_sold = Emitted(f"Sold{_FIRST}", FIRST, amount=1000)
first_bid_accepted = Emitted(f"AcceptBid{_FIRST}", FIRST, amount=1000)
_MARKET = (
    "(address indexed nft, address indexed buyer, address indexed seller, uint256 amount, uint256 token_id)"
)
market_sold = Emitted(f"Sold{_MARKET}", MARKET_2, amount=1000)
bid_accepted = Emitted(f"AcceptBid{_MARKET}", MARKET_2, amount=1000)
auction_settled = Emitted(
    "AuctionSettled(address indexed nft, address indexed bidder, address seller, uint256 indexed token_id, "
    "uint256 amount)",
    AUCTIONS,
    amount=1000,
)
_BAZAAR = (
    "address indexed nft, address indexed buyer, address indexed seller, address currency, uint256 amount"
)
bazaar_sold = Emitted(f"Sold({_BAZAAR}, uint256 token_id)", BAZAAR, amount=1000)
# The seller keeps all of the proceeds.
bazaar_offer_accepted = Emitted(
    f"AcceptOffer({_BAZAAR}, uint256 token_id, address[] split, uint8[] shares)",
    BAZAAR,
    amount=1000,
    split=[BOB],
    shares=[100],
)
bazaar_auction_settled = Emitted(
    "AuctionSettled(address indexed nft, address indexed bidder, address seller, uint256 indexed token_id, "
    "address currency, uint256 amount)",
    BAZAAR,
    amount=1000,
)
