"""LooksRare 2: asks, bids and bundles, by `TakerBid` and `TakerAsk` as they are published."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    WETH,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
)
from tests.markets.looksrare_events import FEES, LOOKSRARE_2, trade_2

CREATOR = "0x" + "c4" * 20


def test_an_ask_in_ether_is_sold_for_the_proceeds_the_royalty_and_the_fee_together() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 990), creator=(CREATOR, 5), fee=5, index=2),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2, value=1000))
    assert (found.judgements, found.faults) == ((sold(1000),), ())
    assert (found.markets, found.is_commercial) == (("looksrare",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer, fill.currency) == (Side.ASK, BOB, ALICE, ETHER)
    assert fill.order_hashes == ("0x" + "10" * 32,)


def test_an_ask_bought_for_somebody_else_is_sold_to_who_gets_it() -> None:
    logs = [
        erc721(APES, 7, BOB, CAROL, index=1),
        trade_2("TakerBid", ALICE, CAROL, proceeds=(BOB, 1000), index=2),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2, value=1000))
    assert found.judgements == (sold(1000),)
    assert found.fills[0].buyer == ALICE


def test_a_bid_that_is_accepted_is_sold_by_the_taker_though_another_gets_the_proceeds() -> None:
    logs = [
        erc721(APES, 7, ALICE, BOB, index=1),
        erc20(WETH, 990, BOB, CAROL, index=2),
        erc20(WETH, 5, BOB, CREATOR, index=3),
        trade_2(
            "TakerAsk",
            ALICE,
            BOB,
            proceeds=(CAROL, 990),
            creator=(CREATOR, 5),
            fee=5,
            currency=WETH,
            index=4,
        ),
        erc20(WETH, 5, BOB, FEES, index=5),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, ALICE, BOB)
    assert [(one.receiver, one.amount) for one in fill.payments] == [(CAROL, 990), (CREATOR, 5), (FEES, 5)]


def test_a_bundle_has_no_price_for_one_nft_but_every_leg() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 8, BOB, ALICE, index=2),
        trade_2(
            "TakerBid", ALICE, ALICE, token_ids=(7, 8), amounts=(1, 1), proceeds=(BOB, 995), fee=5, index=3
        ),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2, value=1000))
    assert [one.transfer_type for one in found.judgements] == ["sale", "sale"]
    assert {one.price for one in found.judgements} == {0}
    assert found.judgements[0].swaps == (
        Leg(APES, 7, BOB, ALICE, 1, "looksrare"),
        Leg(APES, 8, BOB, ALICE, 1, "looksrare"),
        Leg(ETHER, None, ALICE, BOB, 995, "looksrare"),
        Leg(
            ETHER, None, ALICE, LOOKSRARE_2, 5, "looksrare"
        ),  # ether leaves no log: the exchange passes it on
    )


def test_a_batch_of_asks_has_a_price_each_and_pays_its_fees_at_the_end_at_once() -> None:
    logs = [
        erc20(WETH, 990, ALICE, BOB, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 990), fee=10, currency=WETH, index=3),
        erc20(WETH, 495, ALICE, CAROL, index=4),
        erc721(APES, 8, CAROL, ALICE, index=5),
        trade_2(
            "TakerBid", ALICE, ALICE, token_ids=(8,), proceeds=(CAROL, 495), fee=5, currency=WETH, index=6
        ),
        erc20(WETH, 15, ALICE, FEES, index=7),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2))
    assert (found.judgements, found.faults) == ((sold(1000, WETH), sold(500, WETH)), ())


def test_units_of_an_erc1155_are_one_item_with_the_whole_price() -> None:
    logs = [
        erc1155(APES, 7, 5, BOB, ALICE, index=1),
        trade_2("TakerBid", ALICE, ALICE, amounts=(5,), proceeds=(BOB, 1000), index=2),
    ]
    assert verdict(of_transaction(logs, target=LOOKSRARE_2, value=1000)).judgements == (sold(1000),)


def test_more_ether_than_the_transaction_brought_is_not_published_as_a_price() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, ONE_ETHER), index=2),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2, value=1))
    assert (found.judgements[0].currency, len(found.faults)) == (None, 1)


def test_an_order_filled_for_nothing_is_no_sale() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 0), index=2),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_a_look_alike_event_of_a_contract_that_is_no_deployment_sells_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 1000), contract=CAROL, index=2),
    ]
    found = verdict(of_transaction(logs, target=CAROL, value=1000))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial) == ((), False)


def _cut(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:-32])


def _with_a_topic(event: RawLog) -> RawLog:
    return event._replace(topics=(*event.topics, "0x" + "00" * 32))


def _endless(event: RawLog) -> RawLog:
    """The list of item ids claims to be longer than any data."""
    return event._replace(data=event.data[: 15 * 32] + b"\xff" * 32 + event.data[16 * 32 :])


@pytest.mark.parametrize("harm", [_cut, _with_a_topic, _endless])
def test_a_malformed_trade_is_a_fault_and_the_others_are_still_read(
    harm: Callable[[RawLog], RawLog],
) -> None:
    logs = [
        harm(trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 1), index=1)),
        erc721(APES, 7, BOB, ALICE, index=2),
        trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, 1000), index=3),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2, value=1000))
    assert found.judgements == (sold(1000),)
    assert [(fault.protocol, fault.log_index) for fault in found.faults] == [("looksrare-2", 1)]


@pytest.mark.parametrize(
    ("token_ids", "amounts"),
    [((), ()), ((7, 8), (1,)), ((7,), (0,))],
    ids=["of nothing", "lists of unequal length", "of no units"],
)
def test_a_trade_that_the_exchange_would_refuse_is_a_fault(
    token_ids: tuple[int, ...], amounts: tuple[int, ...]
) -> None:
    event = trade_2(
        "TakerBid", ALICE, ALICE, token_ids=token_ids, amounts=amounts, proceeds=(BOB, 9), index=1
    )
    found = verdict(of_transaction([event, erc721(APES, 7, BOB, ALICE, index=2)], value=9))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [fault.log_index for fault in found.faults] == [1]


@UNHURRIED
@given(
    st.lists(st.tuples(st.integers(0, 2**256 - 1), st.integers(1, 2**128)), min_size=1, max_size=5),
    st.tuples(st.integers(0, 2**128), st.integers(0, 2**128), st.integers(0, 2**128)),
)
def test_the_price_is_always_the_sum_of_the_three_amounts_and_the_items_are_those_listed(
    items: list[tuple[int, int]], paid: tuple[int, int, int]
) -> None:
    event = trade_2(
        "TakerAsk",
        ALICE,
        BOB,
        token_ids=[token_id for token_id, _ in items],
        amounts=[amount for _, amount in items],
        proceeds=(ALICE, paid[0]),
        creator=(CREATOR, paid[1]),
        fee=paid[2],
        index=1,
    )
    fill = verdict(of_transaction([event])).fills[0]
    assert fill.price == sum(paid)
    assert [(item.token_id, item.amount) for item in fill.items] == items
    assert sum(one.amount for one in fill.payments) == sum(paid)
