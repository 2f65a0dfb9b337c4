"""Blend, Blur's loans: a pledge, its return and its seizure are custody, whatever pool ether moves beside the NFT."""

from __future__ import annotations

from functools import partial

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.blend_events import loan_offer_taken, pool, refinance, repay, seize, start_auction
from tests.markets.blur_events import BID, BLEND, packed
from tests.markets.building import (
    ONE_ETHER,
    POOL_ETHER,
    Case,
    ape,
    erc721,
    judged,
    sold,
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


test_blend_loans = judged(CASES)
