"""The events of NFTfi, Arcade and BendDAO, as their contracts declare them."""

from __future__ import annotations

import re

from tests.ingestion.encoding import BOB, CAROL
from tests.markets.currencies import WETH
from tests.markets.emitting import Emitted

NFTFI_1 = "0x88341d1a8f672d2780c8dc725902aae72f143b0c"
NFTFI_2 = "0xf896527c49b44aab3cf22ae356fa3af8e331f280"
NFTFI_3 = "0x9f10d706d789e4c76a1a6434cd1a9841c875c0a6"
ARCADE = "0x89bc08ba00f135d608bc335f6b33d7a9abcc98af"
BENDDAO = "0x70b97a0da65c15dfb0ffa02aee6fa36e507c2762"
LOAN = 4711


def _loan(contract: str, name: str, kinds: str) -> Emitted:
    """An event of a loan to Bob by Carol, whose other fields have these types and are nothing that counts."""
    indexed, kind = ("", "uint256") if contract == NFTFI_1 else (" indexed", "uint32")
    parties = f"{kind}{indexed} loan, address{indexed} borrower, address{indexed} lender"
    rest = re.sub(r"\w+", r"\g<0> _", kinds).replace(",", ", ").replace(" (", ", (")
    rest = re.sub(r"_ (?=\w)", "_, ", rest)
    return Emitted(f"{name}({parties}, {rest})", contract, loan=LOAN, borrower=BOB, lender=CAROL)


_LIQUIDATED = "uint256 uint256 uint256 uint256 address"
_TERMS_2 = "(uint256,uint256,uint256,address,uint32,uint16,uint16,address,uint64,address,address)"
_TERMS_3 = (
    "(uint256,uint256,uint256,address,uint32,uint16,uint16,uint256,address,uint64,address,address,address,"
    "address,bool)"
)
NFTFI = {
    "1, started": _loan(
        NFTFI_1, "LoanStarted", "uint256 uint256 uint256 uint256 uint256 uint256 address address bool"
    ),
    "1, repaid": _loan(NFTFI_1, "LoanRepaid", "uint256 uint256 uint256 uint256 address address"),
    "1, liquidated": _loan(NFTFI_1, "LoanLiquidated", _LIQUIDATED),
    "2, started": _loan(NFTFI_2, "LoanStarted", f"{_TERMS_2} (address,uint16,uint16)"),
    "2, repaid": _loan(NFTFI_2, "LoanRepaid", f"{_LIQUIDATED[:-8]} uint256 address address address"),
    "2, liquidated": _loan(NFTFI_2, "LoanLiquidated", _LIQUIDATED),
    "2, renegotiated": _loan(NFTFI_2, "LoanRenegotiated", "uint32 uint256 uint256 uint256"),
    "3, started": _loan(NFTFI_3, "LoanStarted", _TERMS_3),
    "3, repaid": _loan(NFTFI_3, "LoanRepaid", f"{_LIQUIDATED} address"),
    "3, liquidated": _loan(NFTFI_3, "LoanLiquidated", _LIQUIDATED),
    "3, renegotiated": _loan(NFTFI_3, "LoanRenegotiated", "uint32 uint256 uint256 uint256 bool"),
}
ARCADE_EVENTS = {
    "started": Emitted(
        "LoanStarted(uint256 loan, address lender, address borrower)", ARCADE, lender=CAROL, borrower=BOB
    ),
    "repaid": Emitted("LoanRepaid(uint256 loan)", ARCADE),
    "repaid into the contract": Emitted("ForceRepay(uint256 loan)", ARCADE),
    "claimed": Emitted("LoanClaimed(uint256 loan)", ARCADE),
    "rolled over": Emitted("LoanRolledOver(uint256 loan, uint256 next)", ARCADE),
    "partly repaid": Emitted("InstallmentPaymentReceived(uint256 loan, uint256 paid, uint256 rest)", ARCADE),
}
_BEND = {"reserve": WETH, "borrower": BOB, "loan": LOAN}
BEND_EVENTS = {
    "borrowed": Emitted(
        "Borrow(address user, address indexed reserve, uint256 amount, address nft, uint256 token_id, "
        "address indexed borrower, uint256 rate, uint256 loan, uint16 indexed referral)",
        BENDDAO,
        **_BEND,
    ),
    "repaid": Emitted(
        "Repay(address user, address indexed reserve, uint256 amount, address indexed nft, uint256 token_id, "
        "address indexed borrower, uint256 loan)",
        BENDDAO,
        **_BEND,
    ),
    "bid for": Emitted(
        "Auction(address user, address indexed reserve, uint256 price, address indexed nft, uint256 token_id, "
        "address bidder, address indexed borrower, uint256 loan)",
        BENDDAO,
        **_BEND,
    ),
    "redeemed": Emitted(
        "Redeem(address user, address indexed reserve, uint256 amount, uint256 fine, address indexed nft, "
        "uint256 token_id, address indexed borrower, uint256 loan)",
        BENDDAO,
        **_BEND,
    ),
}
# The highest bidder gets the pledge.
bend_liquidate = Emitted(
    "Liquidate(address user, address indexed reserve, uint256 debt, uint256 rest, address indexed nft, "
    "uint256 token_id, address indexed borrower, uint256 loan)",
    BENDDAO,
    "borrower",
    **_BEND,
)
