"""Sudoswap's second version tells amounts and tokens, which are believed as far as the logs and the value go."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, word, words
from tests.markets.building import (
    ETHER,
    PRICELESS,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    sold,
)
from tests.markets.seaport_events import SEAPORT_15, order_fulfilled, paid
from tests.markets.sudoswap_events import (
    FACTORY_2,
    POOL,
    ROUTER_2,
    in_2,
    in_2_units,
    out_2,
    out_2_units,
    spot_price,
)

WORLD, ARTIST, OWNER, TOKEN = ("0x" + two * 20 for two in ("51", "a7", "0d", "70"))
BASE, FACTORY_ON_BASE = 8453, "0x605145d263482684590f630e9e581b21e4938eb8"


_sent = partial(Case, to=ROUTER_2)
CASES = {
    "an NFT bought for ether costs what the pool was paid": _sent(
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
    "what a pool pays in ether is not known since royalties and fees come on top": _sent(
        ape(BOB, POOL), in_2(95, [7])
    ).was(
        "sale",
        seller=BOB,
        buyer=POOL,
        faults=[(2, PRICELESS)],
    ),
    # the owner's part of what the pool got
    "a purchase for a token costs what the buyer sent to all": _sent(
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
    "a sale for a token costs all that the pool sent": _sent(
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
    "NFTs that go where the pools owner wants them are sold when a router was called": _sent(
        ape(BOB, OWNER), in_2(95, [7])
    )
    .was("sale", faults=[PRICELESS])
    .but(target=CAROL)
    .was("transfer"),
}


test_sudoswap_2 = judged(CASES)

MALFORMED = {
    "a list cut off": log("SwapNFTOutPair(uint256,uint256[])", data=words(5, 64, 2, 7), contract=POOL),
    "cut off": log("SwapNFTInPair(uint256,uint256)", data=words(5), contract=POOL),
    "topics": log("SwapNFTInPair()", [7], contract=POOL),
    "empty": log("SpotPriceUpdate(uint128)", contract=POOL),
}
