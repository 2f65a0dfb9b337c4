"""Blend, Blur's loans against NFTs on Ethereum.

The pledged NFT lies in Blend's contract; money is the pool's ether. No field of its events is indexed:

- ``LoanOfferTaken``: a loan begins, or gets a new lender; ``Repay``: it ends;
- ``StartAuction``, ``Refinance``, ``Seize``: the lender wants out, is replaced, takes the NFT of a loan that was not
  paid back;
- ``BuyLocked``, after the ``Repay`` of the same loan: the borrower, named as the seller, sold the pledged NFT.

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

from collections.abc import Callable, Iterator
from typing import NamedTuple

from indexing.decode.signatures import Event
from indexing.decode.words import UndecodableError, number, topic_address
from indexing.judge.markets.blur_2 import POOLS
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.loans import loan
from indexing.judge.markets.reading import Around, Told, together
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Payment
from indexing.node.events import TRANSFER
from indexing.node.logs import RawLog

LOAN_OFFER_TAKEN = Event(
    "LoanOfferTaken(bytes32 offerHash, uint256 lienId, address collection, address lender, address borrower, "
    "uint256 loanAmount, uint256 rate, uint256 tokenId, uint256 auctionDuration)"
)
REPAY = Event("Repay(uint256 lienId, address collection)")
START_AUCTION = Event("StartAuction(uint256 lienId, address collection)")
REFINANCE = Event(
    "Refinance(uint256 lienId, address collection, address newLender, uint256 newAmount, uint256 newRate, "
    "uint256 newAuctionDuration)"
)
SEIZE = Event("Seize(uint256 lienId, address collection)")
BUY_LOCKED = Event(
    "BuyLocked(uint256 lienId, address collection, address buyer, address seller, uint256 tokenId)"
)

_MARKETPLACE = "blur"


class _Sold(NamedTuple):
    """One ``BuyLocked``, with the log index of the ``Repay`` before it: the call's first event."""

    log_index: int
    repaid_at: int
    item: Item
    buyer: str
    seller: str


def fills(found: list[tuple[Told, Fill | _Sold]], around: Around) -> Iterator[Fill | Fault]:
    """Read the loans, and the pledges that were sold out of them: one fill an event."""
    pool = _Pool(around)
    repaid_at: int | None = None
    for told, value in found:
        if isinstance(value, _Sold):
            yield _sale(told, value if repaid_at is None else value._replace(repaid_at=repaid_at), pool)
        else:
            if repaid_at is not None:
                pool.pay_back(repaid_at)
            yield value
        repaid_at = told.log.log_index if told.event is REPAY else None


def _sold(told: Told) -> _Sold:
    item, at = Item(told["collection"], told["tokenId"]), told.log.log_index
    return _Sold(at, at, item, told["buyer"], told["seller"])


def _sale(told: Told, sold: _Sold, pool: _Pool) -> Fill:
    place = _delivery(sold, told)
    paid = pool.paid(sold)
    return told.fill()._replace(
        market=_MARKETPLACE,
        seller=sold.seller,
        buyer=sold.buyer,
        items=() if place is None else (sold.item,),
        currency=POOLS.get(told.around.registry.chain_id, NATIVE),
        price=sum(one.amount for one in paid),
        payments=tuple(Payment(one.currency, one.amount, one.receiver) for one in paid if one.amount),
        unpriced=not paid,
        moves=() if place is None else (place,),
    )


def _delivery(sold: _Sold, told: Told) -> int | None:
    """Return the place of the move by which a pledge left Blend; ``None`` where it was pledged again."""
    return next(
        (
            place
            for place, move in enumerate(told.around.moves)
            if move.log_index > sold.log_index
            and (move.contract, move.token_id) == (sold.item.contract, sold.item.token_id)
            and (move.sender, move.receiver) == (told.log.address, sold.buyer)
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


_HANDLERS: dict[Event, Callable[[Told], Fill | _Sold]] = {
    **dict.fromkeys((LOAN_OFFER_TAKEN, REPAY, START_AUCTION, REFINANCE, SEIZE), loan),
    BUY_LOCKED: _sold,
}

MARKET = Market(
    "blend",
    "Blend",
    (
        Protocol(
            "blend", together(_HANDLERS, fills), {ETHEREUM: ("0x29469395eaf6f95920e59f858042f0e28d98a20b",)}
        ),
    ),
)
