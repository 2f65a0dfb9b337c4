"""Blend, Blur's loans: a pledge, its return and its seizure are custody, whatever pool ether moves beside the NFT."""

from __future__ import annotations

import pytest

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, words
from tests.markets.blend_events import loan_offer_taken, pool, refinance, repay, seize, start_auction
from tests.markets.blur_events import ASK, BID, BLEND, packed
from tests.markets.building import (
    ONE_ETHER,
    POOL_ETHER,
    WETH,
    erc20,
    erc721,
    of_transaction,
    sold,
    verdict,
)

TAKEN = loan_offer_taken(lender=CAROL, borrower=BOB, amount=ONE_ETHER, index=1)
LOANS = {
    "taken": [TAKEN, erc721(APES, 7, BOB, BLEND, index=2), pool(ONE_ETHER, CAROL, BOB, index=3)],
    "paid back": [
        repay(index=1),
        erc721(APES, 7, BLEND, BOB, index=2),
        pool(ONE_ETHER, BOB, CAROL, index=3),
    ],
    "seized": [erc721(APES, 7, BLEND, CAROL, index=1), seize(index=2)],
}


@pytest.mark.parametrize("logs", LOANS.values(), ids=LOANS.keys())
def test_a_loan_is_no_sale_and_not_commercial(logs: list[RawLog]) -> None:
    found = verdict(of_transaction(logs, target=BLEND, sender=BOB))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial, found.faults) == (("blend",), False, ())
    assert all(one.is_loan for one in found.fills)


@pytest.mark.parametrize(
    "logs",
    [
        [TAKEN, refinance(lender=CAROL, amount=5, index=2), pool(5, CAROL, ALICE, index=3)],
        [refinance(lender=CAROL, amount=5, index=1), pool(5, CAROL, ALICE, index=2)],
        [start_auction(index=1)],
    ],
    ids=["lent anew", "lent on", "auctioned"],
)
def test_a_loan_that_passes_to_another_lender_moves_nothing(logs: list[RawLog]) -> None:
    found = verdict(of_transaction(logs, target=BLEND, sender=ALICE))
    assert (found.judgements, found.markets, found.is_commercial) == ((), ("blend",), False)


def test_money_between_the_parties_of_a_loan_is_not_taken_for_a_price() -> None:
    # The lender seizes the ape and pays its borrower something in the same transaction.
    logs = [erc721(APES, 7, BLEND, CAROL, index=1), seize(index=2), erc20(WETH, 5, CAROL, BLEND, index=3)]
    found = verdict(of_transaction(logs, sender=CAROL))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_a_pledge_that_is_sold_into_a_bid_to_pay_the_loan_back_is_sold_by_blend_on_blur() -> None:
    logs = [
        repay(index=1),
        erc721(APES, 7, BLEND, ALICE, index=2),
        pool(252, ALICE, BLEND, index=3),
        packed(trader=ALICE, side=BID, price=252, index=4),
        pool(190, BLEND, CAROL, index=5),
        pool(62, BLEND, BOB, index=6),
    ]
    found = verdict(of_transaction(logs, target=BLEND, sender=BOB))
    assert (found.judgements, found.faults) == ((sold(252, POOL_ETHER),), ())
    assert [one.seller for one in found.fills if not one.is_loan] == [BLEND]
    assert (found.markets, found.is_commercial) == (("blend", "blur"), True)


def test_an_ape_that_is_bought_with_a_loan_on_it_is_sold_at_the_whole_price() -> None:
    # The lender's and the buyer's pool ether becomes ether, and is paid to the exchange.
    logs = [
        loan_offer_taken(lender=CAROL, borrower=ALICE, amount=3, index=1),
        pool(3, CAROL, ZERO, index=2),
        pool(1, ALICE, ZERO, index=3),
        erc721(APES, 7, BOB, BLEND, index=5),
        packed(trader=BOB, side=ASK, price=4, index=6),
    ]
    found = verdict(of_transaction(logs, target=BLEND, sender=ALICE))
    assert (found.judgements, found.faults) == ((sold(4),), ())
    assert (found.markets, found.is_commercial) == (("blend", "blur"), True)


def test_the_events_of_another_contract_are_nobodys() -> None:
    fake = loan_offer_taken(lender=CAROL, borrower=BOB, amount=5, index=1, contract=ALICE)
    found = verdict(of_transaction([fake, erc721(APES, 7, BOB, BLEND, index=2)]))
    assert (found.markets, found.fills, found.faults) == ((), (), ())


def test_a_cut_off_event_is_a_fault_and_the_rest_is_read() -> None:
    cut = log("Repay(uint256,address)", data=words(88), contract=BLEND, index=1)
    found = verdict(of_transaction([cut, *LOANS["seized"][1:]], target=BLEND))
    assert [(one.protocol, one.log_index) for one in found.faults] == [("blend", 1)]
    assert found.markets == ("blend",)


def test_an_event_with_topics_that_it_does_not_have_is_a_fault() -> None:
    odd = log("Seize(uint256,address)", [88], words(88, APES), contract=BLEND, index=1)
    found = verdict(of_transaction([odd]))
    assert (found.fills, len(found.faults)) == ((), 1)
