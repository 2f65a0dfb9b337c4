"""Loans against NFTs at NFTfi, BendDAO and Arcade: custody, but for what an auction of a pledge sold.

A pledge moves to the protocol's contract, back to the borrower, or to the lender of a loan that was not paid back, and
the loan's money moves between the same parties, so that it looks like a price. These events say that it is none. What
they tell beyond that is not needed: they are only held against their layouts.

- NFTfi, one contract a version: ``LoanStarted``, ``LoanRepaid``, ``LoanLiquidated``, in version 2 and 3 with the first
  three fields (loan, borrower, lender) indexed; ``LoanRenegotiated``. Specified by ``NFTfi.sol`` of version 1, by
  ``DirectLoanBaseMinimal.sol`` of version 2, and by ``LoanBaseMinimal.sol`` of the published source of version 3.
- Arcade's ``LoanCore``, versions 2 and 3: ``LoanStarted(uint256 loanId, address lender, address borrower)``,
  ``LoanRepaid(uint256)``, ``ForceRepay(uint256)``, ``LoanClaimed(uint256)``, ``LoanRolledOver(uint256, uint256)``,
  ``InstallmentPaymentReceived(uint256, uint256, uint256)``, no field indexed. Specified by ``ILoanCore.sol``.
- BendDAO's ``LendPool``: ``Borrow``, ``Repay``, ``Auction`` (a bid), ``Redeem`` (the borrower pays after all), and
  ``Liquidate(address user, address indexed reserve, uint256 repayAmount, uint256 remainAmount, address indexed
  nftAsset, uint256 nftTokenId, address indexed borrower, uint256 loanId)``: the highest bidder gets the pledge. That is
  a sale by auction. The seller is the borrower; the price, in the reserve's token, is the debt that it repays and what
  remains for the borrower: the bid, or the bid and what it lacked of the debt. The bid was paid when it was made. The
  pool hands the NFT over before the event. Specified by ``ILendPool.sol`` and ``LiquidateLogic.sol``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from indexing.decode.words import UndecodableError, number, topic_address
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.reading import Around, Reader, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.logs import RawLog


class _Form(NamedTuple):
    """How many topics an event has, and at least how many words of data."""

    topics: int
    words: int

    def check(self, log: RawLog) -> None:
        """Raise ``UndecodableError`` for a log of another form."""
        if len(log.topics) != self.topics:
            raise UndecodableError(f"The event has {self.topics} topics, this log {len(log.topics)}.")
        number(log.data, 32 * (self.words - 1))


NFTFI = {
    # version 1
    "0x7a9a95acdaec2726663658ce76ffb4b960ce244a001b3252a5bb3db586e28c1b": _Form(1, 12),  # LoanStarted
    "0x61de14a46baf4e24c466c80f5d823c5925a65ffce385bf401fef42afd8f3a993": _Form(1, 9),  # LoanRepaid
    "0xf62f4578c92288f0f2dd8009bb1fbae39796c677d6e0b12d28f0ad83b30af6c9": _Form(1, 8),  # LoanLiquidated
    # version 2
    "0x42cc7f53ef7b494c5dd6f0095175f7d07b5d3d7b2a03f34389fea445ba4a3a8b": _Form(4, 14),  # LoanStarted
    "0x3687d64f40b11dd1c102a76882ac1735891c546a96ae27935eb5c7865b9d86fa": _Form(4, 8),  # LoanRepaid
    "0x37357bed780fda5aed28c32fe9cd762cb2f2f8a70c0d9b342aba59c945943ca0": _Form(4, 4),  # LoanRenegotiated
    # versions 2 and 3
    "0x4fac0ff43299a330bce57d0579985305af580acf256a6d7977083ede81be1326": _Form(4, 5),  # LoanLiquidated
    # version 3
    "0x4d3634f72248e203ec6eab4996f443daca55feea347f82ff609b2d0f5bbaae5a": _Form(4, 15),  # LoanStarted
    "0x6ee3573bd905753c83bc1aaca3c15bfa36391db95b778bd825eb010645a7ee45": _Form(4, 6),  # LoanRepaid
    "0x291a1a8e93746b6fd49f5deed62f4b7066cfd154e501d745bb52d247378ad2ef": _Form(4, 5),  # LoanRenegotiated
}
ARCADE = {
    "0x80058ebfadf3969c68465e37d0ca6f1647cd2ef5b7a73f5bd388f25be77ed981": _Form(1, 3),  # LoanStarted
    "0x9a7851747cd7ffb3fe0a32caf3da48b31f27cebe131267051640f8b72fc47186": _Form(1, 1),  # LoanRepaid
    "0x44cf48278cc21fd830ae2f0d07963cbfcf77500a2fec40cabfec38525fbe3512": _Form(1, 1),  # ForceRepay
    "0xb15e438728b48d46c9a5505713e60ff50c80559f4523c8f99a246a2069a8684a": _Form(1, 1),  # LoanClaimed
    "0xf9ba18ac9881b970234f34498341fa7e0570e645d2bc4505691214fd9720a26d": _Form(1, 2),  # LoanRolledOver
    "0x752889971423c6991b24ae2805cfd10348b18df3541c604c00dfd576b9766d0a": _Form(1, 3),  # Installment…
}
BENDDAO = {
    "0xcfb3a669117d9dc90f0d3521228dc9fe67c5102dde205ef16fe9a1f81be698d5": _Form(4, 6),  # Borrow
    "0x50e03867c1178391f204f7bf0eb2f52d5167dc65a99a9650a95abe55d17be17e": _Form(4, 4),  # Repay
    "0xd4c7449fa0ea241233dd0a9e78a940879918f95e0caa34e0399a7d2813c8efba": _Form(4, 5),  # Auction
    "0x0fcfe1a3f2afab13e32fa3c091795159ed5dfe66dc078e21c7f521f42e163afc": _Form(4, 5),  # Redeem
}
LIQUIDATE = "0xf028795898a18c6fc88094dc5671c6a79d5dc3458c44015e9299fbc6c6268cf8"


class _Auctioned(NamedTuple):
    """One ``Liquidate``."""

    log_index: int
    item: Item
    borrower: str
    currency: str
    debt: int
    rest: int


def loan(log: RawLog, deployment: Deployment) -> Fill:
    """Return what an event is that tells of a loan: no sale, and nothing that moved is looked for."""
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.BID,
        seller=None,
        buyer=None,
        items=(),
        currency=NATIVE,
        price=0,
        is_loan=True,
    )


def fills_of(forms: Mapping[str, _Form]) -> Reader:
    """Return what reads the loans of a protocol: one fill an event, none of them a sale."""
    readers = {topic: form.check for topic, form in forms.items()}

    def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
        for one in each(logs, readers, deployment):
            yield one if isinstance(one, Fault) else loan(one[0], deployment)

    return fills


nftfi, arcade = fills_of(NFTFI), fills_of(ARCADE)


def benddao(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read BendDAO's loans, and the pledges that its auctions sold: one fill an event."""
    yield from fills_of(BENDDAO)([log for log in logs if not _is_sale(log)], deployment, around)
    auctioned: list[_Auctioned] = []
    for one in each(logs, {LIQUIDATE: _auctioned}, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            auctioned.append(one[1])
    deliveries = [Delivery(one.log_index, *one.item, deployment.address, None) for one in auctioned]
    for sale, place in zip(auctioned, delivered(around.moves, deliveries), strict=True):
        yield _sale(sale, place, deployment, around)


def _is_sale(log: RawLog) -> bool:
    return bool(log.topics) and log.topics[0] == LIQUIDATE


def _auctioned(log: RawLog) -> _Auctioned:
    _Form(4, 5).check(log)
    return _Auctioned(
        log_index=log.log_index,
        item=Item(topic_address(log.topics, 2), number(log.data, 96)),
        borrower=topic_address(log.topics, 3),
        currency=topic_address(log.topics, 1),
        debt=number(log.data, 32),
        rest=number(log.data, 64),
    )


def _sale(one: _Auctioned, place: int | None, deployment: Deployment, around: Around) -> Fill:
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=one.log_index,
        side=Side.AUCTION,
        seller=one.borrower,
        buyer=None if place is None else around.moves[place].receiver,
        items=(one.item,),
        currency=one.currency,
        price=one.debt + one.rest,
        payments=(Payment(one.currency, one.rest, one.borrower),) if one.rest else (),
        moves=() if place is None else (place,),
        escrowed=True,
    )
