"""Sudoswap's first version tells no amounts: prices come from the token's logs, or from exactly what was brought."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import (
    ONE_ETHER,
    PRICELESS,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    judged,
    sold,
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
        faults=[(3, PRICELESS)],
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
    # 5 %, as in the recorded purchase V105: each part is rounded down.
    "the fee of the pools owner is a part of the price": _sent(
        _bought(spot=548637440758291), value=578812499999996
    ).was(sold(578812499999996)),
    **{
        f"more than the price may come back so that the price is not known: {percent} %": _sent(
            _bought(spot=ONE_ETHER), value=1_005 * ONE_ETHER // 1000 * percent // 100
        ).was("sale", faults=[PRICELESS])
        for percent in [101, 102, 105, 110, 120, 150]
    },
    **{
        f"less than the price is none: {value}": _sent(_bought(spot=ONE_ETHER), value=value).was(
            "sale", swaps=(Leg(APES, 7, POOL, ALICE, 1, "sudoswap"),), faults=[PRICELESS]
        )
        for value in [0, ONE_ETHER, 1_005 * ONE_ETHER // 1000 - 1]
    },
    "a pool that keeps its price does not tell it": _sent(_bought(spot=ONE_ETHER)[1:], value=ONE_ETHER).was(
        "sale", faults=[PRICELESS]
    ),
    "purchases from several pools have their prices where these add up to what was brought": Case(
        _bought(spot=1000), _bought(spot=3000, at=4, pool=OTHER_POOL, token_id=8), value=1005 + 3015
    )
    .was(sold(1005), sold(3015))
    .but(value=1005 + 3015 + 1)
    .was("sale", "sale", faults=2),
    "a purchase for a token costs all that the buyer sent of it": _sent(
        spot_price(1000),
        erc20(TOKEN, 1000, ALICE, POOL),
        erc20(TOKEN, 5, ALICE, FACTORY_1),
        ape(POOL, ALICE),
        out_1(),
    ).was(sold(1005, TOKEN)),
    "a pools owner may have the money sent elsewhere": _sent(
        erc20(TOKEN, 1000, ALICE, OWNER), erc20(TOKEN, 5, ALICE, FACTORY_1), ape(POOL, ALICE), out_1()
    ).was(sold(1005, TOKEN)),
    "an NFT that goes where the pools owner wants it is sold when a router was called": _sent(
        spot_price(1000), ape(BOB, OWNER), in_1()
    )
    .was("sale", faults=1)
    .but(target=CAROL)
    .was("transfer", fills=0),
    "what a known market was paid is not there for a pool": Case(
        order_fulfilled(offer=[nft_item(APES, 9)], consideration=[paid(300, BOB)], index=1),
        erc721(APES, 9, BOB, ALICE, index=2),
        _bought(spot=1000, at=3),
        value=1305,
    )
    .was(sold(300), sold(1005))
    .but(value=1005)
    .was(sold(300), "sale", faults=1),
}


test_sudoswap_1 = judged(CASES)


@UNHURRIED
@given(spot=st.integers(10**9, 10**24), steps=st.integers(0, 179))
def test_any_fee_of_whole_half_percents_is_found(spot: int, steps: int) -> None:
    value = spot + spot * 5 // 1000 + spot * 5 * steps // 1000
    _sent(_bought(spot=spot), value=value).was(sold(value)).holds()
