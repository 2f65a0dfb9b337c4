"""Blend's events, as its contract declares them."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, LATER
from tests.markets.blur_events import BLEND
from tests.markets.building import POOL_ETHER, erc20
from tests.markets.emitting import Emitted

LOAN = 88_718

# Pool ether is lent on an ape.
loan_offer_taken = Emitted(
    "LoanOfferTaken(bytes32 offer, uint256 lien, address collection, address lender, address borrower, "
    "uint256 amount, uint256 rate, uint256 token_id, uint256 duration)",
    BLEND,
    lien=LOAN,
    collection=APES,
    token_id=7,
)
repay = Emitted("Repay(uint256 lien, address collection)", BLEND, lien=LOAN, collection=APES)
start_auction = Emitted("StartAuction(uint256 lien, address collection)", BLEND, lien=LOAN, collection=APES)
refinance = Emitted(
    "Refinance(uint256 lien, address collection, address lender, uint256 amount, uint256 rate, uint256 duration)",
    BLEND,
    lien=LOAN,
    collection=APES,
)
# The lender takes the pledge of a loan that was not paid back.
seize = Emitted("Seize(uint256 lien, address collection)", BLEND, lien=LOAN, collection=APES)
buy_locked = Emitted(
    "BuyLocked(uint256 lien, address collection, address buyer, address seller, uint256 token_id)",
    BLEND,
    lien=LOAN,
    collection=APES,
    token_id=7,
)


def pool(amount: int, sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    """A transfer of the pool's ether."""
    return erc20(POOL_ETHER, amount, sender, receiver, index=index)
