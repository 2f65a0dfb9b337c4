"""Loans against NFTs at NFTfi, BendDAO and Arcade: custody, but for what an auction of a pledge sold.

A pledge moves to the protocol's contract, back to the borrower, or to the lender of a loan that was not paid back, and
the loan's money moves between the same parties, so that it looks like a price. These events say that it is none. What
they tell beyond that is not needed: they are only held against their layouts.

- NFTfi, one contract a version, in version 2 and 3 with the first three fields (loan, borrower, lender) indexed.
  Specified by ``NFTfi.sol`` of version 1, by ``DirectLoanBaseMinimal.sol`` of version 2, and by
  ``LoanBaseMinimal.sol`` of the published source of version 3.
- Arcade's ``LoanCore``, versions 2 and 3. Specified by ``ILoanCore.sol``.
- BendDAO's ``LendPool``: ``Auction`` is a bid; ``Redeem``: the borrower pays after all; ``Liquidate``: the highest
  bidder gets the pledge. That is a sale by auction. The seller is the borrower; the price, in the reserve's token, is
  the debt that it repays and what remains for the borrower: the bid, or the bid and what it lacked of the debt. The bid
  was paid when it was made. The pool hands the NFT over before the event. Specified by ``ILendPool.sol`` and
  ``LiquidateLogic.sol``.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.reading import Around, Told, each_by_itself, together
from indexing.judge.verdicts import Fault, Fill, Item, Payment, Side

_PARTIES = "uint32 indexed loanId, address indexed borrower, address indexed lender"
_TERMS_2 = (
    "(uint256, uint256, uint256, address, uint32, uint16, uint16, address, uint64, address, address), "
    "(address, uint16, uint16)"
)
_TERMS_3 = (
    "(uint256, uint256, uint256, address, uint32, uint16, uint16, uint256, address, uint64, address, address, "
    "address, address, bool)"
)
NFTFI = (
    # version 1
    Event(
        "LoanStarted(uint256, address, address, uint256, uint256, uint256, uint256, uint256, uint256, address, "
        "address, bool)"
    ),
    Event("LoanRepaid(uint256, address, address, uint256, uint256, uint256, uint256, address, address)"),
    Event("LoanLiquidated(uint256, address, address, uint256, uint256, uint256, uint256, address)"),
    # version 2
    Event(f"LoanStarted({_PARTIES}, {_TERMS_2})"),
    Event(f"LoanRepaid({_PARTIES}, uint256, uint256, uint256, uint256, uint256, address, address, address)"),
    Event(f"LoanRenegotiated({_PARTIES}, uint32, uint256, uint256, uint256)"),
    # versions 2 and 3
    Event(f"LoanLiquidated({_PARTIES}, uint256, uint256, uint256, uint256, address)"),
    # version 3
    Event(f"LoanStarted({_PARTIES}, {_TERMS_3})"),
    Event(f"LoanRepaid({_PARTIES}, uint256, uint256, uint256, uint256, address, address)"),
    Event(f"LoanRenegotiated({_PARTIES}, uint32, uint256, uint256, uint256, bool)"),
)
ARCADE = (
    Event("LoanStarted(uint256 loanId, address lender, address borrower)"),
    Event("LoanRepaid(uint256 loanId)"),
    Event("ForceRepay(uint256 loanId)"),
    Event("LoanClaimed(uint256 loanId)"),
    Event("LoanRolledOver(uint256 oldLoanId, uint256 newLoanId)"),
    Event("InstallmentPaymentReceived(uint256 loanId, uint256 repaidAmount, uint256 remBalance)"),
)
_PLEDGE = "address indexed nftAsset, uint256 nftTokenId"
BENDDAO = (
    Event(
        "Borrow(address user, address indexed reserve, uint256 amount, address nftAsset, uint256 nftTokenId, "
        "address indexed onBehalfOf, uint256 borrowRate, uint256 loanId, uint16 indexed referral)"
    ),
    Event(
        f"Repay(address user, address indexed reserve, uint256 amount, {_PLEDGE}, address indexed borrower, "
        "uint256 loanId)"
    ),
    Event(
        f"Auction(address user, address indexed reserve, uint256 bidPrice, {_PLEDGE}, address onBehalfOf, "
        "address indexed borrower, uint256 loanId)"
    ),
    Event(
        f"Redeem(address user, address indexed reserve, uint256 borrowAmount, uint256 fineAmount, {_PLEDGE}, "
        "address indexed borrower, uint256 loanId)"
    ),
)
LIQUIDATE = Event(
    f"Liquidate(address user, address indexed reserve, uint256 repayAmount, uint256 remainAmount, {_PLEDGE}, "
    "address indexed borrower, uint256 loanId)"
)


def loan(told: Told) -> Fill:
    """Return what an event is that tells of a loan: no sale, and nothing that moved is looked for."""
    return told.fill(Side.BID)._replace(is_loan=True)


def benddao(found: list[tuple[Told, Fill]], around: Around) -> Iterator[Fill | Fault]:
    """Read BendDAO's loans, and the pledges that its auctions sold: one fill an event."""
    yield from (fill for _, fill in found if fill.is_loan)
    auctioned = [(told.log.address, fill) for told, fill in found if not fill.is_loan]
    deliveries = [Delivery(one.log_index, *one.items[0], pool, None) for pool, one in auctioned]
    for (_, sale), place in zip(auctioned, delivered(around.moves, deliveries), strict=True):
        if place is None:
            yield sale
        else:
            yield sale._replace(buyer=around.moves[place].receiver, moves=(place,))


