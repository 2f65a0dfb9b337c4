"""Manifold's marketplace (version 2 on Ethereum, one address on Optimism and Base).

Its events name a listing by number, and neither the NFT nor the currency: both stand in the listing, which
only the logs of an earlier transaction tell, as do the bids (``Around.listings``). What is delivered moves just before
the event, out of the marketplace's custody or, of a lazy listing, minted by the NFT's own contract.

- ``PurchaseEvent``: the amount is for all that was delivered, fees included. Of a listing whose making was not seen it
  was paid in the token of which the buyer sent just so much, else in native money.
- ``AcceptOfferEvent``: an offer that was paid in earlier. The first build put the seller into the place of the one who
  offers, so that the buyer is whoever gets the NFT. Of such a listing it is in the one token that the marketplace pays
  out, else in native money.
- ``FinalizeListing``: a listing ended. It was sold to the last bidder for the last bid; without a bid what is left goes
  back to its seller by a move of the same form. Of a listing whose making was not seen nobody knows: it was sold where
  it is minted for the winner, or where the marketplace pays out a token, for an unknown price. Else nothing can be
  told, and a fault says so.
- ``CancelListing`` gives the NFT back: no sale.

Specified by ``MarketplaceCore.sol``, ``MarketplaceLib.sol`` and ``SettlementLib.sol`` of the verified source,
addresses by manifold-contract-addresses. Not read: version 1, whose events are older, and claims, which are
plain mints.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import BASE, ETHEREUM, OPTIMISM, Market, Protocol
from indexing.judge.markets.listings import Listing, numbered
from indexing.judge.markets.manifold_orders import FINALIZE_LISTING, ORDERS, PURCHASE
from indexing.judge.markets.reading import Around, Deployment, Told, each
from indexing.judge.verdicts import NATIVE, Fault, Fill, Side
from indexing.node.logs import RawLog

ACCEPT_OFFER = Event("AcceptOfferEvent(uint40 indexed listingId, address oferrer, uint256 amount)")

_LONGEST = 500
"""Moves that one delivery may have: more are nobody's purchase."""


class _Event(NamedTuple):
    side: Side
    buyer: str | None
    amount: int | None
    listing: Listing | None


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what the marketplace sold, one fill an event: all that it delivered since its last event."""
    since = -1
    for one in each(logs, _HANDLERS, deployment, around):
        if isinstance(one, Fault):
            since = max(since, one.log_index)
            yield one
            continue
        told, event = one
        if event is not None:
            yield _fill(event, told, since)
        since = told.log.log_index


def _fill(event: _Event, told: Told, since: int) -> Fill | Fault:
    around = told.around
    places = _delivered(event.buyer, told.log, since, around.moves)
    if not places:
        return told.fault("No NFT log delivers anything to the buyer.", NATIVE, event.amount or 0)
    currency = _currency(event, told.log, since, around)
    is_minted = all(around.moves[place].sender == ZERO_ADDRESS for place in places)
    if event.amount is None and currency == NATIVE and not is_minted:
        return told.fault(
            "An auction ended, and only the bids of earlier transactions tell whether the NFT was sold."
        )
    return told.fill(event.side)._replace(
        seller=event.listing and event.listing.seller,
        buyer=around.moves[places[0]].receiver,
        items=around.items(places),
        currency=currency,
        price=event.amount or 0,
        unpriced=event.amount is None,
        moves=tuple(places),
        escrowed=event.side is not Side.ASK,
    )


def _delivered(buyer: str | None, log: RawLog, since: int, moves: Sequence[Move]) -> list[int]:
    """Return the places of the moves that the event tells of.

    Those are the last ones before it that are of one contract, all to the buyer (where the event does not name one, to
    whoever got the very last), and all out of custody or all minted.
    """
    found: list[int] = []
    for place in reversed(range(len(moves))):
        move = moves[place]
        if not since < move.log_index < log.log_index:
            continue
        is_it = move.sender in (log.address, ZERO_ADDRESS) and move.receiver == (buyer or move.receiver)
        if found:
            first = moves[found[0]]
            kind = first.contract, first.sender, first.receiver
            is_it = is_it and (move.contract, move.sender, move.receiver) == kind and len(found) < _LONGEST
        if is_it:
            found.append(place)
        elif found:
            break
    return found[::-1]


def _currency(event: _Event, log: RawLog, since: int, around: Around) -> str:
    """Return what the listing is in or, where that is not known, the token that the logs since the last event show."""
    if event.listing is not None:
        return event.listing.currency
    payer = event.buyer if event.side is Side.ASK else log.address
    paid: dict[str, int] = defaultdict(int)
    for one in around.money:
        if one.sender == payer and since < one.log_index < log.log_index:
            paid[one.currency] += one.amount
    if event.side is Side.ASK:
        return next((currency for currency, total in paid.items() if total == event.amount), NATIVE)
    return next(iter(paid)) if len(paid) == 1 else NATIVE


def _purchase(told: Told) -> _Event:
    return _Event(Side.ASK, told["buyer"], told["amount"], _listing(told))


def _accepted(told: Told) -> _Event:
    return _Event(Side.BID, None, told["amount"], _listing(told))


def _finalized(told: Told) -> _Event | None:
    """Return what was sold by auction; ``None`` where nobody had bid."""
    listing = _listing(told)
    if listing is None:
        return _Event(Side.AUCTION, None, None, None)
    bid = listing.bid
    return bid and _Event(Side.AUCTION, bid.bidder, bid.amount, listing)


def _listing(told: Told) -> Listing | None:
    return told.around.listings.before(numbered(told.log.address, told["listingId"]), told.log)


_HANDLERS = {PURCHASE: _purchase, ACCEPT_OFFER: _accepted, FINALIZE_LISTING: _finalized}

_ELSEWHERE = ("0x5246807fb65d87b0d0a234e0f3d42374de83b421",)
_ADDRESSES = {
    ETHEREUM: ("0x3a3548e060be10c2614d0a4cb0c03cc9093fd799",),
    OPTIMISM: _ELSEWHERE,
    BASE: _ELSEWHERE,
}

MARKET = Market("manifold", "Manifold", (Protocol("manifold", fills, _ADDRESSES, orders=ORDERS),))
