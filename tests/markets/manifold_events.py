"""Manifold's marketplace events, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ZERO, log, words

MANIFOLD = "0x3a3548e060be10c2614d0a4cb0c03cc9093fd799"
LISTING = 5400


def purchase(buyer: str, amount: int, *, index: int, count: int = 1, contract: str = MANIFOLD) -> RawLog:
    """So many were bought of a listing, without a referrer; the amount is for all."""
    signature = "PurchaseEvent(uint40,address,address,uint24,uint256)"
    return log(signature, [LISTING], words(ZERO, buyer, count, amount), contract=contract, index=index)


def offer_accepted(offerer: str, amount: int, *, index: int) -> RawLog:
    """An offer was taken."""
    signature = "AcceptOfferEvent(uint40,address,uint256)"
    return log(signature, [LISTING], words(offerer, amount), contract=MANIFOLD, index=index)


def finalized(*, index: int) -> RawLog:
    """An auction ended, with a bid or without."""
    return log("FinalizeListing(uint40)", [LISTING], contract=MANIFOLD, index=index)


def canceled(by: str, *, index: int) -> RawLog:
    """A listing was given up."""
    signature = "CancelListing(uint40,address,uint16)"
    return log(signature, [LISTING], words(by, 0), contract=MANIFOLD, index=index)
