"""Rarible 1: `Buy` of its exchange and of the sale contracts before it, as they are published."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import (
    ONE_ETHER,
    WETH,
    Case,
    ape,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.rarible_events import ERC721_SALE, ERC1155_SALE, RARIBLE_1, buy, erc721_sale, erc1155_sale

GENIE = "0x0a267cf51ef038fc00e71801f5a524aec06e4f07"
FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
CATS = "0x" + "ca" * 19 + "75"


def test_a_part_of_an_order_costs_its_part_of_the_price() -> None:
    logs = [erc1155(APES, 7, 2, BOB, ALICE), buy(BOB, ALICE, selling=19, buying=1900, amount=2)]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=205))
    assert found.judgements == (sold(205),)
    logs = [logs[0], buy(BOB, ALICE, selling=3, buying=1000, amount=2, index=2)]  # 666 and two thirds
    assert verdict(of_transaction(logs, target=RARIBLE_1, value=666)).judgements == (sold(666),)


@pytest.mark.parametrize("value", [3 * ONE_ETHER, 0, ONE_ETHER - 1])
def test_through_a_router_the_fee_on_top_is_not_known_and_no_price_is_told(value: int) -> None:
    logs = [erc721(APES, 7, BOB, ALICE), buy(BOB, ALICE, buying=ONE_ETHER)]
    found = verdict(of_transaction(logs, target=GENIE, value=value))
    nft, money = Leg(APES, 7, BOB, ALICE, 1, "rarible"), Leg(NATIVE, None, ALICE, BOB, ONE_ETHER, "rarible")
    assert found.judgements[0].transfer_type == "sale"
    assert (found.judgements[0].currency, found.judgements[0].swaps) == (None, (nft, money))


_sent = partial(Case, to=RARIBLE_1)
CASES = {
    "ether is what the transaction brings since the exchange takes price and fee to the wei": _sent(
        ape(BOB, ALICE), buy(BOB, ALICE, buying=ONE_ETHER), value=ONE_ETHER * 1025 // 1000
    ).was(sold(ONE_ETHER * 1025 // 1000), at="rarible", deal=(Side.ASK, BOB, ALICE)),
    "a router that brings exactly what the event tells paid no fee on top": Case(
        ape(BOB, ALICE), buy(BOB, ALICE, buying=ONE_ETHER), to=GENIE, value=ONE_ETHER
    ).was(sold(ONE_ETHER)),
    **{
        f"less than the price or more than twice of it is not believed: {value}": _sent(
            ape(BOB, ALICE), buy(BOB, ALICE, buying=100), value=value
        ).was("sale", faults=(2,))
        for value in [99, 201]
    },
    # nothing to do with it
    "an ask in a token costs all that the buyer sends for it": _sent(
        ape(BOB, ALICE),
        weth(50, ALICE, FEES),
        weth(975, ALICE, BOB),
        buy(BOB, ALICE, buying=1000, bought=(WETH, 0)),
        weth(4, ALICE, CAROL),
    ).was(sold(1025, WETH)),
    "a bid sells money for an NFT and its owner is the buyer": _sent(
        weth(50, BOB, FEES),
        weth(975, BOB, ALICE),
        ape(ALICE, BOB),
        buy(BOB, ALICE, sold=(WETH, 0), selling=1000, bought=(APES, 7), buying=1, amount=1000),
    ).was(sold(1025, WETH), deal=(Side.BID, ALICE, BOB)),
    "an NFT for an NFT is a swap": _sent(
        ape(BOB, ALICE), erc721(CATS, 8, ALICE, BOB), buy(BOB, ALICE, bought=(CATS, 8), buying=1)
    ).was("swap", "swap", markets=("rarible",)),
    "an order for nothing is no sale": _sent(ape(BOB, ALICE), buy(BOB, ALICE, buying=0)).was("transfer"),
    "the sale contract for ERC-721 takes its fee on top": Case(
        ape(BOB, ALICE), erc721_sale(BOB, ALICE, 1000), to=ERC721_SALE, value=1025
    ).was(sold(1025), markets=("rarible",)),
    "the sale contract for ERC-1155 tells the price of one unit": Case(
        erc1155(APES, 7, 3, BOB, ALICE), erc1155_sale(BOB, ALICE, 100, 3), to=ERC1155_SALE, value=307
    ).was(sold(307)),
}


test_rarible_1 = judged(CASES)


def test_a_sale_that_no_nft_log_delivers_is_a_fault() -> None:
    found = verdict(of_transaction([buy(BOB, ALICE, buying=5, index=2)], target=RARIBLE_1, value=5))
    assert [fault.log_index for fault in found.faults] == [2]


def test_the_same_event_of_another_contract_says_nothing() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), buy(BOB, ALICE, buying=5, contract=CATS)]
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
    logs = [erc721(APES, 7, BOB, ALICE), buy(BOB, ALICE, selling=selling, buying=buying, amount=amount)]
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
