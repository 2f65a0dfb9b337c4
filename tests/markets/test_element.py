"""Element: its four events with fees, and those of its first version, as they are published."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Payment, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log, words
from tests.markets.building import (
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.zeroex_events import ELEMENT, ORDER, element, element_first

FEES = "0x" + "fe" * 20
CREATOR = "0x" + "c4" * 20
OTHERS = [
    (56, "0xb3e3dfcb2d9f3dde16d78b9e6eb3538eb32b5ae1"),
    (137, "0xeaf5453b329eb38be159a872a6ce91c9a8fb0260"),
    (42161, "0x18cd9270dbdca86d470cfb3be1b156241fffa9de"),
    (8453, "0xa39a5f160a1952ddf38781bd76e402b0006912a9"),
]


def test_a_price_above_what_the_exchange_was_sent_is_a_fault() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), element("Sell", BOB, ALICE, 1000)]
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
        erc721(APES, 7, ALICE, BOB),
        erc20(WETH, 1000, BOB, ALICE),
        erc20(WETH, 25, BOB, FEES),
        element_first("Buy", BOB, ALICE, 1000, currency=WETH),
    ]
    found = verdict(of_transaction(logs, target=ELEMENT))
    assert (found.judgements, found.fills[0].order_hashes) == ((sold(1025, WETH),), (ORDER,))
    order = element_first("Sell", BOB, ALICE, 1000, units=2, index=2)
    logs = [erc1155(APES, 7, 2, BOB, ALICE, index=1), order]
    assert verdict(of_transaction(logs, target=ELEMENT, value=1000)).judgements == (sold(1000),)
    assert verdict(of_transaction(logs, target=ELEMENT, value=1025)).judgements[0].currency is None


_sent = partial(Case, to=ELEMENT)
CASES = {
    "a sell order tells all that the buyer pays whatever the transaction brings": Case(
        ape(BOB, ALICE),
        element("Sell", BOB, ALICE, 1000, fees=[(FEES, 25), (CREATOR, 0)]),
        to=CAROL,
        value=5000,
    ).was(
        sold(1000),
        at="element",
        deal=(Side.ASK, BOB, ALICE),
        order_hashes=(ORDER,),
        also=lambda found: [one.receiver for one in found.fills[0].payments] == [FEES],
    ),
    "a buy order is paid by its maker fees included": _sent(
        erc1155(APES, 7, 3, ALICE, BOB),
        weth(950, BOB, ALICE),
        weth(50, BOB, FEES),
        element("Buy", BOB, ALICE, 1000, fees=[(FEES, 50)], currency=WETH, units=3),
    ).was(sold(1000, WETH), deal=(Side.BID, ALICE, BOB), payments=(Payment(WETH, 50, FEES),)),
    "a fee in a token that was not paid is a fault": _sent(
        ape(ALICE, BOB),
        weth(1000, BOB, ALICE),
        element("Buy", BOB, ALICE, 1000, fees=[(FEES, 50)], currency=WETH),
    ).was("sale", faults=1),
    "two orders of the first version that were matched are one sale": _sent(
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        weth(20, ALICE, CAROL),
        element_first("Sell", BOB, ALICE, 100, currency=WETH),
        element_first("Buy", ALICE, BOB, 120, currency=WETH),
        sender=CAROL,
    ).was(sold(120, WETH), also=lambda found: len(found.fills) == 1),
    **{
        f"an order filled for nothing is no sale: {label}": _sent(
            ape(BOB, ALICE), order("Sell", BOB, ALICE, 0)
        ).was("transfer")
        for label, order in enumerate([element, element_first], 1)
    },
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_element(case: Case) -> None:
    case.holds()


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
        erc721(APES, 7, BOB, ALICE),
        log("ERC721OrderCancelled(address,uint256)", data=words(BOB, 9), contract=ELEMENT),
        element("Sell", BOB, ALICE, 100, contract=CAROL),
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
