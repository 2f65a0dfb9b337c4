"""Zora's events of versions 1 to 3, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO, log, words
from tests.markets.building import ETHER

MEDIA = "0xabefbc9fd2f806065b4f3c237d4b59d9a97bcac7"
MARKET = "0xe5bfab544eca83849c53464f85b7164375bdaac1"
AUCTION_HOUSE = "0xe468ce99444174bd3bbbed09209577d25d1ad673"
ASKS = "0x6170b3c3a54c3d8c854934cbc314ed479b2b29a3"
ASKS_IN_ETHER = "0x34aa9cbb80dc0b3d82d04900c02fb81468dafcab"
PRIVATE_ASKS = "0xfbf87e6c2c242d0166e2ddb60db5a94cd4dae00e"
OFFERS = "0x76744367ae5a056381868f716bdf0b13ae1aeaa3"
RESERVE = {
    "core, ether": "0x5f7072e1fa7c01dfac7cf54289621afaad2184d0",
    "core, ERC-20": "0x53172d999a299198a935f9e424f9f8544e3d4292",
    "finders, ether": "0x9458e29713b98bf452ee9b2c099289f533a5f377",
    "finders, ERC-20": "0xd1adaf05575295710de1145c3c9427c364a70a7f",
    "listing, ether": "0x1e58be778acae2744c1185ea1ce542f304860b96",
    "listing, ERC-20": "0x1e009dec13a2a441b3aa133bd320ff5b16b22e71",
}
"""The modules for reserve auctions."""


def bid_finalized(
    token_id: int, amount: int, currency: str, *, recipient: str, index: int, bidder: str | None = None
) -> RawLog:
    """Version 1: a bid was accepted; nothing of the next sale is promised."""
    signature = "BidFinalized(uint256,(uint256,address,address,address,(uint256)))"
    data = words(amount, currency, bidder or recipient, recipient, 0)
    return log(signature, [token_id], data, contract=MARKET, index=index)


def auction_ended(
    *,
    owner: str,
    winner: str,
    amount: int,
    currency: str,
    index: int,
    fee: int = 0,
    token_id: int = 7,
    nft: str = APES,
) -> RawLog:
    """Version 2: an auction ended; the amount is the owner's, the fee the curator's."""
    signature = "AuctionEnded(uint256,uint256,address,address,address,address,uint256,uint256,address)"
    data = words(owner, ZERO, winner, amount, fee, currency)
    return log(signature, [3, token_id, nft], data, contract=AUCTION_HOUSE, index=index)


def ask_filled(
    *, seller: str, buyer: str, price: int, index: int, currency: str = ETHER, contract: str = ASKS
) -> RawLog:
    """Version 3, Asks 1.1: without a finder."""
    signature = "AskFilled(address,uint256,address,address,(address,address,address,uint16,uint256))"
    data = words(ZERO, seller, seller, currency, 100, price)
    return log(signature, [APES, 7, buyer], data, contract=contract, index=index)


def ask_in_ether_filled(*, seller: str, buyer: str, price: int, index: int) -> RawLog:
    """Version 3: an ask in ether."""
    signature = "AskFilled(address,uint256,address,address,uint256)"
    return log(signature, [APES, 7], words(buyer, seller, price), contract=ASKS_IN_ETHER, index=index)


def private_ask_filled(*, seller: str, buyer: str, price: int, index: int) -> RawLog:
    """Version 3: an ask in ether for one buyer."""
    signature = "AskFilled(address,uint256,(address,uint96,address))"
    return log(signature, [APES, 7], words(seller, price, buyer), contract=PRIVATE_ASKS, index=index)


def offer_filled(*, seller: str, buyer: str, price: int, index: int, currency: str = ETHER) -> RawLog:
    """Version 3: an offer was taken."""
    signature = "OfferFilled(address,uint256,uint256,address,address,(address,address,uint16,uint256))"
    data = words(seller, ZERO, buyer, currency, 100, price)
    return log(signature, [APES, 7, 12], data, contract=OFFERS, index=index)


def reserve_ended(
    kind: str, *, seller: str, bidder: str, bid: int, index: int, currency: str = ETHER
) -> RawLog:
    """Version 3: a reserve auction ended, in one of six forms."""
    start, at, end = 1_650_000_000, 1_650_000_100, 86_400
    layouts = {
        "core, ether": (
            "(address,uint96,address,uint96,address,uint32,uint32,uint32)",
            words(seller, 1, seller, bid, bidder, end, start, at),
        ),
        "core, ERC-20": (
            "(address,address,uint256,uint256,address,uint48,uint48,address,uint96)",
            words(seller, seller, 1, bid, bidder, end, start, currency, at),
        ),
        "ether": (
            "(address,uint96,address,uint96,address,uint48,uint48,address,uint80,uint16)",
            words(seller, 1, seller, bid, bidder, end, start, ZERO, at, 100),
        ),
        "ERC-20": (
            "(address,address,uint256,uint256,address,uint96,address,uint96,address,uint80,uint16)",
            words(seller, seller, 1, bid, bidder, start, currency, at, ZERO, end, 100),
        ),
    }
    form, data = layouts.get(kind) or layouts[kind.split(", ")[1]]
    return log(f"AuctionEnded(address,uint256,{form})", [APES, 7], data, contract=RESERVE[kind], index=index)
