"""Pledges that are bought out of a loan: the only sale that Blend's own events tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Payment
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log, words
from tests.markets.blend_events import buy_locked, loan_offer_taken, pool, repay
from tests.markets.blur_events import BLEND
from tests.markets.building import POOL_ETHER, erc721, of_transaction, sold, verdict

FEES, OTHER = "0x" + "fe" * 20, "0x" + "0d" * 20
ON_A_CHAIN_WITHOUT_POOL = 137


def _bought(*, debt: int = 99, rest: int = 391, at: int = 1) -> list[RawLog]:
    """Alice buys Bob's ape, on which Carol lent: she pays the debt to Carol and the rest to Bob."""
    return [
        repay(index=at),
        buy_locked(buyer=ALICE, seller=BOB, index=at + 1),
        erc721(APES, 7, BLEND, ALICE, index=at + 2),
        pool(debt, ALICE, CAROL, index=at + 3),
        pool(rest, ALICE, BOB, index=at + 4),
    ]


def test_it_is_sold_by_its_borrower_for_the_debt_and_the_rest_although_it_leaves_blend() -> None:
    found = verdict(of_transaction(_bought(), target=BLEND))
    assert (found.judgements, found.faults) == ((sold(490, POOL_ETHER),), ())
    loan, sale = found.fills
    assert (loan.is_loan, sale.seller, sale.buyer) == (True, BOB, ALICE)
    assert sale.payments == (Payment(POOL_ETHER, 99, CAROL), Payment(POOL_ETHER, 391, BOB))


def test_the_loan_is_blends_and_the_sale_blurs_where_alone_pledges_are_offered() -> None:
    found = verdict(of_transaction(_bought(), target=BLEND))
    assert (found.markets, found.is_commercial) == (("blend", "blur"), True)


def test_the_fees_of_the_offer_are_a_part_of_the_price() -> None:
    fees = [pool(5, ALICE, FEES, index=1), pool(0, ALICE, OTHER, index=2), pool(3, ALICE, OTHER, index=3)]
    found = verdict(of_transaction([*fees, *_bought(at=4)], target=BLEND))
    assert (found.judgements, found.faults) == ((sold(498, POOL_ETHER),), ())


def test_ether_that_the_buyer_puts_into_the_pool_first_is_no_fee() -> None:
    logs = [pool(490, ZERO, ALICE, index=1), *_bought(at=2)]
    found = verdict(of_transaction(logs, target=BLEND, value=490))
    assert found.judgements == (sold(490, POOL_ETHER),)


def test_nothing_is_left_for_a_borrower_whose_debt_is_the_price() -> None:
    found = verdict(of_transaction(_bought(rest=0), target=BLEND))
    assert (found.judgements, found.faults) == ((sold(99, POOL_ETHER),), ())


@UNHURRIED
@given(debts=st.lists(st.integers(1, 10**21), min_size=2, max_size=4), fee=st.integers(0, 10**18))
def test_each_of_several_pledges_has_the_price_that_was_paid_for_it(debts: list[int], fee: int) -> None:
    logs = []
    for number, debt in enumerate(debts):
        at = 10 * number + 1
        logs += [
            pool(fee, ALICE, FEES, index=at),
            repay(index=at + 1, lien=number),
            buy_locked(buyer=ALICE, seller=BOB, index=at + 2, lien=number, token_id=number),
            erc721(APES, number, BLEND, ALICE, index=at + 3),
            pool(debt, ALICE, CAROL, index=at + 8),
            pool(number, ALICE, BOB, index=at + 9),
        ]
    found = verdict(of_transaction(logs))
    prices = [fee + debt + number for number, debt in enumerate(debts)]
    assert (found.judgements, found.faults) == (tuple(sold(one, POOL_ETHER) for one in prices), ())


def test_a_loan_that_the_buyer_paid_back_just_before_is_not_a_part_of_the_price() -> None:
    before = [repay(index=1, lien=1), erc721(APES, 8, BLEND, ALICE, index=2), pool(50, ALICE, CAROL, index=3)]
    found = verdict(of_transaction([*before, *_bought(at=4)]))
    assert [one.transfer_type for one in found.judgements] == ["transfer", "sale"]
    assert found.judgements[1] == sold(490, POOL_ETHER)


def test_a_pledge_that_its_buyer_pledges_again_moves_nothing_and_is_no_fault() -> None:
    logs = [
        repay(index=1, lien=1),
        buy_locked(buyer=ALICE, seller=BOB, index=2, lien=1),
        loan_offer_taken(lender=CAROL, borrower=ALICE, amount=80, index=3, lien=2),
        pool(80, CAROL, OTHER, index=4),
        pool(19, ALICE, OTHER, index=5),
        pool(1, ALICE, BOB, index=6),
    ]
    found = verdict(of_transaction(logs, target=BLEND))
    assert (found.judgements, found.faults) == ((), ())
    assert (set(found.markets), found.is_commercial) == ({"blend", "blur"}, True)


@pytest.mark.parametrize(
    "money",
    [
        [],
        [pool(490, ALICE, CAROL, index=4)],
        [pool(99, OTHER, CAROL, index=4), pool(391, OTHER, BOB, index=5)],
        [pool(99, ALICE, CAROL, index=4), pool(391, ALICE, OTHER, index=5)],
    ],
    ids=["nothing", "the debt alone", "by another", "the rest to another"],
)
def test_a_price_that_the_pool_does_not_bear_out_is_not_told(money: list[RawLog]) -> None:
    (judged,) = verdict(of_transaction([*_bought()[:3], *money])).judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)


def test_the_price_is_not_told_where_no_pool_is_known() -> None:
    transaction = of_transaction(_bought(), target=BLEND)
    assert verdict(transaction, ON_A_CHAIN_WITHOUT_POOL).markets == ()


def test_a_look_alike_sells_nothing() -> None:
    fake = buy_locked(buyer=ALICE, seller=BOB, index=1, contract=OTHER)
    logs = [fake, erc721(APES, 7, OTHER, ALICE, index=2), pool(1, ALICE, CAROL, index=3)]
    found = verdict(of_transaction(logs))
    assert (found.fills, [one.transfer_type for one in found.judgements]) == ((), ["transfer"])


@pytest.mark.parametrize(
    "data", [words(1, APES, ALICE, BOB), words(1, APES, 2**200, BOB, 7)], ids=["cut off", "no address"]
)
def test_a_malformed_sale_is_a_fault_and_the_loan_is_read(data: str) -> None:
    signature = "BuyLocked(uint256,address,address,address,uint256)"
    found = verdict(of_transaction([repay(index=1), log(signature, data=data, contract=BLEND, index=2)]))
    assert [(one.protocol, one.log_index) for one in found.faults] == [("blend", 2)]
    assert found.markets == ("blend",)
