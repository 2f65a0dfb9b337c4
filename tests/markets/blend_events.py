"""Blend's events, encoded from their published layout."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, log, words
from tests.markets.blur_events import BLEND
from tests.markets.building import POOL_ETHER, erc20

LOAN = 88_718


def loan_offer_taken(
    *,
    lender: str,
    borrower: str,
    amount: int,
    index: int,
    lien: int = LOAN,
    token_id: int = 7,
    contract: str = BLEND,
) -> RawLog:
    """`LoanOfferTaken`: `amount` of pool ether is lent on an ape."""
    signature = "LoanOfferTaken(bytes32,uint256,address,address,address,uint256,uint256,uint256,uint256)"
    data = "0f" * 32 + words(lien, APES, lender, borrower, amount, 1000, token_id, 9000)
    return log(signature, data=data, contract=contract, index=index)


def repay(*, index: int, lien: int = LOAN, contract: str = BLEND) -> RawLog:
    """`Repay`: the loan ends."""
    return log("Repay(uint256,address)", data=words(lien, APES), contract=contract, index=index)


def start_auction(*, index: int) -> RawLog:
    """`StartAuction`: the lender looks for another one."""
    return log("StartAuction(uint256,address)", data=words(LOAN, APES), contract=BLEND, index=index)


def refinance(*, lender: str, amount: int, index: int) -> RawLog:
    """`Refinance`: the loan has another lender."""
    signature = "Refinance(uint256,address,address,uint256,uint256,uint256)"
    return log(signature, data=words(LOAN, APES, lender, amount, 900, 9000), contract=BLEND, index=index)


def seize(*, index: int) -> RawLog:
    """`Seize`: the lender takes the pledge of a loan that was not paid back."""
    return log("Seize(uint256,address)", data=words(LOAN, APES), contract=BLEND, index=index)


def buy_locked(
    *, buyer: str, seller: str, index: int, lien: int = LOAN, token_id: int = 7, contract: str = BLEND
) -> RawLog:
    """`BuyLocked`: a pledged ape is bought from its borrower."""
    signature = "BuyLocked(uint256,address,address,address,uint256)"
    data = words(lien, APES, buyer, seller, token_id)
    return log(signature, data=data, contract=contract, index=index)


def pool(amount: int, sender: str, receiver: str, *, index: int) -> RawLog:
    """A transfer of the pool's ether."""
    return erc20(POOL_ETHER, amount, sender, receiver, index=index)
