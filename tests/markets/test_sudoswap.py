"""Sudoswap 1 tells no amounts: the token's logs do, or exactly what was brought; those of 2 are held against them."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log, word, words
from tests.markets.building import PRICELESS, Case, ape, erc20, erc721, erc1155, judged, sold
from tests.markets.currencies import ETHER, ONE_ETHER, WETH
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid
from tests.markets.sudoswap_events import (
    FACTORY_1,
    FACTORY_2,
    POOL,
    ROUTER_1,
    ROUTER_2,
    in_1,
    in_2,
    in_2_units,
    out_1,
    out_2,
    out_2_units,
    spot_price,
)

OTHER_POOL, OWNER = "0x" + "5b" * 20, "0x" + "0d" * 20
TOKEN = "0x" + "70" * 20


def _bought(*, spot: int, at: int = 1, pool: str = POOL, token_id: int = 7) -> list[RawLog]:
    """Alice buys an ape from a pool for ether."""
    return [
        spot_price(spot, index=at, contract=pool),
        erc721(APES, token_id, pool, ALICE, index=at + 1),
        out_1(index=at + 2, contract=pool),
    ]


WORLD, ARTIST = "0x" + "51" * 20, "0x" + "a7" * 20
BASE, FACTORY_ON_BASE = 8453, "0x605145d263482684590f630e9e581b21e4938eb8"
_by_1 = partial(Case, to=ROUTER_1)
_by_2 = partial(Case, to=ROUTER_2)
CASES = {
    "an NFT bought for exactly its price and the protocols half percent has that price": _by_1(
        _bought(spot=ONE_ETHER), value=1005 * ONE_ETHER // 1000
    ).was(sold(1005 * ONE_ETHER // 1000), at="sudoswap", deal=(Side.ASK, POOL, ALICE)),
    "several NFTs of one purchase have no price of their own": Case(
        spot_price(1000), ape(POOL, ALICE), ape(POOL, ALICE, 8), out_1(), value=1005
    ).was(*["sale"] * 2, faults=(4,)),
    "what a pool pays in ether is told by nothing": _by_1(spot_price(1000), ape(BOB, POOL), in_1()).was(
        "sale", deal=(Side.BID, BOB, POOL), markets=("sudoswap",), faults=[(3, PRICELESS)]
    ),
    "a sale for a token costs all that the pool sent of it": _by_1(
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
    "the fee of the pools owner is a part of the price": _by_1(
        _bought(spot=548637440758291), value=578812499999996
    ).was(sold(578812499999996)),
    **{
        f"more than the price may come back so that the price is not known: {percent} %": _by_1(
            _bought(spot=ONE_ETHER), value=1_005 * ONE_ETHER // 1000 * percent // 100
        ).was("sale", faults=[PRICELESS])
        for percent in [101, 102, 105, 110, 120, 150]
    },
    **{
        f"less than the price is none: {value}": _by_1(_bought(spot=ONE_ETHER), value=value).was(
            "sale", swaps=(Leg(APES, 7, POOL, ALICE, 1, "sudoswap"),), faults=[PRICELESS]
        )
        for value in [0, ONE_ETHER, 1_005 * ONE_ETHER // 1000 - 1]
    },
    "a pool that keeps its price does not tell it": _by_1(_bought(spot=ONE_ETHER)[1:], value=ONE_ETHER).was(
        "sale", faults=[PRICELESS]
    ),
    "purchases from several pools have their prices where these add up to what was brought": Case(
        _bought(spot=1000), _bought(spot=3000, at=4, pool=OTHER_POOL, token_id=8), value=1005 + 3015
    )
    .was(sold(1005), sold(3015))
    .but(value=1005 + 3015 + 1)
    .was("sale", "sale", faults=2),
    "a purchase for a token costs all that the buyer sent of it": _by_1(
        spot_price(1000),
        erc20(TOKEN, 1000, ALICE, POOL),
        erc20(TOKEN, 5, ALICE, FACTORY_1),
        ape(POOL, ALICE),
        out_1(),
    ).was(sold(1005, TOKEN)),
    "a pools owner may have the money sent elsewhere": _by_1(
        erc20(TOKEN, 1000, ALICE, OWNER), erc20(TOKEN, 5, ALICE, FACTORY_1), ape(POOL, ALICE), out_1()
    ).was(sold(1005, TOKEN)),
    "an NFT that goes where the pools owner wants it is sold when a router was called": _by_1(
        spot_price(1000), ape(BOB, OWNER), in_1()
    )
    .was("sale", faults=1)
    .but(to=CAROL)
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
    "an NFT bought for ether costs what the pool was paid": _by_2(
        spot_price(90), ape(POOL, ALICE), out_2(100, [7]), value=120
    ).was(sold(100), at="sudoswap", deal=(Side.ASK, POOL, ALICE)),
    "a look alike cannot tell a price that nobody brought": Case(
        ape(POOL, ALICE), out_2(10**24, [7]), to=POOL, value=100
    ).was(
        "sale",
        swaps=(Leg(APES, 7, POOL, ALICE, 1, "sudoswap"),),
        also=lambda found: found.faults[0].protocol == "sudoswap",
        faults=[(2, 10**24)],
    ),
    "ether that was unwrapped on the way may be borrowed and bears no price": Case(
        log("Withdrawal(address,uint256)", [CAROL], word(10**24), contract=WETH),
        ape(POOL, ALICE),
        out_2(10**24, [7]),
        to=CAROL,
    ).was("sale", faults=(5,)),
    "units of an ERC-1155 token are one item with the whole price": Case(
        erc1155(WORLD, 1, 5, POOL, ALICE), out_2_units(100, 5), value=100
    ).was(sold(100)),
    "what a pool pays in ether is not known since royalties and fees come on top": _by_2(
        ape(BOB, POOL), in_2(95, [7])
    ).was("sale", seller=BOB, buyer=POOL, faults=[(2, PRICELESS)]),
    # the owner's part of what the pool got
    "a purchase of version 2 for a token costs what the buyer sent to all": _by_2(
        erc20(TOKEN, 90, ALICE, POOL),
        erc20(TOKEN, 5, ALICE, ARTIST),
        erc20(TOKEN, 5, ALICE, FACTORY_2),
        erc20(TOKEN, 2, POOL, OWNER),
        ape(POOL, ALICE),
        out_2(100, [7]),
    ).was(sold(100, TOKEN)),
    "a purchase for a token that is paid to the pools owner is known by the protocols fee": Case(
        erc20(TOKEN, 95, ALICE, OWNER),
        erc20(TOKEN, 5, ALICE, FACTORY_ON_BASE),
        ape(POOL, ALICE),
        out_2(100, [7]),
        chain=BASE,
    ).was(sold(100, TOKEN)),
    **{
        f"an amount that the tokens logs contradict is no price: {label}": Case(
            erc20(TOKEN, 100, ALICE, POOL), ape(POOL, ALICE), out_2(amount, [7]), value=10**25
        ).was("sale", faults=(3,))
        for label, amount in enumerate([99, 101, 10**24], 1)
    },
    "a sale of version 2 for a token costs all that the pool sent": _by_2(
        ape(BOB, POOL),
        erc20(TOKEN, 90, POOL, BOB),
        erc20(TOKEN, 5, POOL, ARTIST),
        erc20(TOKEN, 5, POOL, FACTORY_2),
        in_2(90, [7]),
    ).was(sold(100, TOKEN)),
    "units sold for a token are one item with the whole price": Case(
        erc1155(WORLD, 1, 5, BOB, POOL), erc20(TOKEN, 90, POOL, BOB), in_2_units(90, 5)
    ).was(sold(90, TOKEN)),
    "a purchase for nothing is no sale": Case(ape(POOL, ALICE), out_2(0, [7]), value=5).was("transfer"),
    **{
        f"an event that the NFTs logs contradict sells nothing: {label}": Case(
            erc721(APES, 7, POOL, ALICE, index=2), event, value=5
        ).was("transfer", markets=(), fills=0)
        for label, event in zip(
            ["another token", "more tokens", "the other way", "more units", "the other way, units"],
            [
                out_2(5, [8], index=3),
                out_2(5, [7, 8], index=3),
                in_2(5, [7], index=3),
                out_2_units(5, 2, index=3),
                in_2_units(5, 1, index=3),
            ],
            strict=True,
        )
    },
    "a look alike takes no sale away from a known market": Case(
        order_fulfilled(offerer=POOL, consideration=[paid(5, POOL)]),
        ape(POOL, ALICE),
        out_2(100, [7]),
        to=SEAPORT_15,
        value=100,
    ).was(sold(5), markets=("opensea",)),
    "prices that together exceed what was brought are none": Case(
        ape(POOL, ALICE), out_2(60, [7]), ape(OWNER, ALICE, 8), out_2(60, [8], contract=OWNER), value=119
    )
    .was("sale", "sale", faults=2)
    .but(value=120)
    .was(sold(60), sold(60)),
    "several NFTs of one purchase share its price in their legs": Case(
        ape(POOL, ALICE), ape(POOL, ALICE, 8), out_2(100, [8, 7]), value=100
    ).was(
        "sale",
        "sale",
        also=lambda found: Leg(ETHER, None, ALICE, POOL, 100, "sudoswap") in found.judgements[0].swaps,
    ),
    "NFTs that go where the pools owner wants them are sold when a router was called": _by_2(
        ape(BOB, OWNER), in_2(95, [7])
    )
    .was("sale", faults=[PRICELESS])
    .but(to=CAROL)
    .was("transfer"),
}

test_sudoswap = judged(CASES)

MALFORMED = {
    "a list cut off": log("SwapNFTOutPair(uint256,uint256[])", data=words(5, 64, 2, 7), contract=POOL),
    "cut off": log("SwapNFTInPair(uint256,uint256)", data=words(5), contract=POOL),
    "topics": log("SwapNFTInPair()", [7], contract=POOL),
    "empty": log("SpotPriceUpdate(uint128)", contract=POOL),
}


@UNHURRIED
@given(spot=st.integers(10**9, 10**24), steps=st.integers(0, 179))
def test_any_fee_of_whole_half_percents_is_found(spot: int, steps: int) -> None:
    value = spot + spot * 5 // 1000 + spot * 5 * steps // 1000
    _by_1(_bought(spot=spot), value=value).was(sold(value)).holds()
