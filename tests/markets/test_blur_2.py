"""Blur's second exchange: all four forms of its event, as they are published."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, ZERO, log, word
from tests.markets.blur_events import (
    AGGREGATOR,
    ASK,
    BID,
    BLUR_2,
    BLUR_2_ON_BLAST,
    POOL_ON_BLAST,
    execution,
    packed,
)
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    POOL_ETHER,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    moves_of,
    of_transaction,
    sold,
    verdict,
)

DAN = "0x" + "da" * 20
FEES = "0x" + "0f" * 20
TWENTIETH = (500, FEES)
PART = ONE_ETHER // 20
PASSED_ON = Judgement("transfer")
BLAST, POLYGON = 81457, 137


def _judged(*logs: RawLog, value: int = 0, sender: str = ALICE) -> Verdict:
    return verdict(of_transaction(logs, target=BLUR_2, value=value, sender=sender))


def _pool(amount: int, sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    return erc20(POOL_ETHER, amount, sender, receiver, index=index)


@pytest.mark.parametrize("side", [ASK, BID])
def test_an_execution_with_all_three_fees_has_the_one_on_top_that_its_buyer_pays(side: int) -> None:
    maker, taker, protocol = (100, CAROL), TWENTIETH, (250, DAN)
    on_top = PART if side == ASK else ONE_ETHER // 100
    seller_pays = (PART if side == BID else ONE_ETHER // 100) + ONE_ETHER // 40
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        execution(
            trader=BOB if side == ASK else ALICE,
            side=side,
            maker_fee=maker,
            taker_fee=taker,
            protocol_fee=protocol,
            index=9,
        ),
    ]
    if side == BID:
        parts = [
            (ONE_ETHER // 100, CAROL),
            (PART, FEES),
            (ONE_ETHER // 40, DAN),
            (ONE_ETHER - seller_pays, BOB),
        ]
        logs += [_pool(part, ALICE, receiver, index=2 + at) for at, (part, receiver) in enumerate(parts)]
    found = _judged(*logs, value=ONE_ETHER + on_top if side == ASK else 0)
    currency = ETHER if side == ASK else POOL_ETHER
    assert (found.judgements, found.faults) == ((sold(ONE_ETHER + on_top, currency),), ())
    assert {one.receiver for one in found.fills[0].payments} == {CAROL, FEES, DAN}


def test_units_of_one_id_taken_in_one_call_each_get_the_price_of_their_own_listing() -> None:
    logs = [erc1155(APES, 7, 1, BOB, ALICE, index=index) for index in (1, 2, 3)]
    for at, price in enumerate((10, 20, 30)):
        logs.append(execution(trader=BOB, side=ASK, kind=1, amount=1, price=price, index=4 + at))
    assert _judged(*logs, value=60).judgements == (sold(10), sold(20), sold(30))


def test_bids_of_several_bidders_taken_in_one_call_each_have_their_own_price() -> None:
    bids = [(ALICE, 7, 30), (CAROL, 8, 20), (CAROL, 9, 10), (DAN, 10, 30)]
    logs = [erc721(APES, token_id, BOB, bidder, index=at) for at, (bidder, token_id, _) in enumerate(bids)]
    logs += [
        packed(trader=bidder, side=BID, token_id=token_id, price=price, taker_fee=(1000, FEES), index=10 + at)
        for at, (bidder, token_id, price) in enumerate(bids)
    ]
    # Each bidder pays the exchange once, which pays the seller and the fees of all.
    passing = [
        (30, ALICE, BLUR_2),
        (30, CAROL, BLUR_2),
        (30, DAN, BLUR_2),
        (81, BLUR_2, BOB),
        (9, BLUR_2, FEES),
    ]
    logs += [_pool(amount, giver, taker, index=20 + at) for at, (amount, giver, taker) in enumerate(passing)]
    found = _judged(*logs, sender=BOB)
    assert found.judgements == tuple(sold(price, POOL_ETHER) for _, _, price in bids)
    assert (found.faults, {fill.seller for fill in found.fills}) == ((), {BOB})


def test_a_bid_that_was_not_paid_is_not_paid_by_what_others_paid_through_the_exchange() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE),
        erc721(APES, 8, BOB, CAROL),
        packed(trader=ALICE, side=BID, token_id=7, price=30),
        packed(trader=CAROL, side=BID, token_id=8, price=30),
        _pool(30, ALICE, BLUR_2),
        _pool(30, BLUR_2, BOB),
    ]
    found = _judged(*logs, sender=BOB)
    assert [one.log_index for one in found.faults] == [4]
    assert [one.price for one in found.judgements] == [30, 0]


def test_a_bid_on_a_chain_whose_pool_is_not_known_is_a_fault() -> None:
    transaction = of_transaction(
        [erc721(APES, 7, BOB, ALICE, index=3), packed(trader=ALICE, side=BID, index=5)], target=BLUR_2
    )
    added = registry(POLYGON, [Deployment(BLUR_2, "blur-2", "blur")])
    found = classify(transaction, moves_of(transaction, POLYGON), added)
    assert (found.judgements, [one.log_index for one in found.faults]) == ((PASSED_ON,), [5])


_sent = partial(Case, to=BLUR_2)
CASES = {
    # several asks may share the hash that the event names
    "an ask without fees is sold for its price to whom the NFT went": _sent(
        ape(BOB, ALICE), packed(), value=ONE_ETHER
    ).was(sold(ONE_ETHER, ETHER), at="blur", deal=(Side.ASK, BOB, ALICE), protocol="blur-2", order_hashes=()),
    "a bid without fees is sold for its price by whom the NFT came from": _sent(
        ape(BOB, ALICE), _pool(ONE_ETHER, ALICE, BOB), packed(trader=ALICE, side=BID), sender=BOB
    ).was(sold(ONE_ETHER, POOL_ETHER), deal=(Side.BID, BOB, ALICE)),
    **{
        f"the fee of a taken ask comes on top of the price: {label}": _sent(
            ape(BOB, ALICE), packed(**dict[str, Any](fees)), value=gross
        ).was(
            sold(gross),
            also=lambda found: (
                [(one.receiver, one.amount) for one in found.fills[0].payments] == [(FEES, PART)]
            ),
        )
        for label, (fees, gross) in enumerate(
            [({"taker_fee": TWENTIETH}, ONE_ETHER + PART), ({"maker_fee": TWENTIETH}, ONE_ETHER)], 1
        )
    },
    **{
        f"the fee of a taken bid is the sellers and its makers comes on top: {label}": _sent(
            ape(BOB, ALICE),
            _pool(PART, ALICE, FEES),
            _pool(to_seller, ALICE, BOB),
            packed(trader=ALICE, side=BID, **dict[str, Any](fees)),
            sender=BOB,
        ).was(sold(to_seller + PART, POOL_ETHER))
        for label, (fees, to_seller) in enumerate(
            [({"taker_fee": TWENTIETH}, ONE_ETHER - PART), ({"maker_fee": TWENTIETH}, ONE_ETHER)], 1
        )
    },
    "units of an ERC-1155 are one item at the price of all": _sent(
        erc1155(APES, 7, 3, BOB, ALICE), execution(kind=1, amount=3, price=30), value=30
    ).was(sold(30), also=lambda found: found.fills[0].items[0].amount == 3),
    "an ask may be paid with ether that is taken out of the pool first": _sent(
        _pool(ONE_ETHER, ALICE, ZERO), ape(BOB, ALICE), packed(), value=0
    ).was(sold(ONE_ETHER, ETHER)),
    "an ask that nobody brought the ether for is a fault": _sent(ape(BOB, ALICE), packed(), value=1).was(
        "sale", faults=["was called with 1 wei"]
    ),
    "an NFT bought and sold into a bid in one transaction is sold twice": Case(
        ape(BOB, DAN),
        packed(price=90),
        ape(DAN, CAROL),
        _pool(100, CAROL, DAN),
        packed(trader=CAROL, side=BID, price=100),
        to=DAN,
        value=90,
    ).was(sold(90), sold(100, POOL_ETHER)),
    "what the aggregator buys goes to the buyer at once": Case(
        ape(BOB, ALICE), packed(), to=AGGREGATOR, value=2 * ONE_ETHER
    ).was(sold(ONE_ETHER), markets=("blur",)),
    "bids on blast are paid in the pool of that chain": Case(
        ape(BOB, ALICE),
        erc20(POOL_ON_BLAST, ONE_ETHER, ALICE, BOB),
        packed(trader=ALICE, side=BID, contract=BLUR_2_ON_BLAST),
        to=BLUR_2_ON_BLAST,
        sender=BOB,
        chain=BLAST,
    ).was(sold(ONE_ETHER, POOL_ON_BLAST)),
    **{
        f"an order filled for nothing is no sale: {label}": _sent(
            ape(BOB, ALICE),
            packed(trader=BOB if side == ASK else ALICE, side=side, price=0, taker_fee=TWENTIETH),
        ).was(PASSED_ON)
        for label, side in enumerate([ASK, BID], 1)
    },
    "cancelled listings and orders are no sale": _sent(
        ape(BOB, ALICE),
        log(
            "CancelTrade(address,bytes32,uint256,uint256)",
            [BOB],
            "5e" * 32 + word(0) + word(1),
            contract=BLUR_2,
        ),
        log("NonceIncremented(address,uint256)", [BOB], word(1), contract=BLUR_2),
    ).was(PASSED_ON, fills=0),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_blur_2(case: Case) -> None:
    case.holds()


def test_a_sale_of_what_no_log_moved_is_a_fault() -> None:
    found = _judged(packed(trader=BOB, side=ASK, index=5), value=ONE_ETHER)
    assert "No NFT log delivers 1" in found.faults[0].reason
