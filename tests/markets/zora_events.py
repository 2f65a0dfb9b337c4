"""Zora's events of versions 1 to 3, as its contracts declare them."""

from __future__ import annotations

from tests.ingestion.encoding import ALICE, BOB
from tests.markets.currencies import ETHER
from tests.markets.emitting import Emitted

MEDIA = "0xabefbc9fd2f806065b4f3c237d4b59d9a97bcac7"
MARKET = "0xe5bfab544eca83849c53464f85b7164375bdaac1"
AUCTION_HOUSE = "0xe468ce99444174bd3bbbed09209577d25d1ad673"
ASKS = "0x6170b3c3a54c3d8c854934cbc314ed479b2b29a3"
ASKS_IN_ETHER = "0x34aa9cbb80dc0b3d82d04900c02fb81468dafcab"
PRIVATE_ASKS = "0xfbf87e6c2c242d0166e2ddb60db5a94cd4dae00e"
OFFERS = "0x76744367ae5a056381868f716bdf0b13ae1aeaa3"

bid_finalized = Emitted(
    "BidFinalized(uint256 indexed token_id, (uint256 amount, address currency, address bidder, "
    "address recipient, (uint256 next_share)))",
    MARKET,
    "token_id amount currency",
    recipient=ALICE,
)
# Version 2; the amount is the owner's, the fee the curator's.
auction_ended = Emitted(
    "AuctionEnded(uint256 indexed auction, uint256 indexed token_id, address indexed nft, address owner, "
    "address curator, address winner, uint256 amount, uint256 fee, address currency)",
    AUCTION_HOUSE,
    owner=BOB,
)
# Version 3.
ask_filled = Emitted(
    "AskFilled(address indexed nft, uint256 indexed token_id, address indexed buyer, address finder, "
    "(address seller, address recipient, address currency, uint16 finders, uint256 price))",
    ASKS,
    price=100,
)
ask_in_ether_filled = Emitted(
    "AskFilled(address indexed nft, uint256 indexed token_id, address buyer, address seller, uint256 price)",
    ASKS_IN_ETHER,
    price=100,
)
private_ask_filled = Emitted(
    "AskFilled(address indexed nft, uint256 indexed token_id, (address seller, uint96 price, address buyer))",
    PRIVATE_ASKS,
    price=100,
)
offer_filled = Emitted(
    "OfferFilled(address indexed nft, uint256 indexed token_id, uint256 indexed offer, address seller, "
    "address finder, (address buyer, address currency, uint16 finders, uint256 price))",
    OFFERS,
    price=100,
)


def _reserve(contract: str, struct: str) -> Emitted:
    """`AuctionEnded` of a module for reserve auctions."""
    declaration = f"AuctionEnded(address indexed nft, uint256 indexed token_id, ({struct}))"
    usual = {"currency": ETHER} if "currency" in struct else {}
    return Emitted(declaration, contract, bid=100, **usual)


_CORE = "uint48 duration, uint48 start"
_ENDED = "uint96 reserve, address recipient, uint96 bid, address bidder"
_ENDED_20 = "address recipient, uint256 reserve, uint256 bid, address bidder"
_FOUND = f"address seller, {_ENDED}, {_CORE}, address finder, uint80 first, uint16 fee"
_FOUND_20 = (
    f"address seller, {_ENDED_20}, uint96 start, address currency, uint96 first, address finder, "
    "uint80 duration, uint16 fee"
)
RESERVE = {
    "core, ether": _reserve(
        "0x5f7072e1fa7c01dfac7cf54289621afaad2184d0",
        f"address seller, {_ENDED}, uint32 duration, uint32 start, uint32 first",
    ),
    "core, ERC-20": _reserve(
        "0x53172d999a299198a935f9e424f9f8544e3d4292",
        f"address seller, {_ENDED_20}, {_CORE}, address currency, uint96 first",
    ),
    "finders, ether": _reserve("0x9458e29713b98bf452ee9b2c099289f533a5f377", _FOUND),
    "finders, ERC-20": _reserve("0xd1adaf05575295710de1145c3c9427c364a70a7f", _FOUND_20),
    "listing, ether": _reserve("0x1e58be778acae2744c1185ea1ce542f304860b96", _FOUND),
    "listing, ERC-20": _reserve("0x1e009dec13a2a441b3aa133bd320ff5b16b22e71", _FOUND_20),
}
"""The ends of reserve auctions, in six forms."""
