"""Zora's markets, versions 1 to 3.

1. The market of Zora's own NFTs (``Market`` beside ``Media``, Ethereum and Polygon): ``BidFinalized``, also where a bid
   meets what is asked. The currency is a token; the amount is all that the bidder pays. The NFT, which ``Media`` moves
   to the recipient just before, is named by its token alone.
2. ``AuctionHouse`` (Ethereum): ``AuctionEnded``. The amount is what the owner gets: with the curator's fee it makes the
   winning bid. But Zora's own NFTs it sells through the market of version 1, bidding there itself: then the bid that
   was finalized there is the price, and no sale beside this one. Ether is held, and named, as WETH. A bid for nothing
   cannot be; ``AuctionCanceled`` gives the NFT back.
3. Modules that users approve (Ethereum, and some of them on Polygon and Zora); the price is all that the buyer pays:
   asks 1.1 (currency 0 is native), asks in ether, private ones, offers, and reserve auctions in four forms, of which an
   auction without a bid cannot end.

Specified by the sources published in ourzora/core, ourzora/auction-house and ourzora/v3, the last with its
npm artefacts (zoralabs/v3 1.0.13). Not read: Asks 1.0, of which no published event was found, and drops,
which are plain mints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, POLYGON, ZORA, Market, Protocol
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.markets.zora_orders import (
    ASK_FILLED,
    ASK_IN_ETHER_FILLED,
    BID_FINALIZED,
    HELPERS,
    MANAGERS,
    MODULES,
    ORDERS_1,
    ORDERS_3,
    OWN_MARKETS,
    PRIVATE_ASK_FILLED,
)
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side

AUCTION_ENDED = Event(
    "AuctionEnded(uint256 indexed auctionId, uint256 indexed tokenId, address indexed tokenContract, "
    "address tokenOwner, address curator, address winner, uint256 amount, uint256 curatorFee, "
    "address auctionCurrency)"
)
_NFT = "address indexed tokenContract, uint256 indexed tokenId"
OFFER_FILLED = Event(
    f"OfferFilled({_NFT}, uint256 indexed id, address taker, address finder, (address maker, "
    "address currency, uint16 findersFeeBps, uint256 amount) offer)"
)
_IN_ETHER = "address seller, uint96, address, uint96 highestBid, address highestBidder"
_IN_TOKENS = "address seller, address, uint256, uint256 highestBid, address highestBidder"
RESERVE_AUCTIONS = tuple(
    Event(f"AuctionEnded({_NFT}, ({auction}) auction)")
    for auction in (
        f"{_IN_ETHER}, uint32, uint32, uint32",
        f"{_IN_ETHER}, uint48, uint48, address, uint80, uint16",  # with a finder's or a lister's fee
        f"{_IN_TOKENS}, uint48, uint48, address currency, uint96",
        f"{_IN_TOKENS}, uint96, address currency, uint96, address, uint80, uint16",  # with such a fee
    )
)

_MARKET, _AUCTION_HOUSE = "zora-1", "zora-2"


def fills(found: list[tuple[Told, Fill | None]], around: Around) -> Iterator[Fill | Fault]:
    """Read what one of Zora's contracts sold, one fill an event."""
    taken: set[int] = set()
    for told, fill in found:
        if fill is not None:
            yield fill if fill.items else _of_own_nft(fill, taken, told)


def _of_own_nft(fill: Fill, taken: set[int], told: Told) -> Fill | Fault:
    """Find the NFT that the market of version 1 sold: what the recipient got of this token just before the event."""
    moves, buyer = told.around.moves, fill.buyer or ""
    place = nearest(moves, fill.log_index, taken, receiver=buyer, token_id=told["tokenId"])
    if place is None:
        reason = "No NFT log delivers the token of the bid to its recipient."
        return told.fault(reason, fill.currency, fill.price)
    taken.add(place)
    return fill._replace(seller=moves[place].sender, items=told.around.items([place]), moves=(place,))


def _finalized(told: Told) -> Fill | None:
    bid = told["bid"]
    sold = told.fill(Side.BID)._replace(
        buyer=bid["recipient"], currency=bid["currency"], price=bid["amount"], escrowed=True
    )
    # What the auction house bids for, it tells of itself.
    return None if _is(told.around, bid["bidder"], _AUCTION_HOUSE) else sold


def _ended(told: Told) -> Fill:
    price = _bid_through_market(told) or told["amount"] + told["curatorFee"]
    return _sale(told, Side.AUCTION, told["tokenOwner"], told["winner"], told["auctionCurrency"], price)


