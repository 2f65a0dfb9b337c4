"""The events of NFTfi, Arcade and BendDAO, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO, log, words
from tests.markets.building import WETH

NFTFI_1 = "0x88341d1a8f672d2780c8dc725902aae72f143b0c"
NFTFI_2 = "0xf896527c49b44aab3cf22ae356fa3af8e331f280"
NFTFI_3 = "0x9f10d706d789e4c76a1a6434cd1a9841c875c0a6"
ARCADE = "0x89bc08ba00f135d608bc335f6b33d7a9abcc98af"
BENDDAO = "0x70b97a0da65c15dfb0ffa02aee6fa36e507c2762"
LOAN = 4711
_DAY = 86_400
_NOW = 1_700_000_000
_TERMS_2 = "(uint256,uint256,uint256,address,uint32,uint16,uint16,address,uint64,address,address)"
_TERMS_3 = (
    "(uint256,uint256,uint256,address,uint32,uint16,uint16,uint256,address,uint64,address,address,address,"
    "address,bool)"
)


def nftfi_1_started(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanStarted` of version 1: a WETH on ape 7."""
    numbers = ",".join(["uint256"] * 6)
    signature = f"LoanStarted(uint256,address,address,{numbers},address,address,bool)"
    data = words(LOAN, borrower, lender, 10**18, 2 * 10**18, 7, _NOW, _DAY, 0, APES, WETH, 0)
    return log(signature, data=data, contract=NFTFI_1, index=index)


def nftfi_1_repaid(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanRepaid` of version 1."""
    signature = "LoanRepaid(uint256,address,address,uint256,uint256,uint256,uint256,address,address)"
    data = words(LOAN, borrower, lender, 10**18, 7, 10**18, 5, APES, WETH)
    return log(signature, data=data, contract=NFTFI_1, index=index)


def nftfi_1_liquidated(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanLiquidated` of version 1."""
    signature = "LoanLiquidated(uint256,address,address,uint256,uint256,uint256,uint256,address)"
    data = words(LOAN, borrower, lender, 10**18, 7, _NOW, _NOW + _DAY, APES)
    return log(signature, data=data, contract=NFTFI_1, index=index)


def nftfi_2_started(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanStarted` of version 2."""
    signature = f"LoanStarted(uint32,address,address,{_TERMS_2},(address,uint16,uint16))"
    terms = words(10**18, 2 * 10**18, 7, WETH, _DAY, 0, 500, ZERO, _NOW, APES, borrower)
    data = terms + words(ZERO, 0, 0)
    return log(signature, [LOAN, borrower, lender], data, contract=NFTFI_2, index=index)


def nftfi_2_repaid(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanRepaid` of version 2."""
    signature = (
        "LoanRepaid(uint32,address,address,uint256,uint256,uint256,uint256,uint256,address,address,address)"
    )
    data = words(10**18, 7, 10**18, 5, 0, ZERO, APES, WETH)
    return log(signature, [LOAN, borrower, lender], data, contract=NFTFI_2, index=index)


def nftfi_liquidated(borrower: str, lender: str, *, index: int, contract: str = NFTFI_2) -> RawLog:
    """`LoanLiquidated` of versions 2 and 3."""
    signature = "LoanLiquidated(uint32,address,address,uint256,uint256,uint256,uint256,address)"
    data = words(10**18, 7, _NOW, _NOW + _DAY, APES)
    return log(signature, [LOAN, borrower, lender], data, contract=contract, index=index)


def nftfi_2_renegotiated(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanRenegotiated` of version 2."""
    signature = "LoanRenegotiated(uint32,address,address,uint32,uint256,uint256,uint256)"
    return log(signature, [LOAN, borrower, lender], words(_DAY, 10**18, 5, 1), contract=NFTFI_2, index=index)


def nftfi_3_started(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanStarted` of version 3."""
    signature = f"LoanStarted(uint32,address,address,{_TERMS_3})"
    terms = words(10**18, 2 * 10**18, 7, WETH, _DAY, 0, 500, 0, ZERO, _NOW, APES, borrower, lender, ZERO, 0)
    return log(signature, [LOAN, borrower, lender], terms, contract=NFTFI_3, index=index)


def nftfi_3_repaid(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanRepaid` of version 3."""
    signature = "LoanRepaid(uint32,address,address,uint256,uint256,uint256,uint256,address,address)"
    data = words(10**18, 7, 10**18, 5, APES, WETH)
    return log(signature, [LOAN, borrower, lender], data, contract=NFTFI_3, index=index)


def nftfi_3_renegotiated(borrower: str, lender: str, *, index: int) -> RawLog:
    """`LoanRenegotiated` of version 3."""
    signature = "LoanRenegotiated(uint32,address,address,uint32,uint256,uint256,uint256,bool)"
    data = words(_DAY, 10**18, 5, 1, 0)
    return log(signature, [LOAN, borrower, lender], data, contract=NFTFI_3, index=index)


def arcade(signature: str, *values: int | str, index: int, contract: str = ARCADE) -> RawLog:
    """An event of Arcade's, none of whose fields is indexed."""
    return log(signature, data=words(*values), contract=contract, index=index)


def bend_borrow(borrower: str, *, index: int) -> RawLog:
    """`Borrow`: a WETH on ape 7."""
    signature = "Borrow(address,address,uint256,address,uint256,address,uint256,uint256,uint16)"
    data = words(borrower, 10**18, APES, 7, 10**25, LOAN)
    return log(signature, [WETH, borrower, 0], data, contract=BENDDAO, index=index)


def bend_repay(borrower: str, *, index: int) -> RawLog:
    """`Repay`."""
    signature = "Repay(address,address,uint256,address,uint256,address,uint256)"
    data = words(borrower, 10**18, 7, LOAN)
    return log(signature, [WETH, APES, borrower], data, contract=BENDDAO, index=index)


def bend_auction(bidder: str, borrower: str, *, price: int, index: int) -> RawLog:
    """`Auction`: a bid."""
    signature = "Auction(address,address,uint256,address,uint256,address,address,uint256)"
    data = words(bidder, price, 7, bidder, LOAN)
    return log(signature, [WETH, APES, borrower], data, contract=BENDDAO, index=index)


def bend_redeem(borrower: str, *, index: int) -> RawLog:
    """`Redeem`: the borrower pays, and a fine to the first bidder."""
    signature = "Redeem(address,address,uint256,uint256,address,uint256,address,uint256)"
    data = words(borrower, 10**18, 5, 7, LOAN)
    return log(signature, [WETH, APES, borrower], data, contract=BENDDAO, index=index)


def bend_liquidate(
    borrower: str, *, debt: int, rest: int, index: int, token_id: int = 7, contract: str = BENDDAO
) -> RawLog:
    """`Liquidate`: the highest bidder gets the pledge."""
    signature = "Liquidate(address,address,uint256,uint256,address,uint256,address,uint256)"
    data = words(borrower, debt, rest, token_id, LOAN)
    return log(signature, [WETH, APES, borrower], data, contract=contract, index=index)
