"""Manifold's marketplace events, as its contracts declare them."""

from __future__ import annotations

from tests.markets.emitting import Emitted

MANIFOLD = "0x3a3548e060be10c2614d0a4cb0c03cc9093fd799"
LISTING = 5400

# The amount is for all that were bought.
purchase = Emitted(
    "PurchaseEvent(uint40 indexed listing, address referrer, address buyer, uint24 count, uint256 amount)",
    MANIFOLD,
    "buyer amount",
    listing=LISTING,
    count=1,
)
offer_accepted = Emitted(
    "AcceptOfferEvent(uint40 indexed listing, address offerer, uint256 amount)",
    MANIFOLD,
    "offerer amount",
    listing=LISTING,
)
# The whole bid, also where one is raised.
bid = Emitted(
    "BidEvent(uint40 indexed listing, address referrer, address bidder, uint256 amount)",
    MANIFOLD,
    "bidder amount",
    listing=LISTING,
)
finalized = Emitted("FinalizeListing(uint40 indexed listing)", MANIFOLD, listing=LISTING)
canceled = Emitted(
    "CancelListing(uint40 indexed listing, address requestor, uint16 percent)",
    MANIFOLD,
    "requestor",
    listing=LISTING,
)
