"""Foundation's market (``NFTMarket``, behind a proxy) and its drop market (``NFTDropMarket``).

The market; each amount is a part of the price, and the three of an event add up to it:

- ``ReserveAuctionFinalized`` names no NFT. The market, which holds what is in auction, moves it to the bidder just
  before; or it keeps it, where the bidder puts it up for auction again without taking it out.
- ``BuyPriceAccepted``: bought at a set price, out of the market's custody.
- ``OfferAccepted``, and ``PrivateSaleFinalized`` of versions until 2022.

Earlier versions name the amounts otherwise (``f8nFee``, ``protocolFee``), in the same layout. The drop market
has ``MintFromFixedPriceDrop``: so many tokens, counting from the first, are minted to the buyer at one price each.

All prices are in the native currency. What is missing of it in the call comes out of the buyer's balance at
FETH, where offers are locked too and which moves nothing by a log of ERC-20: so the transaction's value
bounds no price here. Specified by ``NFTMarketReserveAuction.sol``, ``NFTMarketBuyPrice.sol``,
``NFTMarketOffer.sol``, ``NFTMarketPrivateSale.sol`` and ``NFTDropMarketFixedPriceSale.sol`` of the published
fnd-protocol.

``BuyPriceSet`` offers an NFT at a price, 0 included, all fees in it, and takes it into the market's custody; once more,
it changes the price. The offer ends when it is accepted, canceled or invalidated (an auction got its first bid).
Auctions sell nothing at once: they are no orders.

Not read: drops by Dutch auction, whose price falls until the last one is sold and is paid back in part.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.moves import MAX_ENTRIES, MAX_UINT256
from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import BASE, ETHEREUM, Market, Protocol
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Role, Share, Side
from transfers.ledger.order_facts import OrderEvent

_NFT = "address indexed nftContract, uint256 indexed tokenId"
_AMOUNTS = "uint256 totalFees, uint256 creatorRev, uint256 sellerRev"
RESERVE_AUCTION_FINALIZED = Event(
    f"ReserveAuctionFinalized(uint256 indexed auctionId, address indexed seller, address indexed bidder, {_AMOUNTS})"
)
BUY_PRICE_ACCEPTED = Event(f"BuyPriceAccepted({_NFT}, address indexed seller, address buyer, {_AMOUNTS})")
OFFER_ACCEPTED = Event(f"OfferAccepted({_NFT}, address indexed buyer, address seller, {_AMOUNTS})")
PRIVATE_SALE_FINALIZED = Event(
    f"PrivateSaleFinalized({_NFT}, address indexed seller, address buyer, {_AMOUNTS}, uint256 deadline)"
)
BUY_PRICE_SET = Event(f"BuyPriceSet({_NFT}, address indexed seller, uint256 price)")
BUY_PRICE_INVALIDATED = Event(f"BuyPriceInvalidated({_NFT})")
BUY_PRICE_CANCELED = Event(f"BuyPriceCanceled({_NFT})")
MINT_FROM_FIXED_PRICE_DROP = Event(
    "MintFromFixedPriceDrop(address indexed nftContract, address indexed buyer, "
    "uint256 indexed firstTokenId, uint256 count, uint256 totalFees, uint256 creatorRev)"
)


def fills(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read what the market sold, one fill an NFT."""
    taken: set[int] = set()
    for told, fill in found:
        if fill.items:
            yield from _of_each(fill)
            continue
        receiver = fill.buyer or ""
        place = nearest(around.moves, fill.log_index, taken, sender=told.log.address, receiver=receiver)
        if place is None:
            reason = "The auction's NFT stays with the market: no log says which it is."
            yield told.fault(reason, NATIVE, fill.price)
            continue
        taken.add(place)
        yield fill._replace(items=around.items([place]), moves=(place,))


