"""Blend, Blur's loans against NFTs, at 0x29469395eaf6f95920e59f858042f0e28d98a20b on Ethereum.

The pledged NFT lies in Blend's contract; money is the pool's ether. No field of its events is indexed:

- ``LoanOfferTaken(bytes32 offerHash, uint256 lienId, address collection, address lender, address borrower, uint256
  loanAmount, uint256 rate, uint256 tokenId, uint256 auctionDuration)``: a loan begins, or gets a new lender;
- ``Repay(uint256 lienId, address collection)``: it ends;
- ``StartAuction(uint256 lienId, address collection)``, ``Refinance(uint256 lienId, address collection, address
  newLender, uint256 newAmount, uint256 newRate, uint256 newAuctionDuration)``, ``Seize(uint256 lienId, address
  collection)``: the lender wants out, is replaced, takes the NFT of a loan that was not paid back;
- ``BuyLocked(uint256 lienId, address collection, address buyer, address seller, uint256 tokenId)``, after the ``Repay``
  of the same loan: the borrower, named as the seller, sold the pledged NFT.

Only the last one is a sale. The others are a loan's, whatever money moves beside the NFT: a pledge and its return, and
what a lender seizes, are custody. Offers for pledged NFTs are made and taken on Blur's marketplace, so that the sale
is Blur's, and the loan that it ends Blend's: such a transaction has both markets. So has one that sells a pledge into a
bid (``takeBid``), or buys an NFT and pledges it (``buyToBorrow``): sales of Blur's exchanges, by their events.

The price of ``BuyLocked`` is in the logs of the pool around it: the buyer pays the offer's fees before ``Repay``, and
after ``BuyLocked``, in two transfers that follow each other, the debt to the lender and the rest to the seller.
``buyToBorrowLocked`` pledges the NFT again, so that it does not move.
Specified by ``Blend.sol`` and ``IBlend.sol`` of the verified source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexing.decode.words import UndecodableError, address, expect_topics, number, topic_address
from indexing.judge.markets.blur_2 import POOLS
from indexing.judge.markets.loans import loan
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.money import MoneyMove
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Payment, Side
from indexing.node.events import TRANSFER
from indexing.node.logs import RawLog

LOAN_OFFER_TAKEN = "0x06a333c2d6fe967ca967f7a35be2eb45e8caeb6cf05e16f55d42b91b5fe31255"
REPAY = "0x2469cc9e12e74c63438d5b1117b318cd3a4cdaf9d659d9eac6d975d14d963254"
START_AUCTION = "0xe5095dc360d1a56740c946cccc76520c1a1a57381c950520062adeda68dbf572"
REFINANCE = "0x558a9295c62e9e1b12a21c8fe816f4816a2e0269a53157edbfa16017b11b9ac9"
SEIZE = "0xb71caf41fe0e019dbe21a1ae3493f11a729c31548ed1e304ae7f6e8c8df275de"
BUY_LOCKED = "0x7ffb5bd9cdc79a6f9bc6e00c82f43836e0afbb204d47972001f6e853764a8ef1"

_WORDS = {LOAN_OFFER_TAKEN: 9, REPAY: 2, START_AUCTION: 2, REFINANCE: 6, SEIZE: 2, BUY_LOCKED: 5}
_MARKETPLACE = "blur"


class _Sold(NamedTuple):
    """One ``BuyLocked``, with the log index of the ``Repay`` before it: the call's first event."""

    log_index: int
    repaid_at: int
    item: Item
    buyer: str
    seller: str


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the loans, and the pledges that were sold out of them: one fill an event."""
    pool = _Pool(around)
    repaid_at: int | None = None
    for one in each(logs, dict.fromkeys(_WORDS, _checked), deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, topic = one
        if topic == BUY_LOCKED:
            try:
                yield _sale(_sold(log, repaid_at), pool, deployment, around)
            except UndecodableError as fault:
                yield Fault(deployment.protocol, log.log_index, str(fault))
        else:
            if repaid_at is not None:
                pool.pay_back(repaid_at)
            yield loan(log, deployment)
        repaid_at = log.log_index if topic == REPAY else None


def _checked(log: RawLog) -> str:
    """Return which event a log is, all its words being there."""
    expect_topics(log, 1, "Blend's events")
    number(log.data, 32 * (_WORDS[log.topics[0]] - 1))
    return log.topics[0]


def _sold(log: RawLog, repaid_at: int | None) -> _Sold:
    item = Item(address(log.data, 32), number(log.data, 128))
    start = log.log_index if repaid_at is None else repaid_at
    return _Sold(log.log_index, start, item, address(log.data, 64), address(log.data, 96))


def _sale(sold: _Sold, pool: _Pool, deployment: Deployment, around: Around) -> Fill:
    place = _delivery(sold, deployment, around)
    paid = pool.paid(sold)
    return Fill(
        protocol=deployment.protocol,
        market=_MARKETPLACE,
        log_index=sold.log_index,
        side=Side.ASK,
        seller=sold.seller,
        buyer=sold.buyer,
        items=() if place is None else (sold.item,),
        currency=POOLS.get(around.registry.chain_id, NATIVE),
        price=sum(one.amount for one in paid),
        payments=tuple(Payment(one.currency, one.amount, one.receiver) for one in paid if one.amount),
        unpriced=not paid,
        moves=() if place is None else (place,),
    )


def _delivery(sold: _Sold, deployment: Deployment, around: Around) -> int | None:
    """Return the place of the move by which a pledge left Blend; ``None`` where it was pledged again."""
    return next(
        (
            place
            for place, move in enumerate(around.moves)
            if move.log_index > sold.log_index
            and (move.contract, move.token_id) == (sold.item.contract, sold.item.token_id)
            and (move.sender, move.receiver) == (deployment.address, sold.buyer)
        ),
        None,
    )


class _Pool:
    """What moved within the pool, transfers of nothing included; each pays for one thing."""

    def __init__(self, around: Around) -> None:
        pool = POOLS.get(around.registry.chain_id)
        logs = (one for one in around.transaction.logs if one.address == pool)
        self._left = {one.log_index: one for log in logs for one in _moved(log)}
        """By log index; those that are left."""

    def pay_back(self, repaid_at: int) -> None:
        """Take the debt that a borrower paid who got the pledge back."""
        self._left.pop(next((at for at in self._left if at > repaid_at), -1), None)

    def paid(self, sold: _Sold) -> list[MoneyMove]:
        """Return what a buyer paid for a pledge: fees, debt, rest; nothing where the logs do not show it."""
        debt = next((one for at, one in self._left.items() if at > sold.log_index), None)
        rest = None if debt is None else self._left.get(debt.log_index + 1)
        if debt is None or rest is None:
            return []
        if (debt.sender, rest.sender, rest.receiver) != (sold.buyer, sold.buyer, sold.seller):
            return []
        fees: list[MoneyMove] = []
        at = sold.repaid_at - 1
        while (fee := self._left.get(at)) is not None and fee.sender == sold.buyer:
            fees.insert(0, fee)
            at -= 1
        paid = [*fees, debt, rest]
        for one in paid:
            del self._left[one.log_index]
        return paid


def _moved(log: RawLog) -> Iterator[MoneyMove]:
    if len(log.topics) != 3 or log.topics[0] != TRANSFER:
        return
    try:
        sender, receiver = topic_address(log.topics, 1), topic_address(log.topics, 2)
        yield MoneyMove(log.address, sender, receiver, number(log.data, 0), log.log_index)
    except UndecodableError:
        return  # no transfer of the pool's: nothing that could be counted
