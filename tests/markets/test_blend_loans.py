"""Blend, Blur's loans: a pledge, its return and its seizure are custody, whatever pool ether moves beside the NFT."""

from __future__ import annotations

from functools import partial

import pytest

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, words
from tests.markets.blend_events import loan_offer_taken, pool, refinance, repay, seize, start_auction
from tests.markets.blur_events import BID, BLEND, packed
from tests.markets.building import (
    ONE_ETHER,
    POOL_ETHER,
    Case,
    ape,
    erc721,
    of_transaction,
    sold,
    verdict,
    weth,
)

TAKEN = loan_offer_taken(lender=CAROL, borrower=BOB, amount=ONE_ETHER, index=1)
LOANS = {
    "taken": [TAKEN, erc721(APES, 7, BOB, BLEND, index=2), pool(ONE_ETHER, CAROL, BOB, index=3)],
    "paid back": [repay(index=1), erc721(APES, 7, BLEND, BOB, index=2), pool(ONE_ETHER, BOB, CAROL, index=3)],
    "seized": [erc721(APES, 7, BLEND, CAROL, index=1), seize(index=2)],
}


_sent = partial(Case, to=BLEND)
CASES = {
    **{
        f"a loan is no sale and not commercial: {label}": _sent(logs, sender=BOB).was(
            "transfer",
            markets=("blend",),
            commercial=False,
            also=lambda found: all(one.is_loan for one in found.fills),
        )
        for label, logs in LOANS.items()
    },
    **{
        f"a loan that passes to another lender moves nothing: {label}": _sent(logs, sender=ALICE).was(
            markets=("blend",), commercial=False
        )
        for label, logs in zip(
            ["lent anew", "lent on", "auctioned"],
            [
                [TAKEN, refinance(lender=CAROL, amount=5, index=2), pool(5, CAROL, ALICE, index=3)],
                [refinance(lender=CAROL, amount=5, index=1), pool(5, CAROL, ALICE, index=2)],
                [start_auction(index=1)],
            ],
            strict=True,
        )
    },
    # The lender seizes the ape and pays its borrower something in the same transaction.
    "money between the parties of a loan is not taken for a price": Case(
        ape(BLEND, CAROL), seize(), weth(5, CAROL, BLEND), sender=CAROL
    ).was("transfer"),
    "a pledge that is sold into a bid to pay the loan back is sold by blend on blur": _sent(
        repay(),
        ape(BLEND, ALICE),
        pool(252, ALICE, BLEND),
        packed(trader=ALICE, side=BID, price=252),
        pool(190, BLEND, CAROL),
        pool(62, BLEND, BOB),
        sender=BOB,
    ).was(
        sold(252, POOL_ETHER),
        markets=("blend", "blur"),
        commercial=True,
        also=lambda found: [one.seller for one in found.fills if not one.is_loan] == [BLEND],
    ),
    # The lender's and the buyer's pool ether becomes ether, and is paid to the exchange.
    "an ape that is bought with a loan on it is sold at the whole price": _sent(
        loan_offer_taken(lender=CAROL, borrower=ALICE, amount=3),
        pool(3, CAROL, ZERO),
        pool(1, ALICE, ZERO),
        ape(BOB, BLEND),
        packed(price=4),
        sender=ALICE,
    ).was(sold(4), markets=("blend", "blur"), commercial=True),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_blend_loans(case: Case) -> None:
    case.holds()


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
