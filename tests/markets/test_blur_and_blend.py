"""Blend, Blur's loans, moves NFTs and the pool's ether as Blur's sales do: what of it is a sale, and what is none."""

from __future__ import annotations

import pytest

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, word
from tests.markets.blur_events import BID, BLEND, packed
from tests.markets.building import ONE_ETHER, POOL_ETHER, erc20, erc721, of_transaction, sold, verdict
from transfers.ingest.logs import RawLog

LOAN = 88_718


def _taken(*, index: int) -> RawLog:
    """`LoanOfferTaken`: Carol lends Bob an ether on his ape."""
    words: list[int | str] = [LOAN, APES, CAROL, BOB, ONE_ETHER, 1000, 7, 9000]
    signature = "LoanOfferTaken(bytes32,uint256,address,address,address,uint256,uint256,uint256,uint256)"
    return log(signature, data="0f" * 32 + "".join(map(word, words)), contract=BLEND, index=index)


def _repaid(*, index: int) -> RawLog:
    return log("Repay(uint256,address)", data=word(LOAN) + word(APES), contract=BLEND, index=index)


def _pool(amount: int, sender: str, receiver: str, *, index: int) -> RawLog:
    return erc20(POOL_ETHER, amount, sender, receiver, index=index)


LOANS = {
    "taken": [_taken(index=1), erc721(APES, 7, BOB, BLEND, index=2), _pool(ONE_ETHER, CAROL, BOB, index=3)],
    "given back": [
        _repaid(index=1),
        erc721(APES, 7, BLEND, BOB, index=2),
        _pool(ONE_ETHER, BOB, CAROL, index=3),
    ],
}


@pytest.mark.parametrize("logs", LOANS.values(), ids=LOANS.keys())
def test_a_loan_is_no_sale(logs: list[RawLog]) -> None:
    found = verdict(of_transaction(logs, target=BLEND, sender=BOB))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert found.fills == ()
    assert not found.is_commercial


def test_a_pledge_that_is_sold_into_a_bid_to_pay_the_loan_back_is_sold_by_blend() -> None:
    logs = [
        _repaid(index=1),
        erc721(APES, 7, BLEND, ALICE, index=2),
        _pool(252, ALICE, BLEND, index=3),
        packed(trader=ALICE, side=BID, price=252, index=4),
        _pool(190, BLEND, CAROL, index=5),
        _pool(62, BLEND, BOB, index=6),
    ]
    found = verdict(of_transaction(logs, target=BLEND, sender=BOB))
    assert (found.judgements, found.faults) == ((sold(252, POOL_ETHER),), ())
    assert (found.fills[0].seller, found.is_commercial) == (BLEND, True)
