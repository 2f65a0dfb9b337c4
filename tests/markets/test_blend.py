"""Blend, Blur's loans: a pledge, its return and its seizure are custody; bought out of a loan, it is sold."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Payment
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, BOB, CAROL, UNHURRIED, ZERO
from tests.markets.blur_events import BID, BLEND, packed
from tests.markets.building import Case, ape, erc20, judged, sold, weth
from tests.markets.currencies import ONE_ETHER, POOL_ETHER
from tests.markets.emitting import Emitted

LOAN = 88_718

# Pool ether is lent on an ape.
loan_offer_taken = Emitted(
    "LoanOfferTaken(bytes32 offer, uint256 lien, address collection, address lender, address borrower, "
    "uint256 amount, uint256 rate, uint256 token_id, uint256 duration)",
    BLEND,
    lien=LOAN,
)
repay = Emitted("Repay(uint256 lien, address collection)", BLEND, lien=LOAN)
start_auction = Emitted("StartAuction(uint256 lien, address collection)", BLEND, lien=LOAN)
refinance = Emitted(
    "Refinance(uint256 lien, address collection, address lender, uint256 amount, uint256 rate, uint256 duration)",
    BLEND,
    lien=LOAN,
)

# The lender takes the pledge of a loan that was not paid back.
seize = Emitted("Seize(uint256 lien, address collection)", BLEND, lien=LOAN)
buy_locked = Emitted(
    "BuyLocked(uint256 lien, address collection, address buyer, address seller, uint256 token_id)",
    BLEND,
    lien=LOAN,
)


def pool(amount: int, sender: str, receiver: str) -> RawLog:
    """A transfer of the pool's ether."""
    return erc20(POOL_ETHER, amount, sender, receiver)


TAKEN = loan_offer_taken(lender=CAROL, borrower=BOB, amount=ONE_ETHER)
LOANS = {
    "taken": [TAKEN, ape(BOB, BLEND), pool(ONE_ETHER, CAROL, BOB)],
    "paid back": [repay(), ape(BLEND, BOB), pool(ONE_ETHER, BOB, CAROL)],
    "seized": [ape(BLEND, CAROL), seize()],
}
FEES, OTHER = "0x" + "fe" * 20, "0x" + "0d" * 20
ON_A_CHAIN_WITHOUT_POOL = 137


def _bought(*, debt: int = 99, rest: int = 391) -> list[RawLog]:
    """Alice buys Bob's ape, on which Carol lent: she pays the debt to Carol and the rest to Bob."""
    return [repay(), buy_locked(), ape(BLEND, ALICE), pool(debt, ALICE, CAROL), pool(rest, ALICE, BOB)]


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
                [TAKEN, refinance(lender=CAROL, amount=5), pool(5, CAROL, ALICE)],
                [refinance(lender=CAROL, amount=5), pool(5, CAROL, ALICE)],
                [start_auction()],
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
    "it is sold by its borrower for the debt and the rest although it leaves blend": _sent(_bought()).was(
        sold(490, POOL_ETHER),
        fills=2,
        is_loan=True,
        also=lambda found: (
            found.fills[1].seller == BOB
            and found.fills[1].buyer == ALICE
            and (found.fills[1].payments == (Payment(POOL_ETHER, 99, CAROL), Payment(POOL_ETHER, 391, BOB)))
        ),
    ),
    # Pledges are offered at Blur alone. Its price is not told where no pool is known.
    "the loan is blends and the sale blurs": _sent(_bought())
    .was(sold(490, POOL_ETHER), markets=("blend", "blur"), commercial=True)
    .but(chain=ON_A_CHAIN_WITHOUT_POOL)
    .was("transfer", markets=()),
    "the fees of the offer are a part of the price": _sent(
        pool(5, ALICE, FEES), pool(0, ALICE, OTHER), pool(3, ALICE, OTHER), _bought()
    ).was(sold(498, POOL_ETHER)),
    "ether that the buyer puts into the pool first is no fee": _sent(
        pool(490, ZERO, ALICE), _bought(), value=490
    ).was(sold(490, POOL_ETHER)),
    "nothing is left for a borrower whose debt is the price": _sent(_bought(rest=0)).was(
        sold(99, POOL_ETHER)
    ),
    "a loan that the buyer paid back just before is not a part of the price": Case(
        repay(lien=1), ape(BLEND, ALICE, 8), pool(50, ALICE, CAROL), _bought()
    ).was("transfer", sold(490, POOL_ETHER)),
    "a pledge that its buyer pledges again moves nothing and is no fault": _sent(
        repay(lien=1),
        buy_locked(lien=1),
        loan_offer_taken(lender=CAROL, borrower=ALICE, amount=80, lien=2),
        pool(80, CAROL, OTHER),
        pool(19, ALICE, OTHER),
        pool(1, ALICE, BOB),
    ).was(commercial=True, also=lambda found: set(found.markets) == {"blend", "blur"}),
    **{
        f"a price that the pool does not bear out is not told: {label}": Case(_bought()[:3], money).was(
            "sale", faults=(2,)
        )
        for label, money in zip(
            ["nothing", "the debt alone", "by another", "the rest to another"],
            [
                [],
                [pool(490, ALICE, CAROL)],
                [pool(99, OTHER, CAROL), pool(391, OTHER, BOB)],
                [pool(99, ALICE, CAROL), pool(391, ALICE, OTHER)],
            ],
            strict=True,
        )
    },
    "a look alike sells nothing": Case(
        buy_locked(contract=OTHER), ape(OTHER, ALICE), pool(1, ALICE, CAROL)
    ).was("transfer", fills=0),
}

test_blend = judged(CASES)

MALFORMED = {"no address": buy_locked(buyer=2**200)}


@UNHURRIED
@given(debts=st.lists(st.integers(1, 10**21), min_size=2, max_size=4), fee=st.integers(0, 10**18))
def test_each_of_several_pledges_has_the_price_that_was_paid_for_it(debts: list[int], fee: int) -> None:
    logs = []
    for number, debt in enumerate(debts):
        logs += [
            pool(fee, ALICE, FEES),
            repay(lien=number),
            buy_locked(lien=number, token_id=number),
            ape(BLEND, ALICE, number),
            pool(debt, ALICE, CAROL),
            pool(number, ALICE, BOB),
        ]
    Case(logs).was(*(sold(fee + debt + number, POOL_ETHER) for number, debt in enumerate(debts))).holds()
