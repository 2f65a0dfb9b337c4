"""The Sandbox's market for ASSETs on Ethereum (``AssetSignedAuction``).

``OfferClaimed(address indexed seller, address indexed buyer, uint256 indexed offerId, uint256 amount, uint256
pricePaid, uint256 feePaid)``: so many packs of a signed offer were bought; the buyer paid the price to the seller and
the fee to the market. The event names neither the NFTs nor the currency: right before it the contract paid, in a token
or in ether, and moved all ids of the packs in one ``TransferBatch`` from the seller to the buyer. Specified by
``AssetSignedAuction.sol`` of the published sandbox contracts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import UndecodableError, expect_topics, number, topic_address
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.money import MoneyMove
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog

OFFER_CLAIMED = "0xb6ccdf0f604b7944dc67e7a20fcac8d00f86137f70b2cf577073372a54767847"


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the offers that were claimed, one fill an event; packs of several ids are bundles."""
    readers = {OFFER_CLAIMED: lambda log: _fill(log, deployment, around)}
    for one in each(logs, readers, deployment):
        yield one if isinstance(one, Fault) else one[1]


def _fill(log: RawLog, deployment: Deployment, around: Around) -> Fill:
    expect_topics(log, 4, "An offer that was claimed")
    seller, buyer = topic_address(log.topics, 1), topic_address(log.topics, 2)
    price, fee = number(log.data, 32), number(log.data, 64)
    if not number(log.data, 0):
        raise UndecodableError("An offer of which no pack was claimed.")
    places = _delivered(log.log_index, seller, buyer, around)
    paid = _paid(log.log_index, seller, buyer, price, around)
    currency = NATIVE if paid is None else paid.currency
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.ASK,
        seller=seller,
        buyer=buyer,
        items=tuple(
            Item(move.contract, move.token_id, move.amount) for move in (around.moves[at] for at in places)
        ),
        currency=currency,
        price=price + fee,
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
