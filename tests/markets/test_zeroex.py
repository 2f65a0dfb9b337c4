"""0x 4: orders for NFTs, by its two events as they are published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log, words
from tests.markets.building import PRICELESS, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.zeroex_events import BUY, SELL, ZEROEX, filled

OPTIMISM, ZEROEX_ON_OPTIMISM = 10, "0xdef1abe32c034e558cdd535791643c58a13acc10"
FEES = "0x" + "fe" * 20


@pytest.mark.parametrize("target", [ZEROEX, CAROL])
def test_a_sell_order_for_ether_costs_what_it_tells_where_no_more_was_brought(target: str) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), filled(SELL, BOB, ALICE, 100, index=2)]
    found = verdict(of_transaction(logs, target=target, value=100))
    assert found.judgements == (sold(100),)
    assert (found.markets, found.is_commercial, found.faults) == (("zeroex",), True, ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.ASK, BOB, ALICE)


def test_more_ether_than_that_may_be_fees_or_be_handed_back_and_no_price_is_told() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), filled(SELL, BOB, ALICE, 100, index=2)]
    found = verdict(of_transaction(logs, target=ZEROEX, value=105))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert Leg(NATIVE, None, ALICE, BOB, 100, "zeroex") in found.judgements[0].swaps
    assert [one.reason for one in found.faults] == [PRICELESS]


def test_a_buy_order_costs_its_maker_the_fees_on_top_too() -> None:
    logs = [
        erc721(APES, 7, ALICE, BOB, index=1),
        erc20(WETH, 100, BOB, ALICE, index=2),
        erc20(WETH, 5, BOB, FEES, index=3),
        filled(BUY, BOB, ALICE, 100, currency=WETH, index=4),
    ]
    found = verdict(of_transaction(logs, target=ZEROEX))
    assert (found.judgements, found.faults) == ((sold(105, WETH),), ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.BID, ALICE, BOB)


def test_each_order_of_a_batch_has_the_payments_since_the_one_before_it() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        filled(SELL, BOB, ALICE, 100, currency=WETH, index=3),
        erc1155(APES, 8, 3, CAROL, ALICE, index=4),
        erc20(WETH, 200, ALICE, CAROL, index=5),
        erc20(WETH, 20, ALICE, FEES, index=6),
        filled(SELL, CAROL, ALICE, 200, currency=WETH, token_id=8, units=3, index=7),
    ]
    found = verdict(of_transaction(logs, target=ZEROEX))
    assert found.judgements == (sold(100, WETH), sold(220, WETH))


def test_what_the_buyer_swaps_before_it_gets_the_nft_is_no_part_of_the_price() -> None:
    logs = [
        erc20(WETH, 777, ALICE, CAROL, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        erc20(WETH, 100, ALICE, BOB, index=3),
        erc20(WETH, 5, ALICE, FEES, index=4),
        filled(SELL, BOB, ALICE, 100, currency=WETH, index=5),
    ]
    assert verdict(of_transaction(logs, target=ALICE)).judgements == (sold(105, WETH),)


def test_two_orders_that_were_matched_are_one_sale_at_all_that_the_buyer_pays() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        erc20(WETH, 20, ALICE, CAROL, index=3),  # what the matcher earns
        erc20(WETH, 5, ALICE, FEES, index=4),
        filled(SELL, BOB, ALICE, 100, currency=WETH, matcher=CAROL, index=5),
        filled(BUY, ALICE, BOB, 120, currency=WETH, matcher=CAROL, index=6),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=ZEROEX))
    assert (found.judgements, found.faults) == ((sold(125, WETH),), ())
    assert len(found.fills) == 1


def test_a_price_in_a_token_that_nobody_sent_is_a_fault() -> None:
    logs = [
        erc721(APES, 7, ALICE, BOB, index=1),
        erc20(WETH, 99, BOB, ALICE, index=2),
        filled(BUY, BOB, ALICE, 100, currency=WETH, index=3),
    ]
    found = verdict(of_transaction(logs, target=ZEROEX))
    assert len(found.faults) == 1
    assert found.judgements[0].currency is None


def test_an_order_filled_for_nothing_is_no_sale() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), filled(SELL, BOB, ALICE, 0, index=2)]
    found = verdict(of_transaction(logs, target=ZEROEX))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_swaps_of_tokens_and_cancelled_orders_of_the_same_contract_say_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        log("ERC721OrderCancelled(address,uint256)", data=words(BOB, 9), contract=ZEROEX, index=2),
        log("TransformedERC20(address,address,address,uint256,uint256)", [ALICE], contract=ZEROEX, index=3),
        filled(SELL, BOB, ALICE, 100, contract=CAROL, index=4),
    ]
    found = verdict(of_transaction(logs, target=ZEROEX, value=100))
    assert (found.fills, found.faults, found.markets) == ((), (), ())


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = filled(SELL, BOB, ALICE, 100, index=6)
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        good._replace(data=good.data[:-1], log_index=2),
        good._replace(topics=good.topics * 2, log_index=3),
        filled(2, BOB, ALICE, 100, index=4),
        filled(SELL, BOB, ALICE, 100, units=0, index=5),
        good,
    ]
    found = verdict(of_transaction(logs, target=ZEROEX, value=100))
    assert [fault.log_index for fault in found.faults] == [2, 3, 4, 5]
    assert found.judgements == (sold(100),)


def test_the_proxy_of_another_chain_has_its_own_address() -> None:
    order = filled(SELL, BOB, ALICE, 100, contract=ZEROEX_ON_OPTIMISM, index=2)
    logs = [erc721(APES, 7, BOB, ALICE, index=1), order]
    assert verdict(of_transaction(logs, target=ZEROEX_ON_OPTIMISM, value=100), OPTIMISM).judgements == (
        sold(100),
    )


@UNHURRIED
@given(told=st.lists(st.integers(1, 10**20), min_size=1, max_size=5), value=st.integers(0, 10**21))
def test_prices_in_ether_are_told_only_where_they_add_up_to_what_was_brought(
    told: list[int], value: int
) -> None:
    logs = []
    for number, price in enumerate(told):
        logs.append(erc721(APES, number, BOB, ALICE, index=2 * number))
        logs.append(filled(SELL, BOB, ALICE, price, token_id=number, index=2 * number + 1))
    for brought in (value, sum(told)):
        prices = [one.price for one in verdict(of_transaction(logs, target=CAROL, value=brought)).judgements]
        assert prices == (told if brought == sum(told) else [0] * len(told))
