"""Listings of Manifold's marketplace, which other events of it name by their number.

``CreateListing`` comes with ``CreateListingTokenDetails``, which names the token, in one transaction. The marketplace
takes the token into its custody, from whoever sells it. A lazy listing mints what it sells: nothing that anybody holds
is offered. Only type 2 has a fixed price, and is an ask; sales need to know of each. ``initialAmount`` is for
``totalPerSale`` units, only sold together; ``PurchaseEvent`` counts such sales. Where ``startTime`` is 0 the listing is
open at once, and ``endTime`` is the number of seconds that it stays so from its first purchase on. A verifier of
identities lets only some buy: it stands for them.

``BidEvent`` tells the whole bid, also where one is raised, and whoever bids more takes the place of the one before.
``ModifyListing`` sets amount and times anew, ``CancelListing`` and ``FinalizeListing`` end what is left. Specified by
``MarketplaceLib.sol`` and ``SettlementLib.sol`` of the verified source.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.listings import numbered
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said, address_or_none
from transfers.ledger.order_facts import OrderEvent, OrderKind

CREATE_LISTING = Event(
    "CreateListing(uint40 indexed listingId, uint16 marketplaceBPS, uint16 referrerBPS, uint8 listingType, "
    "uint24 totalAvailable, uint24 totalPerSale, uint48 startTime, uint48 endTime, uint256 initialAmount, "
    "uint16 extensionInterval, uint16 minIncrementBPS, address erc20, address identityVerifier)"
)
CREATE_LISTING_TOKEN_DETAILS = Event(
    "CreateListingTokenDetails(uint40 indexed listingId, uint256 id, address address_, uint8 spec, bool lazy)"
)
MODIFY_LISTING = Event(
    "ModifyListing(uint40 indexed listingId, uint256 initialAmount, uint48 startTime, uint48 endTime)"
)
PURCHASE = Event(
    "PurchaseEvent(uint40 indexed listingId, address referrer, address buyer, uint24 count, uint256 amount)"
)
BID = Event("BidEvent(uint40 indexed listingId, address referrer, address bidder, uint256 amount)")
CANCEL_LISTING = Event("CancelListing(uint40 indexed listingId, address requestor, uint16 holdbackBPS)")
FINALIZE_LISTING = Event("FinalizeListing(uint40 indexed listingId)")

_FIXED_PRICE = 2
_ERC721, _ERC1155 = 1, 2


def _created(said: Said) -> Iterator[OrderEvent]:
    kind, available, per_sale = said["listingType"], said["totalAvailable"], said["totalPerSale"]
    verifier = address_or_none(said["identityVerifier"])
    currency, price, times = said["erc20"], said["initialAmount"], _times(said)
    details = _details(said)
    spec, is_lazy = details["spec"], details["lazy"]
    token = {"contract": details["address_"], "token_id": details["id"], "holder": said.log.address}
    if kind == _FIXED_PRICE and not is_lazy:
        if spec not in (_ERC721, _ERC1155) or not per_sale or available % per_sale:
            raise UndecodableError(f"A listing of {available} units of kind {spec}, by {per_sale}.")
        yield said.opened(
            price=price,
            currency=currency,
            units=available // per_sale if spec == _ERC1155 else None,
            lot=per_sale,
            taker=verifier,
            order_hash=_number(said),
            replaces=False,
            wakes=False,
            **token,
            **times,
        )
    in_custody = {} if is_lazy else token
    yield said.says(OrderKind.LISTING, order_hash=_number(said), currency=currency, **in_custody)


def _details(said: Said) -> Fields:
    """Return what the listing is of, which another log of the transaction says. Raises ``UndecodableError``."""
    for log in said.logs:
        if log.topics[:1] == (CREATE_LISTING_TOKEN_DETAILS.topic,):
            with suppress(UndecodableError):  # a fault of its own
                details = CREATE_LISTING_TOKEN_DETAILS.read(log)
                if details["listingId"] == said["listingId"]:
                    return details
    raise UndecodableError("No log of the transaction names the token of the listing.")


def _modified(said: Said) -> Iterator[OrderEvent]:
    yield said.repriced(said["initialAmount"], order_hash=_number(said), **_times(said))


def _purchased(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(FILLED, order_hash=_number(said), units=said["count"])


def _bid(said: Said) -> Iterator[OrderEvent]:
    yield said.says(OrderKind.BID, order_hash=_number(said), maker=said["bidder"], price=said["amount"])


def _over(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, order_hash=_number(said))


def _number(said: Said) -> str:
    return numbered(said.log.address, said["listingId"])


def _times(said: Said) -> dict[str, Any]:
    start, end = said["startTime"], said["endTime"]
    return {"valid_from": start, "valid_until": end} if start else {"lasts": end}


ORDERS = OrderReader(
    {
        CREATE_LISTING: _created,
        CREATE_LISTING_TOKEN_DETAILS: lambda said: (),  # which the listing reads
        MODIFY_LISTING: _modified,
        PURCHASE: _purchased,
        BID: _bid,
        CANCEL_LISTING: _over,
        FINALIZE_LISTING: _over,
    }
)
