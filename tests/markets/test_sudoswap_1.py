"""Sudoswap's first version tells no amounts: prices come from the token's logs, or from exactly what was brought."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    PRICELESS,
    WETH,
    erc20,
    erc721,
    of_transaction,
    sold,
    verdict,
)
from tests.markets.seaport_events import nft_item, order_fulfilled, paid
from tests.markets.sudoswap_events import FACTORY_1, POOL, ROUTER_1, in_1, out_1, spot_price

OTHER_POOL, OWNER = "0x" + "5b" * 20, "0x" + "0d" * 20
TOKEN = "0x" + "70" * 20


def _bought(*, spot: int, at: int = 1, pool: str = POOL, token_id: int = 7) -> list[RawLog]:
    """Alice buys an ape from a pool for ether."""
    return [
        spot_price(spot, index=at, pool=pool),
        erc721(APES, token_id, pool, ALICE, index=at + 1),
        out_1(index=at + 2, pool=pool),
    ]


def _judged(logs: list[RawLog], *, value: int = 0) -> Judgement:
    (judged,) = verdict(of_transaction(logs, target=ROUTER_1, value=value)).judgements
    return judged


def test_an_nft_bought_for_exactly_its_price_and_the_protocols_half_percent_has_that_price() -> None:
    found = verdict(of_transaction(_bought(spot=ONE_ETHER), target=ROUTER_1, value=1_005 * ONE_ETHER // 1000))
    assert (found.judgements, found.faults) == ((sold(1_005 * ONE_ETHER // 1000),), ())
    assert (found.fills[0].seller, found.fills[0].buyer, found.fills[0].side) == (POOL, ALICE, Side.ASK)
    assert (found.markets, found.is_commercial) == (("sudoswap",), True)


def test_the_fee_of_the_pools_owner_is_a_part_of_the_price() -> None:
    # 5 %, as in the recorded purchase V105: each part is rounded down.
    assert _judged(_bought(spot=548637440758291), value=578812499999996) == sold(578812499999996)


@UNHURRIED
@given(spot=st.integers(10**9, 10**24), steps=st.integers(0, 179))
def test_any_fee_of_whole_half_percents_is_found(spot: int, steps: int) -> None:
    value = spot + spot * 5 // 1000 + spot * 5 * steps // 1000
    assert _judged(_bought(spot=spot), value=value) == sold(value)


@pytest.mark.parametrize("percent", [101, 102, 105, 110, 120, 150])
def test_more_than_the_price_may_come_back_so_that_the_price_is_not_known(percent: int) -> None:
    value = 1_005 * ONE_ETHER // 1000 * percent // 100
    judged = _judged(_bought(spot=ONE_ETHER), value=value)
    assert (judged.transfer_type, judged.currency) == ("sale", None)


@pytest.mark.parametrize("value", [0, ONE_ETHER, 1_005 * ONE_ETHER // 1000 - 1])
def test_less_than_the_price_is_none(value: int) -> None:
    judged = _judged(_bought(spot=ONE_ETHER), value=value)
    assert (judged.transfer_type, judged.currency, judged.swaps[1:]) == ("sale", None, ())


def test_a_pool_that_keeps_its_price_does_not_tell_it() -> None:
    judged = _judged(_bought(spot=ONE_ETHER)[1:], value=ONE_ETHER)
    assert (judged.transfer_type, judged.currency) == ("sale", None)


def test_purchases_from_several_pools_have_their_prices_where_these_add_up_to_what_was_brought() -> None:
    logs = [*_bought(spot=1000), *_bought(spot=3000, at=4, pool=OTHER_POOL, token_id=8)]
    found = verdict(of_transaction(logs, value=1005 + 3015))
    assert found.judgements == (sold(1005), sold(3015))
    found = verdict(of_transaction(logs, value=1005 + 3015 + 1))
    assert [one.currency for one in found.judgements] == [None, None]


def test_several_nfts_of_one_purchase_have_no_price_of_their_own() -> None:
    logs = [
        spot_price(1000, index=1),
        erc721(APES, 7, POOL, ALICE, index=2),
        erc721(APES, 8, POOL, ALICE, index=3),
        out_1(index=4),
    ]
    found = verdict(of_transaction(logs, value=1005))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2


def test_what_a_pool_pays_in_ether_is_told_by_nothing() -> None:
    logs = [spot_price(1000, index=1), erc721(APES, 7, BOB, POOL, index=2), in_1(index=3)]
    found = verdict(of_transaction(logs, target=ROUTER_1))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert (found.fills[0].seller, found.fills[0].buyer, found.fills[0].side) == (BOB, POOL, Side.BID)
    assert found.markets == ("sudoswap",)
    assert [one.reason for one in found.faults] == [PRICELESS]


def test_a_purchase_for_a_token_costs_all_that_the_buyer_sent_of_it() -> None:
    logs = [
        spot_price(1000, index=1),
        erc20(TOKEN, 1000, ALICE, POOL, index=2),
        erc20(TOKEN, 5, ALICE, FACTORY_1, index=3),
        erc721(APES, 7, POOL, ALICE, index=4),
        out_1(index=5),
    ]
    assert _judged(logs) == sold(1005, TOKEN)


def test_a_pools_owner_may_have_the_money_sent_elsewhere() -> None:
    logs = [
        erc20(TOKEN, 1000, ALICE, OWNER, index=2),
        erc20(TOKEN, 5, ALICE, FACTORY_1, index=3),
        erc721(APES, 7, POOL, ALICE, index=4),
        out_1(index=5),
    ]
    assert _judged(logs) == sold(1005, TOKEN)


def test_a_sale_for_a_token_costs_all_that_the_pool_sent_of_it() -> None:
    logs = [
        spot_price(1000, index=1),
        erc20(TOKEN, 995, POOL, BOB, index=2),
        erc20(TOKEN, 5, POOL, FACTORY_1, index=3),
        erc721(APES, 7, BOB, POOL, index=4),
        in_1(index=5),
    ]
    found = verdict(of_transaction(logs, target=ROUTER_1))
    assert (found.judgements, found.faults) == ((sold(1000, TOKEN),), ())


def test_an_nft_that_goes_where_the_pools_owner_wants_it_is_sold_when_a_router_was_called() -> None:
    logs = [spot_price(1000, index=1), erc721(APES, 7, BOB, OWNER, index=2), in_1(index=3)]
    assert verdict(of_transaction(logs, target=ROUTER_1)).judgements[0].transfer_type == "sale"
    unknown = verdict(of_transaction(logs, target=CAROL))
    assert (unknown.judgements[0].transfer_type, unknown.fills) == ("transfer", ())


@pytest.mark.parametrize("event", [out_1(index=3), in_1(index=3)])
def test_a_contract_that_neither_gave_nor_took_an_nft_sold_none(event: RawLog) -> None:
    logs = [
        spot_price(1000, index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        erc20(WETH, 9, ALICE, BOB, index=4),
    ]
    found = verdict(of_transaction([*logs, event], value=1005))
    assert (found.judgements, found.markets, found.is_commercial) == ((sold(9, WETH),), (), False)


def test_a_price_that_the_owner_changes_alone_is_nothing() -> None:
    found = verdict(of_transaction([spot_price(1000, index=1), erc721(APES, 7, POOL, OWNER, index=2)]))
    assert (found.markets, found.judgements[0].transfer_type) == ((), "transfer")


def test_what_a_known_market_was_paid_is_not_there_for_a_pool() -> None:
    sale = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 9)], consideration=[paid(300, BOB)], index=1
    )
    logs = [sale, erc721(APES, 9, BOB, ALICE, index=2), *_bought(spot=1000, at=3)]
    assert verdict(of_transaction(logs, value=1305)).judgements == (sold(300), sold(1005))
    judged = verdict(of_transaction(logs, value=1005)).judgements
    assert [one.currency for one in judged] == [ETHER, None]
