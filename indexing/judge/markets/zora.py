"""Zora's markets, versions 1 to 3.

1. The market of Zora's own NFTs (``Market`` beside ``Media``, Ethereum): ``BidFinalized(uint256 indexed
   tokenId, Bid bid)``, ``Bid`` being ``(uint256 amount, address currency, address bidder, address recipient,
   Decimal sellOnShare)``, also where a bid meets what is asked. The currency is a token; the amount is all
   that the bidder pays. The NFT, which ``Media`` moves to the recipient just before, is named by its token
   alone.
2. ``AuctionHouse`` (Ethereum): ``AuctionEnded(uint256 indexed auctionId, uint256 indexed tokenId, address
   indexed tokenContract, address tokenOwner, address curator, address winner, uint256 amount, uint256
   curatorFee, address auctionCurrency)``. The amount is what the owner gets: with the curator's fee it makes
   the winning bid. But Zora's own NFTs it sells through the market of version 1, bidding there itself: then
   the bid that was finalized there is the price, and no sale beside this one. Ether is held, and named, as
   WETH. A bid for nothing cannot be; ``AuctionCanceled`` gives the NFT back.
3. Modules that users approve (Ethereum, and some of them on Polygon and Zora); the price is all that the
   buyer pays:

   - Asks 1.1: ``AskFilled(address indexed tokenContract, uint256 indexed tokenId, address indexed buyer,
     address finder, Ask ask)``, ``Ask`` being ``(address seller, address sellerFundsRecipient, address
     askCurrency, uint16 findersFeeBps, uint256 askPrice)``. Currency 0 is native.
   - Asks in ether: ``AskFilled(address indexed tokenContract, uint256 indexed tokenId, address buyer, address
     seller, uint256 price)``; private ones: ``AskFilled(address indexed tokenContract, uint256 indexed
     tokenId, (address seller, uint96 price, address buyer) ask)``.
   - Offers: ``OfferFilled(address indexed tokenContract, uint256 indexed tokenId, uint256 indexed id, address
     taker, address finder, Offer offer)``, ``Offer`` being ``(address maker, address currency, uint16
     findersFeeBps, uint256 amount)``.
   - Reserve auctions: ``AuctionEnded(address indexed tokenContract, uint256 indexed tokenId, Auction
     auction)``. In each of their forms ``Auction`` has the seller in its first word, the highest bid in its
     fourth and the bidder in its fifth; the forms that take tokens have the currency in the eighth
     (``ReserveAuctionCoreErc20``) or seventh (with a finder's or a lister's fee). An auction without a bid
     cannot end.

Specified by the sources published in ourzora/core, ourzora/auction-house and ourzora/v3, the last with its
npm artefacts (zoralabs/v3 1.0.13). Not read: Asks 1.0, of which no published event was found, and drops,
which are plain mints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from indexing.decode.words import (
    UndecodableError,
    address,
    expect_topics,
    number,
    topic_address,
    topic_number,
)
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

BID_FINALIZED = "0xb6ef177c7a6f32b283a49b5e0463a39240cdaa278028dfb219480d050e8ee54c"
AUCTION_ENDED = "0x4f35fb3ea0081b3ccbe8df613cab0f9e1694d50a025e0aa09b88a86a3d07c2de"
ASK_FILLED = "0x21a9d8e221211780696258a05c6225b1a24f428e2fd4d51708f1ab2be4224d39"
ASK_IN_ETHER_FILLED = "0xed509339c949cdfdb11c117315bb3f74aa98886204732c065edd38979d7ccf53"
PRIVATE_ASK_FILLED = "0x9c826e8c90f6a11429369613c862c10af42611ca3c5d4d4be035765cec439cb5"
OFFER_FILLED = "0x8d496f5c680daaaf5bdacfec3235619ed8eb52d6c31419098dfb83010f37ca22"
RESERVE_ETHER = "0xde4690ca69ca2f9bab030a05a3072d626b0692c7020c1ef534aa3cc140fb1ff5"
RESERVE_ETHER_AND_FEE = "0x63f2e8137a051fe1c1458eb3c749d1e217f48dee1c1a37eba679273cc635ca42"
RESERVE_ERC20 = "0x0828c74ed74337090a4c0da7e727f14fca2526cf5b3cbae0ad4f18e329cf1028"
RESERVE_ERC20_AND_FEE = "0x6678c042a87d78d5f87050aff639300a065c82b4adc3728193105a1763700ea6"

_MARKET, _AUCTION_HOUSE = "zora-1", "zora-2"


class _Sale(NamedTuple):
    side: Side
    seller: str | None
    buyer: str
    contract: str | None
    token_id: int
    currency: str
    price: int
    bidder: str | None = None
    """Who bid for the buyer, in the market of version 1."""


_Layout = Callable[[RawLog], _Sale]


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what one of Zora's contracts sold, one fill an event."""
    taken: set[int] = set()
    for one in each(logs, _LAYOUTS, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, sale = one
        if sale.bidder is not None and _is(around, sale.bidder, _AUCTION_HOUSE):
            continue  # the auction house tells of it
        if log.topics[0] == AUCTION_ENDED:
            sale = sale._replace(price=_bid_through_market(sale, log, around) or sale.price)
        fill = Fill(
            protocol=deployment.protocol,
            market=deployment.market,
            log_index=log.log_index,
            side=sale.side,
            seller=sale.seller,
            buyer=sale.buyer,
            items=() if sale.contract is None else (Item(sale.contract, sale.token_id),),
            currency=sale.currency,
            price=sale.price,
            escrowed=sale.side is not Side.ASK,
        )
        if sale.contract is None:
            yield _of_own_nft(fill, sale, taken, around)
        else:
            yield fill


def _of_own_nft(fill: Fill, sale: _Sale, taken: set[int], around: Around) -> Fill | Fault:
    """Find the NFT that the market of version 1 sold: what the recipient got of this token just before the event."""
    place = nearest(around.moves, fill.log_index, taken, receiver=sale.buyer, token_id=sale.token_id)
    if place is None:
        reason = "No NFT log delivers the token of the bid to its recipient."
        return Fault(fill.protocol, fill.log_index, reason, fill.currency, fill.price)
    taken.add(place)
    move = around.moves[place]
    item = Item(move.contract, move.token_id, move.amount)
    return fill._replace(seller=move.sender, items=(item,), moves=(place,))


def _bid_through_market(sale: _Sale, log: RawLog, around: Around) -> int:
    """Return what the auction house bid for the winner in the market of version 1; 0 where it did not sell there."""
    for one in reversed(around.transaction.logs):
        if one.log_index > log.log_index or one.topics[:1] != (BID_FINALIZED,):
            continue
        if _is(around, one.address, _MARKET):
            try:
                bid = _finalized(one)
            except UndecodableError:
                continue  # a fault of the market's own
            if (bid.token_id, bid.bidder, bid.buyer) == (sale.token_id, log.address, sale.buyer):
                return bid.price
    return 0


def _is(around: Around, contract: str, protocol: str) -> bool:
    deployment = around.registry.markets.get(contract)
    return deployment is not None and deployment.protocol == protocol


def _finalized(log: RawLog) -> _Sale:
    expect_topics(log, 2)
    return _Sale(
        Side.BID,
        None,
        address(log.data, 96),
        None,
        topic_number(log.topics, 1),
        address(log.data, 32),
        number(log.data, 0),
        bidder=address(log.data, 64),
    )


def _ended(log: RawLog) -> _Sale:
    expect_topics(log, 4)
    return _Sale(
        Side.AUCTION,
        address(log.data, 0),
        address(log.data, 64),
        topic_address(log.topics, 3),
        topic_number(log.topics, 2),
        address(log.data, 160),
        number(log.data, 96) + number(log.data, 128),
    )


def _ask(log: RawLog) -> _Sale:
    expect_topics(log, 4)
    buyer, currency = topic_address(log.topics, 3), address(log.data, 96)
    return _sale(log, Side.ASK, address(log.data, 32), buyer, currency, number(log.data, 160))


def _ask_in_ether(log: RawLog) -> _Sale:
    expect_topics(log, 3)
    return _sale(log, Side.ASK, address(log.data, 32), address(log.data, 0), NATIVE, number(log.data, 64))


def _private_ask(log: RawLog) -> _Sale:
    expect_topics(log, 3)
    return _sale(log, Side.ASK, address(log.data, 0), address(log.data, 64), NATIVE, number(log.data, 32))


def _offer(log: RawLog) -> _Sale:
    expect_topics(log, 4)
    taker, maker = address(log.data, 0), address(log.data, 64)
    return _sale(log, Side.BID, taker, maker, address(log.data, 96), number(log.data, 160))


def _reserve(currency_at: int | None) -> _Layout:
    def layout(log: RawLog) -> _Sale:
        expect_topics(log, 3)
        currency = NATIVE if currency_at is None else address(log.data, currency_at)
        seller, bidder = address(log.data, 0), address(log.data, 128)
        return _sale(log, Side.AUCTION, seller, bidder, currency, number(log.data, 96))

    return layout


def _sale(log: RawLog, side: Side, seller: str, buyer: str, currency: str, price: int) -> _Sale:
    """Return a sale by a module of version 3, whose first two topics name the NFT."""
    contract, token_id = topic_address(log.topics, 1), topic_number(log.topics, 2)
    return _Sale(side, seller, buyer, contract, token_id, currency, price)


_LAYOUTS: dict[str, _Layout] = {
    BID_FINALIZED: _finalized,
    AUCTION_ENDED: _ended,
    ASK_FILLED: _ask,
    ASK_IN_ETHER_FILLED: _ask_in_ether,
    PRIVATE_ASK_FILLED: _private_ask,
    OFFER_FILLED: _offer,
    RESERVE_ETHER: _reserve(None),
    RESERVE_ETHER_AND_FEE: _reserve(None),
    RESERVE_ERC20: _reserve(224),
    RESERVE_ERC20_AND_FEE: _reserve(192),
}
