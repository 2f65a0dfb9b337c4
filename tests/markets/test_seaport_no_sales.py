"""Seaport: what must not be taken for a sale, and what must not be published as a price."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.seaport_events import (
    ANOTHER,
    MIRROR,
    ORDER,
    SEAPORT_15,
    Item,
    erc20_item,
    nft_item,
    order_fulfilled,
    orders_matched,
    paid,
)

FOREIGN, LOOK_ALIKE = "0x" + "f0" * 20, "0x" + "15" * 20


def _ask(consideration: list[Item], *, contract: str = SEAPORT_15, index: int = 1) -> RawLog:
    return order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=consideration,
        index=index,
        contract=contract,
    )


@pytest.mark.parametrize("consideration", [[], [paid(0, BOB)], [erc20_item(WETH, 0, BOB)]])
def test_an_nft_that_goes_for_nothing_is_not_sold(consideration: list[Item]) -> None:
    """Phishing: the victim signs an order that asks for nothing. A market's order was filled all the same."""
    found = verdict(of_transaction([_ask(consideration), erc721(APES, 7, BOB, ALICE, index=2)]))
    assert [(one.transfer_type, one.swaps) for one in found.judgements] == [("transfer", ())]
    assert (found.is_commercial, found.markets, found.faults) == (True, ("opensea",), ())


@pytest.mark.parametrize("money", [paid(100, ALICE), erc20_item(WETH, 100, ALICE)])
def test_an_nft_whose_buyer_pays_only_themselves_is_not_sold(money: Item) -> None:
    logs = [_ask([money]), erc721(APES, 7, BOB, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100))
    assert [(one.transfer_type, one.swaps) for one in found.judgements] == [("transfer", ())]
    assert (found.is_commercial, found.faults) == (True, ())


def test_nothing_for_nothing_is_not_sold_in_a_match_either() -> None:
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=ALICE,
        offer=[],
        consideration=[nft_item(APES, 7, ALICE)],
        index=2,
        order=MIRROR,
    )
    logs = [_ask([]), mirror, orders_matched([ORDER, MIRROR], index=3), erc721(APES, 7, BOB, ALICE, index=4)]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert found.is_commercial


def test_orders_that_are_cancelled_are_not_filled() -> None:
    logs = [
        log("OrderCancelled(bytes32,address,address)", [BOB, ZERO], ORDER[2:], contract=SEAPORT_15, index=1),
        log("CounterIncremented(uint256,address)", [BOB], f"{3:064x}", contract=SEAPORT_15, index=2),
        erc721(APES, 7, BOB, ALICE, index=3),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.fills, found.faults, found.is_commercial, found.markets) == ((), (), False, ())


def test_money_for_money_is_nothing_of_nfts() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 5)],
        consideration=[paid(5, BOB)],
        index=1,
    )
    assert verdict(of_transaction([event], value=5)).fills == ()


def test_the_event_of_another_contract_is_nobodys() -> None:
    logs = [_ask([paid(100, BOB)], contract=LOOK_ALIKE), erc721(APES, 7, BOB, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=LOOK_ALIKE, value=100))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.fills, found.is_commercial) == ((), False)


def test_an_nft_that_was_never_delivered_is_a_fault_and_no_sale() -> None:
    """A token that shows the buyer mints of somebody else's instead of what was sold."""
    logs = [
        erc721(FOREIGN, 7, ZERO, CAROL, index=1),
        erc721(FOREIGN, 8, ZERO, CAROL, index=2),
        _ask([paid(100, BOB)], index=3),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("mint", None)] * 2
    assert found.is_commercial
    (fault,) = found.faults
    assert (fault.price, fault.log_index) == (100, 3)
    assert "No NFT log delivers" in fault.reason


def test_a_token_that_keeps_a_fee_pays_less_than_the_event_tells() -> None:
    """The seller was to get 100 and got 90: the sale is shown with its legs, its price is not."""
    logs = [
        _ask([erc20_item(WETH, 100, BOB)]),
        erc721(APES, 7, BOB, ALICE, index=2),
        erc20(WETH, 90, ALICE, BOB, index=3),
        erc20(WETH, 10, ALICE, CAROL, index=4),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15))
    (judged,) = found.judgements
    assert (judged.transfer_type, judged.currency) == ("sale", None)
    assert [(leg.contract, leg.sender, leg.receiver) for leg in judged.swaps] == [
        (APES, BOB, ALICE),
        (WETH, ALICE, BOB),
    ]
    (fault,) = found.faults
    assert fault.reason == f"{BOB} was to get 100 of {WETH}, and got 90 of {WETH} in all."


def test_ether_that_nobody_brought_is_no_price() -> None:
    logs = [_ask([paid(100, BOB)]), erc721(APES, 7, BOB, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=60))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)]
    assert len(found.faults) == 1


def _cut(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:-32])


def _endless(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:64] + (2**255).to_bytes(32, "big") + event.data[96:])


def _of_no_type(event: RawLog) -> RawLog:
    offer = 4 * 32 + 32
    return event._replace(data=event.data[:offer] + (6).to_bytes(32, "big") + event.data[offer + 32 :])


def _without_zone(event: RawLog) -> RawLog:
    return event._replace(topics=event.topics[:2])


@pytest.mark.parametrize("broken", [_cut, _endless, _of_no_type, _without_zone])
def test_a_malformed_event_is_a_fault_and_the_others_are_read(broken: Callable[[RawLog], RawLog]) -> None:
    whole = order_fulfilled(
        offerer=CAROL,
        recipient=ALICE,
        offer=[nft_item(APES, 8)],
        consideration=[paid(5, CAROL)],
        index=3,
        order=ANOTHER,
    )
    logs = [
        broken(_ask([paid(100, BOB)])),
        erc721(APES, 7, BOB, ALICE, index=2),
        whole,
        erc721(APES, 8, CAROL, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=105))
    assert [one.transfer_type for one in found.judgements] == ["transfer", "sale"]
    assert found.judgements[1] == sold(5)
    assert [fault.log_index for fault in found.faults] == [1]


def test_a_match_that_cannot_be_read_leaves_its_orders_as_they_are() -> None:
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=ALICE,
        offer=[paid(100)],
        consideration=[nft_item(APES, 7, ALICE)],
        index=2,
        order=MIRROR,
    )
    logs = [
        _ask([paid(100, BOB)]),
        mirror,
        _cut(orders_matched([ORDER, MIRROR], index=3)),
        erc721(APES, 7, BOB, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target="0x" + "99" * 20, value=100))
    assert found.judgements == (sold(100),)
    assert found.faults[0].log_index == 3


@UNHURRIED
@given(data=st.binary(max_size=600), topics=st.integers(0, 4))
def test_no_data_makes_the_reader_fail(data: bytes, topics: int) -> None:
    event = _ask([paid(100, BOB)])
    odd = event._replace(data=data, topics=(event.topics * 2)[: topics or 1])
    matched = orders_matched([ORDER], index=2)._replace(data=data)
    verdict(of_transaction([odd, matched, erc721(APES, 7, BOB, ALICE, index=3)], target=SEAPORT_15))
