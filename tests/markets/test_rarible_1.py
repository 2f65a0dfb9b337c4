"""Rarible 1: `Buy` of its exchange and of the sale contracts before it, as they are published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import ONE_ETHER, WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.rarible_events import ERC721_SALE, ERC1155_SALE, RARIBLE_1, buy, erc721_sale, erc1155_sale

GENIE = "0x0a267cf51ef038fc00e71801f5a524aec06e4f07"
FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
CATS = "0x" + "ca" * 19 + "75"


def test_ether_is_what_the_transaction_brings_since_the_exchange_takes_price_and_fee_to_the_wei() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), buy(BOB, ALICE, buying=ONE_ETHER, index=2)]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=ONE_ETHER * 1025 // 1000))
    assert found.judgements == (sold(ONE_ETHER * 1025 // 1000),)
    assert (found.markets, found.is_commercial, found.faults) == (("rarible",), True, ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.ASK, BOB, ALICE)


def test_a_part_of_an_order_costs_its_part_of_the_price() -> None:
    logs = [
        erc1155(APES, 7, 2, BOB, ALICE, index=1),
        buy(BOB, ALICE, selling=19, buying=1900, amount=2, index=2),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=205))
    assert found.judgements == (sold(205),)
    logs = [logs[0], buy(BOB, ALICE, selling=3, buying=1000, amount=2, index=2)]  # 666 and two thirds
    assert verdict(of_transaction(logs, target=RARIBLE_1, value=666)).judgements == (sold(666),)


@pytest.mark.parametrize("value", [3 * ONE_ETHER, 0, ONE_ETHER - 1])
def test_through_a_router_the_fee_on_top_is_not_known_and_no_price_is_told(value: int) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), buy(BOB, ALICE, buying=ONE_ETHER, index=2)]
    found = verdict(of_transaction(logs, target=GENIE, value=value))
    nft, money = Leg(APES, 7, BOB, ALICE, 1, "rarible"), Leg(NATIVE, None, ALICE, BOB, ONE_ETHER, "rarible")
    assert found.judgements[0].transfer_type == "sale"
    assert (found.judgements[0].currency, found.judgements[0].swaps) == (None, (nft, money))


def test_a_router_that_brings_exactly_what_the_event_tells_paid_no_fee_on_top() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), buy(BOB, ALICE, buying=ONE_ETHER, index=2)]
    assert verdict(of_transaction(logs, target=GENIE, value=ONE_ETHER)).judgements == (sold(ONE_ETHER),)


@pytest.mark.parametrize("value", [99, 201])
def test_less_than_the_price_or_more_than_twice_of_it_is_not_believed(value: int) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), buy(BOB, ALICE, buying=100, index=2)]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=value))
    assert found.judgements[0].currency is None


def test_an_ask_in_a_token_costs_all_that_the_buyer_sends_for_it() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 50, ALICE, FEES, index=2),
        erc20(WETH, 975, ALICE, BOB, index=3),
        buy(BOB, ALICE, buying=1000, bought=(WETH, 0), index=4),
        erc20(WETH, 4, ALICE, CAROL, index=5),  # nothing to do with it
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_1))
    assert (found.judgements, found.faults) == ((sold(1025, WETH),), ())


def test_a_bid_sells_money_for_an_nft_and_its_owner_is_the_buyer() -> None:
    logs = [
        erc20(WETH, 50, BOB, FEES, index=1),
        erc20(WETH, 975, BOB, ALICE, index=2),
        erc721(APES, 7, ALICE, BOB, index=3),
        buy(BOB, ALICE, sold=(WETH, 0), selling=1000, bought=(APES, 7), buying=1, amount=1000, index=4),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_1))
    assert found.judgements == (sold(1025, WETH),)
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.BID, ALICE, BOB)


def test_an_nft_for_an_nft_is_a_swap() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(CATS, 8, ALICE, BOB, index=2),
        buy(BOB, ALICE, bought=(CATS, 8), buying=1, index=3),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_1))
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]
    assert found.markets == ("rarible",)


def test_an_order_for_nothing_is_no_sale() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), buy(BOB, ALICE, buying=0, index=2)]
    found = verdict(of_transaction(logs, target=RARIBLE_1))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


def test_the_sale_contract_for_erc721_takes_its_fee_on_top() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), erc721_sale(BOB, ALICE, 1000, index=2)]
    found = verdict(of_transaction(logs, target=ERC721_SALE, value=1025))
    assert (found.judgements, found.markets) == ((sold(1025),), ("rarible",))


def test_the_sale_contract_for_erc1155_tells_the_price_of_one_unit() -> None:
    logs = [erc1155(APES, 7, 3, BOB, ALICE, index=1), erc1155_sale(BOB, ALICE, 100, 3, index=2)]
    assert verdict(of_transaction(logs, target=ERC1155_SALE, value=307)).judgements == (sold(307),)


def test_a_sale_that_no_nft_log_delivers_is_a_fault() -> None:
    found = verdict(of_transaction([buy(BOB, ALICE, buying=5, index=2)], target=RARIBLE_1, value=5))
    assert [fault.log_index for fault in found.faults] == [2]


def test_the_same_event_of_another_contract_says_nothing() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), buy(BOB, ALICE, buying=5, index=2, contract=CATS)]
    found = verdict(of_transaction(logs, target=CATS, value=5))
    assert (found.fills, found.markets, found.is_commercial) == ((), (), False)


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = buy(BOB, ALICE, buying=100, index=5)
    bad = [
        good._replace(data=good.data[:-1], log_index=2),
        good._replace(topics=good.topics[:2], log_index=3),
        buy(BOB, ALICE, buying=100, selling=0, index=4),
    ]
    logs = [erc721(APES, 7, BOB, ALICE, index=1), *bad, good]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=100))
    assert [fault.log_index for fault in found.faults] == [2, 3, 4]
    assert found.judgements == (sold(100),)


@UNHURRIED
@given(
    selling=st.integers(1, 2**256 - 1),
    buying=st.integers(0, 2**256 - 1),
    amount=st.integers(0, 2**256 - 1),
    value=st.integers(0, 2**100),
)
def test_no_price_is_told_that_the_transaction_does_not_bring(
    selling: int, buying: int, amount: int, value: int
) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        buy(BOB, ALICE, selling=selling, buying=buying, amount=amount, index=2),
    ]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=value))
    assert found.judgements[0].price in (0, value)


@UNHURRIED
@given(data=st.binary(max_size=400), topics=st.integers(0, 4))
def test_whatever_the_event_holds_it_never_raises(data: bytes, topics: int) -> None:
    event = buy(BOB, ALICE, buying=1, index=2)
    event = event._replace(data=data, topics=(event.topics * 2)[:topics])
    verdict(of_transaction([erc721(APES, 7, BOB, ALICE, index=1), event], target=RARIBLE_1))


def test_what_a_cancelled_order_says_is_no_sale() -> None:
    cancel = log(
        "Cancel(address,uint256,address,address,uint256,uint256)", [APES, 7], contract=RARIBLE_1, index=2
    )
    found = verdict(of_transaction([erc721(APES, 7, BOB, ZERO, index=1), cancel], target=RARIBLE_1))
    assert (found.fills, found.is_commercial) == ((), False)