def _auctioned(told: Told) -> Fill:
    borrower, currency, rest = told["borrower"], told["reserve"], told["remainAmount"]
    return told.fill(Side.AUCTION)._replace(
        seller=borrower,
        items=(Item(told["nftAsset"], told["nftTokenId"]),),
        currency=currency,
        price=told["repayAmount"] + rest,
        payments=(Payment(currency, rest, borrower),) if rest else (),
        escrowed=True,
    )


_NFTFI_ADDRESSES = (
    "0x88341d1a8f672d2780c8dc725902aae72f143b0c",  # version 1
    "0xf896527c49b44aab3cf22ae356fa3af8e331f280",  # 2
    "0xe52cec0e90115abeb3304baa36bc2655731f7934",  # 2, collections
    "0x8252df1d8b29057d1afe3062bf5a64d503152bc8",  # 2.1
    "0xd0a40eb7fd94ee97102ba8e9342243a2b2e22207",  # 2.3
    "0xd0c6e59b50c32530c627107f50acc71958c4341f",  # 2.3, collections
    "0x9f10d706d789e4c76a1a6434cd1a9841c875c0a6",  # 3
    "0xb6adec2acc851d30d5fb64f3137234bcdcbbad0d",  # 3, collections
)
_ARCADE_ADDRESSES = (
    "0x81b2f8fc75bab64a6b144aa6d2faa127b4fa7fd9",  # version 2
    "0x89bc08ba00f135d608bc335f6b33d7a9abcc98af",  # 3
)
_BENDDAO_ADDRESSES = ("0x70b97a0da65c15dfb0ffa02aee6fa36e507c2762",)
_nftfi, _arcade = (each_by_itself(dict.fromkeys(events, loan)) for events in (NFTFI, ARCADE))
_benddao = together({**dict.fromkeys(BENDDAO, loan), LIQUIDATE: _auctioned}, benddao)

MARKETS = (
    Market("nftfi", "NFTfi", (Protocol("nftfi", _nftfi, {ETHEREUM: _NFTFI_ADDRESSES}),)),
    Market("arcade", "Arcade", (Protocol("arcade", _arcade, {ETHEREUM: _ARCADE_ADDRESSES}),)),
    Market("benddao", "BendDAO", (Protocol("benddao", _benddao, {ETHEREUM: _BENDDAO_ADDRESSES}),)),
)
