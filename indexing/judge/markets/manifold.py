"""Manifold's marketplace (version 2 on Ethereum, one address on Optimism and Base).

Its events name a listing by number, and neither the NFT nor the currency: both stand in the listing, which
only the logs of an earlier transaction tell. What is delivered moves just before the event, out of the
marketplace's custody or, of a lazy listing, minted by the NFT's own contract.

- ``PurchaseEvent(uint40 indexed listingId, address referrer, address buyer, uint24 count, uint256 amount)``:
  the amount is for all that was delivered, fees included. It was paid in the token of which the buyer sent
  just so much, else in native money.
- ``AcceptOfferEvent(uint40 indexed listingId, address oferrer, uint256 amount)``: an offer that was paid in
  earlier. The first build put the seller into the place of the one who offers, so that the buyer is whoever
  gets the NFT. It is in the one token that the marketplace pays out, else in native money.
- ``FinalizeListing(uint40 indexed listingId)``: an auction ended. The event does not say whether anybody had
  bid; without a bid the NFT goes back to its seller by a move of the same form. It was sold where it is
  minted for the winner, or where the marketplace pays out a token; for how much, no log of this transaction
  says. Else nothing can be told, and a fault says so.
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
from indexing.decode.words import address, expect_topics, number
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

PURCHASE = "0x0e0d473f43a9d8727e62653cce4cd80d0c870ffb83dc4c93c9db4cb8ffe7053e"
ACCEPT_OFFER = "0xd6df7c9a0f20ac7b678de872504d1dc938cd654638a43d5312d295e51c23e470"
FINALIZE_LISTING = "0x7a64269d6d03ead41925c75675255493546f656ebb9cae4158fea2633d86c541"

_LONGEST = 500
"""Moves that one delivery may have: more are nobody's purchase."""


class _Event(NamedTuple):
    side: Side
    buyer: str | None
    amount: int | None


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what the marketplace sold, one fill an event: all that it delivered since its last event."""
    since = -1
    for one in each(logs, _READERS, deployment):
        if isinstance(one, Fault):
            since = max(since, one.log_index)
            yield one
            continue
        log, event = one
        yield _fill(event, log, since, deployment, around)
        since = log.log_index


def _fill(event: _Event, log: RawLog, since: int, deployment: Deployment, around: Around) -> Fill | Fault:
    places = _delivered(event.buyer, log, since, around.moves)
    if not places:
        reason = "No NFT log delivers anything to the buyer."
        return Fault(deployment.protocol, log.log_index, reason, NATIVE, event.amount or 0)
    moves = [around.moves[place] for place in places]
    currency = _currency(event, log, since, around)
    if event.amount is None and currency == NATIVE and any(move.sender != ZERO_ADDRESS for move in moves):
        reason = "An auction ended, and only the bids of earlier transactions tell whether the NFT was sold."
        return Fault(deployment.protocol, log.log_index, reason)
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=event.side,
        seller=None,
        buyer=moves[0].receiver,
        items=tuple(Item(move.contract, move.token_id, move.amount) for move in moves),
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
    """Return the token that was paid, as the logs since the last event show it; else the native currency."""
    payer = event.buyer if event.side is Side.ASK else log.address
    paid: dict[str, int] = defaultdict(int)
    for one in around.money:
        if one.sender == payer and since < one.log_index < log.log_index:
            paid[one.currency] += one.amount
    if event.side is Side.ASK:
        return next((currency for currency, total in paid.items() if total == event.amount), NATIVE)
    return next(iter(paid)) if len(paid) == 1 else NATIVE


def _purchase(log: RawLog) -> _Event:
    expect_topics(log, 2, "An event of a listing")
    return _Event(Side.ASK, address(log.data, 32), number(log.data, 96))


def _accepted(log: RawLog) -> _Event:
    expect_topics(log, 2, "An event of a listing")
    return _Event(Side.BID, None, number(log.data, 32))


def _finalized(log: RawLog) -> _Event:
    expect_topics(log, 2, "An event of a listing")
    return _Event(Side.AUCTION, None, None)


_READERS = {PURCHASE: _purchase, ACCEPT_OFFER: _accepted, FINALIZE_LISTING: _finalized}
