"""The sale auctions of CryptoKitties (``SaleClockAuction``, Ethereum).

``AuctionSuccessful``: somebody bought a kitty at the price that the clock had come to, in wei; the cut of the auction
house is a part of it, what was sent above it goes back. The auction house holds the kitty from ``AuctionCreated`` on,
which names no seller either; it moves it to the winner just behind the event. Who sold it, only the move into custody
told, in an earlier transaction. ``AuctionCancelled`` gives it back: no sale.

An auction is an order whose price goes, down or up, from the starting to the ending price, where it stays for ever.

Specified by ``ClockAuctionBase`` and
``SaleClockAuction`` of the verified source. ``SiringClockAuction`` emits the same event when a sire is rented, which
goes back to its owner: that contract is no deployment.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said
from indexing.judge.markets.reading import Around, Told, holding, together
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side
from transfers.ledger.order_facts import OrderEvent

AUCTION_CREATED = Event(
    "AuctionCreated(uint256 tokenId, uint256 startingPrice, uint256 endingPrice, uint256 duration)"
)
AUCTION_CANCELLED = Event("AuctionCancelled(uint256 tokenId)")
AUCTION_SUCCESSFUL = Event("AuctionSuccessful(uint256 tokenId, uint256 totalPrice, address winner)")


def fills(found: list[tuple[Told, None]], around: Around) -> Iterator[Fill | Fault]:
    """Read the kitties that the auction house sold, one fill an event."""
    taken: set[int] = set()
    for told, _ in found:
        token_id, price, winner = told["tokenId"], told["totalPrice"], told["winner"]
        place = nearest(
            around.moves,
            told.log.log_index,
            taken,
            sender=told.log.address,
            receiver=winner,
            token_id=token_id,
            is_before=False,
        )
        if place is None:
            yield told.fault("The kitty does not leave the auction house for the winner.", NATIVE, price)
            continue
        taken.add(place)
        item = Item(around.moves[place].contract, token_id)
        yield told.fill(Side.AUCTION)._replace(buyer=winner, items=(item,), price=price, moves=(place,))


def _created(said: Said) -> Iterator[OrderEvent]:
    start, end, seconds = said["startingPrice"], said["endingPrice"], said["duration"]
    yield said.opened(
        _KITTIES,
        said["tokenId"],
        start,
        end_price=end if end != start else None,
        price_seconds=seconds if end != start else None,
        holder=said.log.address,
        wakes=False,
    )


def _cancelled(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, contract=_KITTIES, token_id=said["tokenId"])


def _sold(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(FILLED, contract=_KITTIES, token_id=said["tokenId"])


_ORDERS = OrderReader({AUCTION_CREATED: _created, AUCTION_CANCELLED: _cancelled, AUCTION_SUCCESSFUL: _sold})
_KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
_READ = together({AUCTION_SUCCESSFUL: holding("tokenId", "totalPrice", "winner")}, fills)
_HOUSE = ("0xb1690c08e213a35ed9bab7b318de14420fb57d8c",)

MARKET = Market(
    "cryptokitties-auction",
    "CryptoKitties auction",
    (Protocol("cryptokitties-auction", _READ, {ETHEREUM: _HOUSE}, orders=_ORDERS),),
)
