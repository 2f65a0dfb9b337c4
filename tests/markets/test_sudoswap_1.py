"""Sudoswap's first version tells no amounts: prices come from the token's logs, or from exactly what was brought."""

from __future__ import annotations

from functools import partial

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
    Case,
    ape,
    erc20,
    erc721,
    judged,
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
        spot_price(spot, index=at, contract=pool),
        erc721(APES, token_id, pool, ALICE, index=at + 1),
        out_1(index=at + 2, contract=pool),
    ]


def _judged(logs: list[RawLog], *, value: int = 0) -> Judgement:
    (judged,) = verdict(of_transaction(logs, target=ROUTER_1, value=value)).judgements
    return judged


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


def test_a_purchase_for_a_token_costs_all_that_the_buyer_sent_of_it() -> None:
    logs = [
        spot_price(1000),
        erc20(TOKEN, 1000, ALICE, POOL),
        erc20(TOKEN, 5, ALICE, FACTORY_1),
        erc721(APES, 7, POOL, ALICE),
        out_1(),
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


def test_an_nft_that_goes_where_the_pools_owner_wants_it_is_sold_when_a_router_was_called() -> None:
    logs = [spot_price(1000), erc721(APES, 7, BOB, OWNER), in_1()]
    assert verdict(of_transaction(logs, target=ROUTER_1)).judgements[0].transfer_type == "sale"
    unknown = verdict(of_transaction(logs, target=CAROL))
    assert (unknown.judgements[0].transfer_type, unknown.fills) == ("transfer", ())


_sent = partial(Case, to=ROUTER_1)
CASES = {
    "an NFT bought for exactly its price and the protocols half percent has that price": _sent(
        _bought(spot=ONE_ETHER), value=1005 * ONE_ETHER // 1000
    ).was(sold(1005 * ONE_ETHER // 1000), at="sudoswap", deal=(Side.ASK, POOL, ALICE)),
    "several NFTs of one purchase have no price of their own": Case(
        spot_price(1000), ape(POOL, ALICE), ape(POOL, ALICE, 8), out_1(), value=1005
    ).was(*["sale"] * 2, faults=(4,)),
    "what a pool pays in ether is told by nothing": _sent(spot_price(1000), ape(BOB, POOL), in_1()).was(
        "sale",
        deal=(Side.BID, BOB, POOL),
        markets=("sudoswap",),
        also=lambda found: [one.reason for one in found.faults] == [PRICELESS],
        faults=(3,),
    ),
    "a sale for a token costs all that the pool sent of it": _sent(
        spot_price(1000),
        erc20(TOKEN, 995, POOL, BOB),
        erc20(TOKEN, 5, POOL, FACTORY_1),
        ape(BOB, POOL),
        in_1(),
    ).was(sold(1000, TOKEN)),
    **{
        f"a contract that neither gave nor took an NFT sold none: {label}": Case(
            spot_price(1000, index=1),
            erc721(APES, 7, BOB, ALICE, index=2),
            erc20(WETH, 9, ALICE, BOB, index=4),
            event,
            value=1005,
        ).was(sold(9, WETH), markets=(), commercial=False)
        for label, event in enumerate([out_1(index=3), in_1(index=3)], 1)
    },
    "a price that the owner changes alone is nothing": Case(spot_price(1000), ape(POOL, OWNER)).was(
        "transfer", markets=()
    ),
}


test_sudoswap_1 = judged(CASES)


def test_what_a_known_market_was_paid_is_not_there_for_a_pool() -> None:
    sale = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 9)], consideration=[paid(300, BOB)], index=1
    )
    logs = [sale, erc721(APES, 9, BOB, ALICE, index=2), *_bought(spot=1000, at=3)]
    assert verdict(of_transaction(logs, value=1305)).judgements == (sold(300), sold(1005))
    judged = verdict(of_transaction(logs, value=1005)).judgements
    assert [one.currency for one in judged] == [ETHER, None]
