"""Seaport: what must not be taken for a sale, and what must not be published as a price."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import WETH, Case, ape, erc20, erc721, judged, of_transaction, sold, verdict
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


def test_money_for_money_is_nothing_of_nfts() -> None:
    event = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[erc20_item(WETH, 5)], consideration=[paid(5, BOB)], index=1
    )
    assert verdict(of_transaction([event], value=5)).fills == ()


def _cut(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:-32])


def _endless(event: RawLog) -> RawLog:
    return event._replace(data=event.data[:64] + (2**255).to_bytes(32, "big") + event.data[96:])


def _of_no_type(event: RawLog) -> RawLog:
    offer = 4 * 32 + 32
    return event._replace(data=event.data[:offer] + (6).to_bytes(32, "big") + event.data[offer + 32 :])


def _without_zone(event: RawLog) -> RawLog:
    return event._replace(topics=event.topics[:2])


_sent = partial(Case, to=SEAPORT_15)
CASES = {
    "nothing for nothing is not sold in a match either": Case(
        _ask([]),
        order_fulfilled(
            offerer=ALICE, offer=[], consideration=[nft_item(APES, 7, ALICE)], index=2, order=MIRROR
        ),
        orders_matched([ORDER, MIRROR], index=3),
        erc721(APES, 7, BOB, ALICE, index=4),
    ).was("transfer", commercial=True),
    "orders that are cancelled are not filled": _sent(
        log("OrderCancelled(bytes32,address,address)", [BOB, ZERO], ORDER[2:], contract=SEAPORT_15),
        log("CounterIncremented(uint256,address)", [BOB], f"{3:064x}", contract=SEAPORT_15),
        ape(BOB, ALICE),
    ).was("transfer", markets=(), commercial=False, fills=0),
    # A token that shows the buyer mints of somebody else's instead of what was sold.
    "an NFT that was never delivered is a fault and no sale": _sent(
        erc721(FOREIGN, 7, ZERO, CAROL), erc721(FOREIGN, 8, ZERO, CAROL), _ask([paid(100, BOB)]), value=100
    ).was(
        *["mint"] * 2,
        commercial=True,
        faults=["No NFT log delivers"],
        also=lambda found: found.faults[0].price == 100,
    ),
    # The seller was to get 100 and got 90: the sale is shown with its legs, its price is not.
    "a token that keeps a fee pays less than the event tells": _sent(
        _ask([erc20_item(WETH, 100, BOB)]),
        erc721(APES, 7, BOB, ALICE, index=2),
        erc20(WETH, 90, ALICE, BOB, index=3),
        erc20(WETH, 10, ALICE, CAROL, index=4),
    ).was(
        "sale",
        faults=1,
        also=lambda found: (
            [(leg.contract, leg.sender, leg.receiver) for leg in found.judgements[0].swaps]
            == [(APES, BOB, ALICE), (WETH, ALICE, BOB)]
            and found.faults[0].reason == f"{BOB} was to get 100 of {WETH}, and got 90 of {WETH} in all."
        ),
    ),
    "ether that nobody brought is no price": _sent(
        _ask([paid(100, BOB)]), erc721(APES, 7, BOB, ALICE, index=2), value=60
    ).was("sale", faults=1),
    **{
        f"a malformed event is a fault and the others are read: {label}": _sent(
            broken(_ask([paid(100, BOB)])),
            erc721(APES, 7, BOB, ALICE, index=2),
            order_fulfilled(
                offerer=CAROL,
                offer=[nft_item(APES, 8)],
                consideration=[paid(5, CAROL)],
                index=3,
                order=ANOTHER,
            ),
            erc721(APES, 8, CAROL, ALICE, index=4),
            value=105,
        ).was("transfer", sold(5), faults=[1])
        for label, broken in enumerate([_cut, _endless, _of_no_type, _without_zone], 1)
    },
    "a match that cannot be read leaves its orders as they are": Case(
        _ask([paid(100, BOB)]),
        order_fulfilled(
            offerer=ALICE, offer=[paid(100)], consideration=[nft_item(APES, 7, ALICE)], index=2, order=MIRROR
        ),
        _cut(orders_matched([ORDER, MIRROR], index=3)),
        erc721(APES, 7, BOB, ALICE, index=4),
        to="0x" + "99" * 20,
        value=100,
    ).was(sold(100), faults=(3, 2)),
}


test_seaport_no_sales = judged(CASES)


@UNHURRIED
@given(data=st.binary(max_size=600), topics=st.integers(0, 4))
def test_no_data_makes_the_reader_fail(data: bytes, topics: int) -> None:
    event = _ask([paid(100, BOB)])
    odd = event._replace(data=data, topics=(event.topics * 2)[: topics or 1])
    matched = orders_matched([ORDER], index=2)._replace(data=data)
    verdict(of_transaction([odd, matched, erc721(APES, 7, BOB, ALICE, index=3)], target=SEAPORT_15))
