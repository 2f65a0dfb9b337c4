"""The Sandbox's market for ASSETs on Ethereum (``AssetSignedAuction``).

``OfferClaimed``: so many packs of a signed offer were bought; the buyer paid the price to the seller and the fee to the
market. The event names neither the NFTs nor the currency: right before it the contract paid, in a token or in ether,
and moved all ids of the packs in one ``TransferBatch`` from the seller to the buyer. Specified by
``AssetSignedAuction.sol`` of the published sandbox contracts.
"""

from __future__ import annotations

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.reading import Around, Told, each_by_itself
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import NATIVE, Fill, Payment

OFFER_CLAIMED = Event(
    "OfferClaimed(address indexed seller, address indexed buyer, uint256 indexed offerId, uint256 amount, "
    "uint256 pricePaid, uint256 feePaid)"
)


def _fill(told: Told) -> Fill:
    """Return the fill of an offer that was claimed; packs of several ids are bundles."""
    seller, buyer, price = told["seller"], told["buyer"], told["pricePaid"]
    if not told["amount"]:
        raise UndecodableError("An offer of which no pack was claimed.")
    around, event = told.around, told.log.log_index
    places = _delivered(event, seller, buyer, around)
    paid = _paid(event, seller, buyer, price, around)
    currency = NATIVE if paid is None else paid.currency
    return told.fill()._replace(
        seller=seller,
        buyer=buyer,
        items=around.items(places),
        currency=currency,
        price=price + told["feePaid"],
        payments=(Payment(currency, price, seller),) if price else (),
        moves=places,
    )


def _delivered(event: int, seller: str, buyer: str, around: Around) -> tuple[int, ...]:
    """Return the places of the moves of the last log before the event that went from seller to buyer."""
    places = [
        place
        for place, move in enumerate(around.moves)
        if move.log_index < event and (move.sender, move.receiver) == (seller, buyer)
    ]
    if not places:
        raise UndecodableError("Nothing went from the seller to the buyer before the offer was claimed.")
    last = around.moves[places[-1]].log_index
    return tuple(place for place in places if around.moves[place].log_index == last)


def _paid(event: int, seller: str, buyer: str, price: int, around: Around) -> MoneyMove | None:
    """Return the payment of the price in a token; ``None``: it was in ether."""
    wanted = (buyer, seller, price)
    return next(
        (
            one
            for one in reversed(around.money)
            if one.log_index < event and (one.sender, one.receiver, one.amount) == wanted
        ),
        None,
    )


_READ = each_by_itself({OFFER_CLAIMED: _fill})
_ADDRESSES = ("0x921fd42f147b26b51aa3c7fa3f2e2ce7704c2858",)

MARKET = Market("sandbox", "The Sandbox", (Protocol("sandbox", _READ, {ETHEREUM: _ADDRESSES}),))