def _of_each(fill: Fill) -> Iterator[Fill]:
    """Yield a fill for each NFT; one for all where the price is not the same for each after all."""
    price, rest = divmod(fill.price, len(fill.items))
    for items in [fill.items] if rest else [(item,) for item in fill.items]:
        yield fill._replace(items=items, price=fill.price if rest else price)


def _auction(told: Told) -> Fill:
    return _split(told, _sale(told, Side.AUCTION, told["seller"], told["bidder"], (), _sum(told)))


def _bought(told: Told) -> Fill:
    return _split(told, _sale(told, Side.ASK, told["seller"], told["buyer"], _item(told), _sum(told)))


def _offered(told: Told) -> Fill:
    return _split(told, _sale(told, Side.BID, told["seller"], told["buyer"], _item(told), _sum(told)))


def _dropped(told: Told) -> Fill:
    contract, first, count = told["nftContract"], told["firstTokenId"], told["count"]
    if not 0 < count <= MAX_ENTRIES or first + count - 1 > MAX_UINT256:
        raise UndecodableError(f"A drop of {count} tokens from {first} on, which cannot be.")
    items = tuple(Item(contract, token_id) for token_id in range(first, first + count))
    return _sale(told, Side.ASK, None, told["buyer"], items, told["totalFees"] + told["creatorRev"])


def _sale(
    told: Told, side: Side, seller: str | None, buyer: str, items: tuple[Item, ...], price: int
) -> Fill:
    return told.fill(side)._replace(seller=seller, buyer=buyer, items=items, price=price, escrowed=True)


def _split(told: Told, sale: Fill) -> Fill:
    """Return a sale with its parts. A creator who sells gets all but the fee as the creator's part, and no other."""
    fee, for_creator, for_seller = told["totalFees"], told["creatorRev"], told["sellerRev"]
    creator = (
        Share(Role.ROYALTY, for_creator, None) if for_seller else Share(Role.SELLER, for_creator, sale.seller)
    )
    return sale._replace(
        shares=(Share(Role.SELLER, for_seller, sale.seller), Share(Role.PROTOCOL, fee, None), creator)
    )


def _item(told: Told) -> tuple[Item, ...]:
    return (Item(told["nftContract"], told["tokenId"]),)


def _sum(told: Told) -> int:
    total: int = told["totalFees"] + told["creatorRev"] + told["sellerRev"]
    return total


def _set(said: Said) -> Iterator[OrderEvent]:
    yield said.opened(
        said["nftContract"],
        said["tokenId"],
        said["price"],
        maker=said["seller"],
        holder=said.log.address,
        wakes=False,
    )


def _taken_back(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, contract=said["nftContract"], token_id=said["tokenId"])


def _accepted(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(FILLED, contract=said["nftContract"], token_id=said["tokenId"], maker=said["seller"])


_ORDERS = OrderReader(
    {
        BUY_PRICE_SET: _set,
        BUY_PRICE_ACCEPTED: _accepted,
        BUY_PRICE_CANCELED: _taken_back,
        BUY_PRICE_INVALIDATED: _taken_back,
    }
)
_HANDLERS = {
    RESERVE_AUCTION_FINALIZED: _auction,
    BUY_PRICE_ACCEPTED: _bought,
    OFFER_ACCEPTED: _offered,
    PRIVATE_SALE_FINALIZED: _bought,
    MINT_FROM_FIXED_PRICE_DROP: _dropped,
}

_ADDRESSES = {
    ETHEREUM: (
        "0xcda72070e455bb31c7690a170224ce43623d0b6f",
        "0x53f451165ba6fdbe39a134673d13948261b2334a",  # its drops
    ),
    BASE: (
        "0x7b503e206db34148ad77e00afe214034edf9e3ff",
        "0x62037b26fff91929655aa3a060f327b47d1e2b3e",  # its drops
    ),
}

MARKET = Market(
    "foundation",
    "Foundation",
    (Protocol("foundation", together(_HANDLERS, fills), _ADDRESSES, orders=_ORDERS, is_operator=True),),
)
