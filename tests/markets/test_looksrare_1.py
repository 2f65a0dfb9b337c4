"""LooksRare 1: asks and bids, by `TakerBid` and `TakerAsk` as they are published."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log
from tests.markets.building import (
    ONE_ETHER,
    WETH,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
)
from tests.markets.looksrare_events import FEES, LOOKSRARE_1, taker_ask_1, taker_bid_1
from tests.markets.x2y2_events import ev_inventory

JOEPEGS, AVALANCHE, WAVAX = (
    "0xae079eda901f7727d0715aff8f82ba8295719977",
    43114,
    "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
)
GEM = "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2"
SAND = "0x3845badade8e6dff049820680d1f14bd3903a5d0"


def test_an_ask_paid_in_weth_is_sold_for_what_the_seller_and_the_fees_get_together() -> None:
    logs = [
        erc20(WETH, 5, ALICE, FEES, index=1),
        erc20(WETH, 245, ALICE, BOB, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
        taker_bid_1(buyer=ALICE, seller=BOB, price=250, index=4),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1))
    assert found.judgements == (sold(250, WETH),)
    assert (found.markets, found.is_commercial, found.faults) == (("looksrare",), True, ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.ASK, BOB, ALICE)
    assert fill.order_hashes == ("0x" + "10" * 32,)


def test_an_ask_paid_in_ether_is_sold_in_weth_since_the_exchange_wraps_and_pays_it() -> None:
    logs = [
        log("Deposit(address,uint256)", [LOOKSRARE_1], f"{ONE_ETHER:064x}", contract=WETH, index=1),
        erc20(WETH, ONE_ETHER // 50, LOOKSRARE_1, FEES, index=2),
        erc20(WETH, ONE_ETHER - ONE_ETHER // 50, LOOKSRARE_1, BOB, index=3),
        erc721(APES, 7, BOB, ALICE, index=4),
        taker_bid_1(buyer=ALICE, seller=BOB, price=ONE_ETHER, index=5),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1, value=ONE_ETHER))
    assert found.judgements == (sold(ONE_ETHER, WETH),)
    assert found.faults == ()


def test_an_ask_paid_partly_in_ether_and_partly_in_weth_has_the_whole_as_its_price() -> None:
    logs = [
        erc20(WETH, 400, ALICE, LOOKSRARE_1, index=1),
        erc20(WETH, 1000, LOOKSRARE_1, BOB, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, index=4),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1, value=600))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())


def test_a_bid_that_is_accepted_is_sold_by_the_taker_for_what_the_maker_pays() -> None:
    logs = [
        erc721(APES, 99, ALICE, BOB, index=1),  # a collection bid: the event names the token that was given
        erc20(WETH, 20, BOB, FEES, index=2),
        erc20(WETH, 980, BOB, ALICE, index=3),
        taker_ask_1(seller=ALICE, buyer=BOB, price=1000, token_id=99, index=4),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, ALICE, BOB)


def test_a_trade_in_another_token_has_that_currency() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(SAND, 1000, ALICE, BOB, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, currency=SAND, index=3),
    ]
    assert verdict(of_transaction(logs, target=LOOKSRARE_1)).judgements == (sold(1000, SAND),)


def test_through_an_aggregator_the_leg_that_leaves_the_seller_is_the_sale() -> None:
    logs = [
        erc20(WETH, 1000, LOOKSRARE_1, BOB, index=1),
        erc721(APES, 7, BOB, GEM, index=2),
        taker_bid_1(buyer=GEM, seller=BOB, price=1000, index=3),
        erc721(APES, 7, GEM, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=GEM, value=1300))
    assert [one.transfer_type for one in found.judgements] == ["sale", "transfer"]
    assert found.judgements[0] == sold(1000, WETH)
    assert found.markets == ("looksrare", "gem")


def test_its_own_aggregator_is_the_same_market_and_shows_for_the_orders_of_others_too() -> None:
    aggregator = "0x00000000005228b791a99a61f36a130d50600106"
    logs = [
        erc20(WETH, 1000, LOOKSRARE_1, BOB, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, index=3),
    ]
    assert verdict(of_transaction(logs, target=aggregator, value=1000)).markets == ("looksrare",)
    order = ev_inventory(maker=BOB, taker=ALICE, pairs=[(APES, 7)], price=9, index=2)
    x2y2 = [erc721(APES, 7, BOB, ALICE, index=1), order]
    assert verdict(of_transaction(x2y2, target=aggregator, value=9)).markets == ("x2y2", "looksrare")


def test_several_units_of_an_erc1155_are_one_item_with_the_whole_price() -> None:
    logs = [
        erc20(WETH, 1000, ALICE, BOB, index=1),
        erc1155(APES, 7, 5, BOB, ALICE, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, amount=5, index=3),
    ]
    assert verdict(of_transaction(logs, target=LOOKSRARE_1)).judgements == (sold(1000, WETH),)


def test_an_erc721_is_sold_whatever_amount_the_order_says_since_only_one_can_move() -> None:
    logs = [
        erc20(WETH, 1000, ALICE, BOB, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, amount=5, index=3),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())


def test_two_sales_of_one_nft_in_one_transaction_each_have_their_leg_and_price() -> None:
    logs = [
        erc20(WETH, 40, CAROL, BOB, index=1),
        erc721(APES, 7, BOB, CAROL, index=2),
        taker_bid_1(buyer=CAROL, seller=BOB, price=40, index=3),
        erc721(APES, 7, CAROL, ALICE, index=4),
        erc20(WETH, 65, ALICE, CAROL, index=5),
        taker_ask_1(seller=CAROL, buyer=ALICE, price=65, index=6),
    ]
    assert verdict(of_transaction(logs, target=CAROL)).judgements == (sold(40, WETH), sold(65, WETH))


def test_a_copy_of_the_exchange_on_another_chain_is_read_under_its_own_name() -> None:
    logs = [
        erc20(WAVAX, 1000, ALICE, BOB, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, currency=WAVAX, contract=JOEPEGS, index=3),
    ]
    found = verdict(of_transaction(logs, target=JOEPEGS), AVALANCHE)
    assert (found.judgements, found.markets) == ((sold(1000, WAVAX),), ("joepegs",))


def test_an_order_filled_for_nothing_is_no_sale() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), taker_bid_1(buyer=ALICE, seller=BOB, price=0, index=2)]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert found.is_commercial


def test_a_price_that_nobody_paid_is_not_published() -> None:
    logs = [
        erc20(WETH, 10, ALICE, BOB, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, index=3),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1))
    assert (found.judgements[0].currency, found.judgements[0].price) == (None, 0)
    assert [(fault.protocol, fault.price) for fault in found.faults] == [("looksrare-1", 1000)]


def test_cancelled_orders_and_look_alike_events_of_other_contracts_sell_nothing() -> None:
    logs = [
        log("CancelAllOrders(address,uint256)", [BOB], f"{9:064x}", contract=LOOKSRARE_1, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, contract=CAROL, index=3),
    ]
    found = verdict(of_transaction(logs, target=CAROL, value=1000))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.markets, found.is_commercial, found.fills, found.faults) == ((), False, (), ())


def _cut(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:-1])


def _emptied(event: RawLog) -> RawLog:
    return event._replace(data=b"")


def _without_a_topic(event: RawLog) -> RawLog:
    return event._replace(topics=event.topics[:3])


def _of_no_address(event: RawLog) -> RawLog:
    return event._replace(topics=(event.topics[0], "0x" + "ff" * 32, *event.topics[2:]))


def _of_no_units(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:160] + bytes(32) + event.data[192:])


@pytest.mark.parametrize("harm", [_cut, _emptied, _without_a_topic, _of_no_address, _of_no_units])
def test_a_malformed_trade_is_a_fault_and_the_others_are_still_read(
    harm: Callable[[RawLog], RawLog],
) -> None:
    logs = [
        harm(taker_bid_1(buyer=ALICE, seller=BOB, price=1, index=1)),
        erc20(WETH, 1000, ALICE, BOB, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
        taker_bid_1(buyer=ALICE, seller=BOB, price=1000, index=4),
    ]
    found = verdict(of_transaction(logs, target=LOOKSRARE_1))
    assert found.judgements == (sold(1000, WETH),)
    assert [(fault.protocol, fault.log_index) for fault in found.faults] == [("looksrare-1", 1)]


@UNHURRIED
@given(st.binary(max_size=300), st.integers(1, 4))
def test_whatever_a_trade_holds_it_is_a_fill_or_a_fault(data: bytes, topics: int) -> None:
    event = taker_bid_1(buyer=ALICE, seller=BOB, price=1, index=1)
    found = verdict(of_transaction([event._replace(data=data, topics=event.topics[:topics])]))
    assert found.fills or found.faults
