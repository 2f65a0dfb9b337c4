"""Blur's second exchange: all four forms of its event, as they are published."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, word
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


def _pool(amount: int, sender: str, receiver: str, *, index: int) -> RawLog:
    return erc20(POOL_ETHER, amount, sender, receiver, index=index)


def test_an_ask_without_fees_is_sold_for_its_price_to_whom_the_nft_went() -> None:
    event = packed(trader=BOB, side=ASK, index=5)
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), event, value=ONE_ETHER)
    assert found.judgements == (sold(ONE_ETHER, ETHER),)
    assert (found.markets, found.is_commercial, found.faults) == (("blur",), True, ())
    (fill,) = found.fills
    assert (fill.side, fill.seller, fill.buyer, fill.protocol) == (Side.ASK, BOB, ALICE, "blur-2")
    assert fill.order_hashes == (), "several asks may share the hash that the event names"


def test_a_bid_without_fees_is_sold_for_its_price_by_whom_the_nft_came_from() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=3),
        _pool(ONE_ETHER, ALICE, BOB, index=4),
        packed(trader=ALICE, side=BID, index=5),
    ]
    found = _judged(*logs, sender=BOB)
    assert (found.judgements, found.faults) == ((sold(ONE_ETHER, POOL_ETHER),), ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.BID, BOB, ALICE)


@pytest.mark.parametrize(
    ("fees", "gross"),
    [
        ({"taker_fee": TWENTIETH}, ONE_ETHER + PART),  # the buyer took the ask, and pays for that
        ({"maker_fee": TWENTIETH}, ONE_ETHER),  # the seller made it
    ],
)
def test_the_fee_of_a_taken_ask_comes_on_top_of_the_price(fees: dict[str, Any], gross: int) -> None:
    event = packed(trader=BOB, side=ASK, index=5, **fees)
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), event, value=gross)
    assert (found.judgements, found.faults) == ((sold(gross),), ())
    assert [(one.receiver, one.amount) for one in found.fills[0].payments] == [(FEES, PART)]


@pytest.mark.parametrize(
    ("fees", "to_seller"),
    [
        ({"taker_fee": TWENTIETH}, ONE_ETHER - PART),  # the seller took the bid
        ({"maker_fee": TWENTIETH}, ONE_ETHER),  # the buyer made it, and pays for that
    ],
)
def test_the_fee_of_a_taken_bid_is_the_sellers_and_its_makers_comes_on_top(
    fees: dict[str, Any], to_seller: int
) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=2),
        _pool(PART, ALICE, FEES, index=3),
        _pool(to_seller, ALICE, BOB, index=4),
        packed(trader=ALICE, side=BID, index=5, **fees),
    ]
    found = _judged(*logs, sender=BOB)
    assert (found.judgements, found.faults) == ((sold(to_seller + PART, POOL_ETHER),), ())


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


def test_units_of_an_erc1155_are_one_item_at_the_price_of_all() -> None:
    event = execution(trader=BOB, side=ASK, kind=1, amount=3, price=30, index=5)
    found = _judged(erc1155(APES, 7, 3, BOB, ALICE, index=4), event, value=30)
    assert (found.judgements, found.faults) == ((sold(30),), ())
    assert found.fills[0].items[0].amount == 3


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
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 8, BOB, CAROL, index=2),
        packed(trader=ALICE, side=BID, token_id=7, price=30, index=3),
        packed(trader=CAROL, side=BID, token_id=8, price=30, index=4),
        _pool(30, ALICE, BLUR_2, index=5),
        _pool(30, BLUR_2, BOB, index=6),
    ]
    found = _judged(*logs, sender=BOB)
    assert [one.log_index for one in found.faults] == [4]
    assert [one.price for one in found.judgements] == [30, 0]


def test_an_ask_may_be_paid_with_ether_that_is_taken_out_of_the_pool_first() -> None:
    logs = [
        _pool(ONE_ETHER, ALICE, ZERO, index=3),
        erc721(APES, 7, BOB, ALICE, index=4),
        packed(trader=BOB, side=ASK, index=5),
    ]
    found = _judged(*logs, value=0)
    assert (found.judgements, found.faults) == ((sold(ONE_ETHER, ETHER),), ())


def test_an_ask_that_nobody_brought_the_ether_for_is_a_fault() -> None:
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), packed(trader=BOB, side=ASK, index=5), value=1)
    assert "was called with 1 wei" in found.faults[0].reason
    assert found.judgements[0].price == 0


def test_an_nft_bought_and_sold_into_a_bid_in_one_transaction_is_sold_twice() -> None:
    logs = [
        erc721(APES, 7, BOB, DAN, index=1),
        packed(trader=BOB, side=ASK, price=90, index=2),
        erc721(APES, 7, DAN, CAROL, index=3),
        _pool(100, CAROL, DAN, index=4),
        packed(trader=CAROL, side=BID, price=100, index=5),
    ]
    found = verdict(of_transaction(logs, target=DAN, value=90))
    assert (found.judgements, found.faults) == ((sold(90), sold(100, POOL_ETHER)), ())


def test_what_the_aggregator_buys_goes_to_the_buyer_at_once() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=4), packed(trader=BOB, side=ASK, index=5)]
    found = verdict(of_transaction(logs, target=AGGREGATOR, value=2 * ONE_ETHER))
    assert (found.judgements, found.markets) == ((sold(ONE_ETHER),), ("blur",))


def test_bids_on_blast_are_paid_in_the_pool_of_that_chain() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=3),
        erc20(POOL_ON_BLAST, ONE_ETHER, ALICE, BOB, index=4),
        packed(trader=ALICE, side=BID, contract=BLUR_2_ON_BLAST, index=5),
    ]
    found = verdict(of_transaction(logs, target=BLUR_2_ON_BLAST, sender=BOB), BLAST)
    assert (found.judgements, found.faults) == ((sold(ONE_ETHER, POOL_ON_BLAST),), ())


def test_a_bid_on_a_chain_whose_pool_is_not_known_is_a_fault() -> None:
    transaction = of_transaction(
        [erc721(APES, 7, BOB, ALICE, index=3), packed(trader=ALICE, side=BID, index=5)], target=BLUR_2
    )
    added = registry(POLYGON, [Deployment(BLUR_2, "blur-2", "blur")])
    found = classify(transaction, moves_of(transaction, POLYGON), added)
    assert (found.judgements, [one.log_index for one in found.faults]) == ((PASSED_ON,), [5])


@pytest.mark.parametrize("side", [ASK, BID])
def test_an_order_filled_for_nothing_is_no_sale(side: int) -> None:
    event = packed(trader=BOB if side == ASK else ALICE, side=side, price=0, taker_fee=TWENTIETH, index=5)
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), event)
    assert (found.judgements, found.faults) == ((PASSED_ON,), ())


def test_a_look_alike_of_another_contract_is_no_sale() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=4), packed(trader=BOB, side=ASK, contract=DAN, index=5)]
    found = verdict(of_transaction(logs, target=DAN, value=ONE_ETHER))
    assert (found.judgements, found.markets, found.is_commercial) == ((PASSED_ON,), (), False)


def test_cancelled_listings_and_orders_are_no_sale() -> None:
    cancelled = log(
        "CancelTrade(address,bytes32,uint256,uint256)",
        [BOB],
        "5e" * 32 + word(0) + word(1),
        contract=BLUR_2,
        index=5,
    )
    nonce = log("NonceIncremented(address,uint256)", [BOB], word(1), contract=BLUR_2, index=6)
    found = _judged(erc721(APES, 7, BOB, ALICE, index=4), cancelled, nonce)
    assert (found.judgements, found.fills, found.faults) == ((PASSED_ON,), (), ())


def test_a_sale_of_what_no_log_moved_is_a_fault() -> None:
    found = _judged(packed(trader=BOB, side=ASK, index=5), value=ONE_ETHER)
    assert "No NFT log delivers 1" in found.faults[0].reason