def _bid_through_market(told: Told) -> int:
    """Return what the auction house bid for the winner in the market of version 1; 0 where it did not sell there."""
    wanted = told["tokenId"], told.log.address, told["winner"]
    for log in reversed(told.around.transaction.logs):
        if log.log_index > told.log.log_index or log.topics[:1] != (BID_FINALIZED.topic,):
            continue
        if _is(told.around, log.address, _MARKET):
            with suppress(UndecodableError):  # a fault of the market's own
                finalized = BID_FINALIZED.read(log)
                bid = finalized["bid"]
                if (finalized["tokenId"], bid["bidder"], bid["recipient"]) == wanted:
                    price: int = bid["amount"]
                    return price
    return 0


def _is(around: Around, contract: str, protocol: str) -> bool:
    deployment = around.registry.markets.get(contract)
    return deployment is not None and deployment.protocol == protocol


def _ask(told: Told) -> Fill:
    ask = told["ask"]
    return _sale(told, Side.ASK, ask["seller"], told["buyer"], ask["askCurrency"], ask["askPrice"])


def _ask_in_ether(told: Told) -> Fill:
    return _sale(told, Side.ASK, told["seller"], told["buyer"], NATIVE, told["price"])


def _private_ask(told: Told) -> Fill:
    ask = told["ask"]
    return _sale(told, Side.ASK, ask["seller"], ask["buyer"], NATIVE, ask["price"])


def _offer(told: Told) -> Fill:
    offer = told["offer"]
    return _sale(told, Side.BID, told["taker"], offer["maker"], offer["currency"], offer["amount"])


def _reserve(told: Told) -> Fill:
    auction = told["auction"]
    seller, bidder = auction["seller"], auction["highestBidder"]
    currency = auction.get("currency", NATIVE)
    return _sale(told, Side.AUCTION, seller, bidder, currency, auction["highestBid"])


def _sale(told: Told, side: Side, seller: str, buyer: str, currency: str, price: int) -> Fill:
    """Return a sale by an event that names the NFT."""
    return told.fill(side)._replace(
        seller=seller,
        buyer=buyer,
        items=(Item(told["tokenContract"], told["tokenId"]),),
        currency=currency,
        price=price,
        escrowed=side is not Side.ASK,
    )


_HANDLERS: dict[Event, Callable[[Told], Fill | None]] = {
    BID_FINALIZED: _finalized,
    AUCTION_ENDED: _ended,
    ASK_FILLED: _ask,
    ASK_IN_ETHER_FILLED: _ask_in_ether,
    PRIVATE_ASK_FILLED: _private_ask,
    OFFER_FILLED: _offer,
    **dict.fromkeys(RESERVE_AUCTIONS, _reserve),
}

_READ = together(_HANDLERS, fills)
_MODULES = {
    ETHEREUM: (
        "0x6170b3c3a54c3d8c854934cbc314ed479b2b29a3",  # Asks 1.1
        "0x34aa9cbb80dc0b3d82d04900c02fb81468dafcab",  # asks in ether
        "0xfbf87e6c2c242d0166e2ddb60db5a94cd4dae00e",  # private asks in ether
        "0x76744367ae5a056381868f716bdf0b13ae1aeaa3",  # offers
        "0x5f7072e1fa7c01dfac7cf54289621afaad2184d0",  # reserve auctions, from here on
        "0x53172d999a299198a935f9e424f9f8544e3d4292",
        "0x9458e29713b98bf452ee9b2c099289f533a5f377",
        "0xd1adaf05575295710de1145c3c9427c364a70a7f",
        "0x1e58be778acae2744c1185ea1ce542f304860b96",
        "0x1e009dec13a2a441b3aa133bd320ff5b16b22e71",
    ),
    POLYGON: ("0x3634e984ba0373cfa178986fd19f03ba4dd8e469",),  # Asks 1.1
    ZORA: ("0xa06262157905913f855573f53ad48de2d4ba1f4a",),  # reserve auctions
}

MARKET = Market(
    "zora",
    "Zora",
    (
        Protocol(_MARKET, _READ, OWN_MARKETS, orders=ORDERS_1),
        Protocol(_AUCTION_HOUSE, _READ, {ETHEREUM: ("0xe468ce99444174bd3bbbed09209577d25d1ad673",)}),
        Protocol("zora-3", _READ, _MODULES, orders=ORDERS_3, operators=HELPERS),
        Protocol("zora-modules", None, MANAGERS, orders=MODULES),
    ),
)
