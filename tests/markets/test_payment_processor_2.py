"""Limit Break's Payment Processor 2: listings and offers as they are published, and fees on top of them."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import NATIVE, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, words
from tests.markets.building import WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.looksrare_events import taker_bid_1
from tests.markets.payment_processor_events import PROCESSOR_2, accepted, bought

FORWARDER = "0x5ebc127fae83ed5bdd91fc6a5f5767e259df5642"
FEES = "0x" + "fe" * 20


@pytest.mark.parametrize("target", [PROCESSOR_2, FORWARDER])
def test_a_listing_costs_what_the_event_tells_where_no_more_was_brought(target: str) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), bought(ALICE, BOB, 100, index=2)]
    found = verdict(of_transaction(logs, target=target, value=100))
    assert found.judgements == (sold(100),)
    assert (found.markets, found.is_commercial, found.faults) == (("magiceden",), True, ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.ASK, BOB, ALICE)


def test_more_ether_may_be_a_fee_on_top_or_be_handed_back_and_no_price_is_told() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), bought(ALICE, BOB, 100, index=2)]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=105))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert Leg(NATIVE, None, ALICE, BOB, 100, "magiceden") in found.judgements[0].swaps


def test_a_sweep_in_ether_has_a_price_for_each_item() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        bought(ALICE, BOB, 100, index=2),
        erc1155(APES, 8, 5, CAROL, ALICE, index=3),
        bought(ALICE, CAROL, 250, token_id=8, units=5, index=4),
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=350))
    assert found.judgements == (sold(100), sold(250))


def test_the_nft_may_go_to_a_beneficiary() -> None:
    logs = [erc721(APES, 7, BOB, CAROL, index=1), bought(ALICE, BOB, 100, index=2)]
    assert verdict(of_transaction(logs, target=PROCESSOR_2, value=100)).judgements == (sold(100),)


def test_an_offer_names_the_seller_first() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 5, ALICE, FEES, index=2),
        erc20(WETH, 95, ALICE, BOB, index=3),
        accepted(BOB, ALICE, 100, coin=WETH, index=4),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=PROCESSOR_2))
    assert (found.judgements, found.faults) == ((sold(100, WETH),), ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.BID, BOB, ALICE)


@pytest.mark.parametrize("fee_index", [3, 6])
def test_a_fee_on_top_in_a_token_is_a_part_of_the_price(fee_index: int) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=2),
        erc20(WETH, 2, ALICE, FEES, index=fee_index),
        erc20(WETH, 100, ALICE, BOB, index=4),
        bought(ALICE, BOB, 100, coin=WETH, index=5),
    ]
    assert verdict(of_transaction(logs, target=PROCESSOR_2)).judgements == (sold(102, WETH),)


def two_offers(*more: tuple[int, int]) -> list[RawLog]:
    """Two items at 100 and 200 in a token, and what else the buyer sends: at which log, how much."""
    return [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        bought(ALICE, BOB, 100, coin=WETH, index=3),
        erc721(APES, 8, CAROL, ALICE, index=4),
        erc20(WETH, 200, ALICE, CAROL, index=5),
        bought(ALICE, CAROL, 200, coin=WETH, token_id=8, index=6),
        *(erc20(WETH, amount, ALICE, FEES, index=index) for index, amount in more),
    ]


def test_items_of_a_sweep_in_a_token_have_prices_where_nothing_came_on_top() -> None:
    logs = two_offers()
    assert verdict(of_transaction(logs, target=PROCESSOR_2)).judgements == (sold(100, WETH), sold(200, WETH))


def test_one_fee_on_top_of_a_whole_sweep_is_not_split() -> None:
    logs = two_offers((7, 30))
    found = verdict(of_transaction(logs, target=PROCESSOR_2))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2


def test_what_the_buyer_pays_at_another_market_is_no_fee_on_top() -> None:
    other = [
        erc20(WETH, 55, ALICE, CAROL, index=11),
        erc721(APES, 9, CAROL, ALICE, index=12),
        taker_bid_1(buyer=ALICE, seller=CAROL, token_id=9, price=55, index=13),
    ]
    single = [
        erc721(APES, 7, BOB, ALICE, index=21),
        erc20(WETH, 100, ALICE, BOB, index=22),
        bought(ALICE, BOB, 100, coin=WETH, index=23),
    ]
    found = verdict(of_transaction([*other, *single], target=CAROL))
    assert found.judgements == (sold(55, WETH), sold(100, WETH))


def test_a_sale_at_no_price_is_none() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), accepted(BOB, ALICE, 0, coin=WETH, index=2)]
    found = verdict(of_transaction(logs, target=PROCESSOR_2))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_it_has_one_address_on_several_chains() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), bought(ALICE, BOB, 100, index=2)]
    for chain in (137, 8453, 42161):
        found = verdict(of_transaction(logs, target=PROCESSOR_2, value=100), chain)
        assert found.judgements == (sold(100),)


def test_malformed_events_are_faults_and_the_rest_is_read() -> None:
    good = bought(ALICE, BOB, 100, index=5)
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        good._replace(data=good.data[:-1], log_index=2),
        good._replace(topics=good.topics[:3], log_index=3),
        bought(ALICE, BOB, 100, units=0, index=4),
        good,
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=100))
    assert [fault.log_index for fault in found.faults] == [2, 3, 4]
    assert found.judgements == (sold(100),)


def test_cancelled_orders_and_the_sales_of_other_contracts_say_nothing() -> None:
    logs = [
        log(
            "OrderDigestInvalidated(bytes32,address,bool)", [5, BOB], words(1), contract=PROCESSOR_2, index=1
        ),
        erc721(APES, 7, BOB, ALICE, index=2),
        bought(ALICE, BOB, 100, contract=CAROL, index=3),
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=100))
    assert (found.fills, found.faults, found.markets) == ((), (), ())
