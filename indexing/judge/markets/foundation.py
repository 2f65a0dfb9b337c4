"""Foundation's market (``NFTMarket``, behind a proxy) and its drop market (``NFTDropMarket``).

The market; each amount is a part of the price, and the three of an event add up to it:

- ``ReserveAuctionFinalized(uint256 indexed auctionId, address indexed seller, address indexed bidder, uint256
  totalFees, uint256 creatorRev, uint256 sellerRev)``: the event names no NFT. The market, which holds what is
  in auction, moves it to the bidder just before; or it keeps it, where the bidder puts it up for auction
  again without taking it out.
- ``BuyPriceAccepted(address indexed nftContract, uint256 indexed tokenId, address indexed seller, address
  buyer, uint256 totalFees, uint256 creatorRev, uint256 sellerRev)``: bought at a set price, out of the
  market's custody.
- ``OfferAccepted(address indexed nftContract, uint256 indexed tokenId, address indexed buyer, address seller,
  uint256 totalFees, uint256 creatorRev, uint256 sellerRev)``.
- ``PrivateSaleFinalized(address indexed nftContract, uint256 indexed tokenId, address indexed seller, address
  buyer, uint256 f8nFee, uint256 creatorFee, uint256 ownerRev, uint256 deadline)``, of versions until 2022.

Earlier versions name the amounts otherwise (``f8nFee``, ``protocolFee``), in the same layout. The drop market
has ``MintFromFixedPriceDrop(address indexed nftContract, address indexed buyer, uint256 indexed firstTokenId,
uint256 count, uint256 totalFees, uint256 creatorRev)``: so many tokens, counting from the first, are minted
to the buyer at one price each.

All prices are in the native currency. What is missing of it in the call comes out of the buyer's balance at
FETH, where offers are locked too and which moves nothing by a log of ERC-20: so the transaction's value
bounds no price here. Specified by ``NFTMarketReserveAuction.sol``, ``NFTMarketBuyPrice.sol``,
``NFTMarketOffer.sol``, ``NFTMarketPrivateSale.sol`` and ``NFTDropMarketFixedPriceSale.sol`` of the published
fnd-protocol.

Not read: drops by Dutch auction, whose price falls until the last one is sold and is paid back in part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexing.decode.moves import MAX_ENTRIES, MAX_UINT256
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

RESERVE_AUCTION_FINALIZED = "0x2edb0e99c6ac35be6731dab554c1d1fa1b7beb675090dbb09fb14e615aca1c4a"
BUY_PRICE_ACCEPTED = "0xd28c0a7dd63bc853a4e36306655da9f8c0b29ff9d0605bb976ae420e46a99930"
OFFER_ACCEPTED = "0x1cb8adb37d6d35e94cd0695ca39895b84371864713f5ca7eada52af9ff23744b"
PRIVATE_SALE_FINALIZED = "0x6c623fa5e13aaaf28288f807e5b4f9ec6fb7ef812568e00317c552663bea918f"
MINT_FROM_FIXED_PRICE_DROP = "0x05ebbb6b0ce7d564230ba625dd7a0e5108786b0852d6060de6099e1778203e34"


class _Sale(NamedTuple):
    """What one event says was sold."""

    side: Side
    seller: str | None
    buyer: str
    items: tuple[Item, ...]
    """Of the same price each; empty where the event does not name the NFT."""
    price: int
    """Of all of them, in wei."""


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what the market sold, one fill an NFT."""
    taken: set[int] = set()
    for one in each(logs, _READERS, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, sale = one
        if sale.items:
            yield from _named(sale, log, deployment)
            continue
        place = nearest(around.moves, log.log_index, taken, sender=log.address, receiver=sale.buyer)
        if place is None:
            reason = "The auction's NFT stays with the market: no log says which it is."
            yield Fault(deployment.protocol, log.log_index, reason, NATIVE, sale.price)
            continue
        taken.add(place)
        move = around.moves[place]
        yield _fill(sale, log, deployment)._replace(
            items=(Item(move.contract, move.token_id, move.amount),), moves=(place,)
        )


def _named(sale: _Sale, log: RawLog, deployment: Deployment) -> Iterator[Fill]:
    """Yield a fill for each NFT; one for all where the price is not the same for each after all."""
    if sale.price % len(sale.items):
        yield _fill(sale, log, deployment)
        return
    each_price = sale.price // len(sale.items)
    for item in sale.items:
        yield _fill(sale._replace(items=(item,), price=each_price), log, deployment)


def _fill(sale: _Sale, log: RawLog, deployment: Deployment) -> Fill:
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=sale.side,
        seller=sale.seller,
        buyer=sale.buyer,
        items=sale.items,
        currency=NATIVE,
        price=sale.price,
        escrowed=True,
    )


def _auction(log: RawLog) -> _Sale:
    expect_topics(log, 4, "A sale of Foundation")
    seller, bidder = topic_address(log.topics, 2), topic_address(log.topics, 3)
    return _Sale(Side.AUCTION, seller, bidder, (), _sum(log, 0))


def _bought(log: RawLog) -> _Sale:
    expect_topics(log, 4, "A sale of Foundation")
    return _Sale(Side.ASK, topic_address(log.topics, 3), address(log.data, 0), _item(log), _sum(log, 32))


def _offered(log: RawLog) -> _Sale:
    expect_topics(log, 4, "A sale of Foundation")
    return _Sale(Side.BID, address(log.data, 0), topic_address(log.topics, 3), _item(log), _sum(log, 32))


def _dropped(log: RawLog) -> _Sale:
    expect_topics(log, 4, "A sale of Foundation")
    contract, buyer = topic_address(log.topics, 1), topic_address(log.topics, 2)
    first, count = topic_number(log.topics, 3), number(log.data, 0)
    if not 0 < count <= MAX_ENTRIES or first + count - 1 > MAX_UINT256:
        raise UndecodableError(f"A drop of {count} tokens from {first} on, which cannot be.")
    items = tuple(Item(contract, token_id) for token_id in range(first, first + count))
    return _Sale(Side.ASK, None, buyer, items, number(log.data, 32) + number(log.data, 64))


def _item(log: RawLog) -> tuple[Item, ...]:
    return (Item(topic_address(log.topics, 1), topic_number(log.topics, 2)),)


def _sum(log: RawLog, start: int) -> int:
    return sum(number(log.data, start + 32 * place) for place in range(3))


_READERS = {
    RESERVE_AUCTION_FINALIZED: _auction,
    BUY_PRICE_ACCEPTED: _bought,
    OFFER_ACCEPTED: _offered,
    PRIVATE_SALE_FINALIZED: _bought,
    MINT_FROM_FIXED_PRICE_DROP: _dropped,
}
