"""Element: its four events with fees, and those of its first version, as they are published."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log, words
from tests.markets.building import WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.zeroex_events import ELEMENT, ORDER, element, element_first

FEES = "0x" + "fe" * 20
CREATOR = "0x" + "c4" * 20
OTHERS = [
    (56, "0xb3e3dfcb2d9f3dde16d78b9e6eb3538eb32b5ae1"),
    (137, "0xeaf5453b329eb38be159a872a6ce91c9a8fb0260"),
    (42161, "0x18cd9270dbdca86d470cfb3be1b156241fffa9de"),
    (8453, "0xa39a5f160a1952ddf38781bd76e402b0006912a9"),
]


def test_a_sell_order_tells_all_that_the_buyer_pays_whatever_the_transaction_brings() -> None:
    order = element("Sell", BOB, ALICE, 1000, fees=[(FEES, 25), (CREATOR, 0)], index=2)
    logs = [erc721(APES, 7, BOB, ALICE, index=1), order]
    found = verdict(of_transaction(logs, target=CAROL, value=5000))
    assert found.judgements == (sold(1000),)
    assert (found.markets, found.is_commercial, found.faults) == (("element",), True, ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.ASK, BOB, ALICE)
    assert (fill.order_hashes, [one.receiver for one in fill.payments]) == ((ORDER,), [FEES])


def test_a_buy_order_is_paid_by_its_maker_fees_included() -> None:
    logs = [
        erc1155(APES, 7, 3, ALICE, BOB, index=1),
        erc20(WETH, 950, BOB, ALICE, index=2),
        erc20(WETH, 50, BOB, FEES, index=3),
        element("Buy", BOB, ALICE, 1000, fees=[(FEES, 50)], currency=WETH, units=3, index=4),
    ]
    found = verdict(of_transaction(logs, target=ELEMENT))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, ALICE, BOB)
    assert fill.payments == (Payment(WETH, 50, FEES),)


def test_a_fee_in_a_token_that_was_not_paid_is_a_fault() -> None:
    logs = [
        erc721(APES, 7, ALICE, BOB, index=1),
        erc20(WETH, 1000, BOB, ALICE, index=2),
        element("Buy", BOB, ALICE, 1000, fees=[(FEES, 50)], currency=WETH, index=3),
    ]
    found = verdict(of_transaction(logs, target=ELEMENT))
    assert len(found.faults) == 1
    assert found.judgements[0].currency is None


def test_a_price_above_what_the_exchange_was_sent_is_a_fault() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), element("Sell", BOB, ALICE, 1000, index=2)]
    assert len(verdict(of_transaction(logs, target=ELEMENT, value=999)).faults) == 1


def test_each_order_of_a_batch_has_a_price_of_its_own() -> None:
    logs = []
    for number in range(3):
        logs.append(erc721(APES, number, BOB, ALICE, index=2 * number))
        logs.append(element("Sell", BOB, ALICE, 10 + number, token_id=number, index=2 * number + 1))
    found = verdict(of_transaction(logs, target=ELEMENT, value=33))
    assert found.judgements == (sold(10), sold(11), sold(12))


def test_the_first_version_has_its_fees_on_top() -> None:
    logs = [
        erc721(APES, 7, ALICE, BOB, index=1),
        erc20(WETH, 1000, BOB, ALICE, index=2),
        erc20(WETH, 25, BOB, FEES, index=3),
        element_first("Buy", BOB, ALICE, 1000, currency=WETH, index=4),
    ]
    found = verdict(of_transaction(logs, target=ELEMENT))
    assert (found.judgements, found.fills[0].order_hashes) == ((sold(1025, WETH),), (ORDER,))
    order = element_first("Sell", BOB, ALICE, 1000, units=2, index=2)
    logs = [erc1155(APES, 7, 2, BOB, ALICE, index=1), order]
    assert verdict(of_transaction(logs, target=ELEMENT, value=1000)).judgements == (sold(1000),)
    assert verdict(of_transaction(logs, target=ELEMENT, value=1025)).judgements[0].currency is None


def test_two_orders_of_the_first_version_that_were_matched_are_one_sale() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        erc20(WETH, 20, ALICE, CAROL, index=3),
        element_first("Sell", BOB, ALICE, 100, currency=WETH, index=4),
        element_first("Buy", ALICE, BOB, 120, currency=WETH, index=5),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=ELEMENT))
    assert (found.judgements, len(found.fills)) == ((sold(120, WETH),), 1)


@pytest.mark.parametrize("order", [element, element_first])
def test_an_order_filled_for_nothing_is_no_sale(order: Callable[..., RawLog]) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), order("Sell", BOB, ALICE, 0, index=2)]
    found = verdict(of_transaction(logs, target=ELEMENT))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


@pytest.mark.parametrize(("chain", "address"), OTHERS)
def test_it_is_known_on_other_chains_by_other_addresses(chain: int, address: str) -> None:
    order = element("Sell", BOB, ALICE, 10, contract=address, index=2)
    logs = [erc721(APES, 7, BOB, ALICE, index=1), order]
    assert verdict(of_transaction(logs, target=address, value=10), chain).judgements == (sold(10),)
    assert verdict(of_transaction(logs, target=address, value=10)).fills == ()


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = element("Sell", BOB, ALICE, 100, fees=[(FEES, 1)], index=7)
    first = element_first("Sell", BOB, ALICE, 100, index=6)
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        good._replace(data=good.data[:-1], log_index=2),
        good._replace(topics=good.topics * 2, log_index=3),
        element("Sell", BOB, ALICE, 100, fees=[(FEES, 60), (FEES, 60)], index=4),
        element("Sell", BOB, ALICE, 100, units=0, index=5),
        first._replace(data=first.data[:-1]),
        good,
    ]
    found = verdict(of_transaction(logs, target=ELEMENT, value=100))
    assert sorted(fault.log_index for fault in found.faults) == [2, 3, 4, 5, 6]
    assert found.judgements == (sold(100),)


def test_cancelled_orders_and_the_events_of_other_contracts_say_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        log("ERC721OrderCancelled(address,uint256)", data=words(BOB, 9), contract=ELEMENT, index=2),
        element("Sell", BOB, ALICE, 100, contract=CAROL, index=3),
    ]
    found = verdict(of_transaction(logs, target=ELEMENT, value=100))
    assert (found.fills, found.faults, found.is_commercial) == ((), (), False)


@UNHURRIED
@given(
    price=st.integers(1, 2**255),
    parts=st.lists(st.integers(0, 100), max_size=6),
    units=st.one_of(st.none(), st.integers(1, 2**128 - 1)),
)
def test_whatever_its_fees_the_price_is_the_whole_amount(
    price: int, parts: list[int], units: int | None
) -> None:
    fees = [(FEES, price * part // 1000) for part in parts]
    move = (
        erc721(APES, 7, BOB, ALICE, index=1)
        if units is None
        else erc1155(APES, 7, units, BOB, ALICE, index=1)
    )
    order = element("Sell", BOB, ALICE, price, fees=fees, units=units, index=2)
    assert verdict(of_transaction([move, order], target=CAROL)).judgements == (sold(price),)
