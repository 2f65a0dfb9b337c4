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
    of_transaction,
    sold,
    verdict,
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


def test_prices_that_together_exceed_what_was_brought_are_none() -> None:
    logs = [
        erc721(APES, 7, POOL, ALICE),
        out_2(60, [7]),
        erc721(APES, 8, OWNER, ALICE),
        out_2(60, [8], contract=OWNER),
    ]
    assert [one.currency for one in verdict(of_transaction(logs, value=119)).judgements] == [None, None]
    assert verdict(of_transaction(logs, value=120)).judgements == (sold(60), sold(60))


def test_several_nfts_of_one_purchase_share_its_price_in_their_legs() -> None:
    logs = [erc721(APES, 7, POOL, ALICE), erc721(APES, 8, POOL, ALICE), out_2(100, [8, 7])]
    found = verdict(of_transaction(logs, value=100))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2
    assert Leg(ETHER, None, ALICE, POOL, 100, "sudoswap") in found.judgements[0].swaps


def test_nfts_that_go_where_the_pools_owner_wants_them_are_sold_when_a_router_was_called() -> None:
    logs = [erc721(APES, 7, BOB, OWNER), in_2(95, [7])]
    assert verdict(of_transaction(logs, target=ROUTER_2)).judgements[0].transfer_type == "sale"
    assert verdict(of_transaction(logs, target=CAROL)).judgements[0].transfer_type == "transfer"


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
        also=lambda found: [(one.protocol, one.price) for one in found.faults] == [("sudoswap", 10**24)],
        faults=(2,),
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
        also=lambda found: [one.reason for one in found.faults] == [PRICELESS],
        faults=(2,),
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
    **{
        f"a malformed event is a fault and the rest is read: {label}": Case(
            bad, erc721(APES, 7, POOL, ALICE, index=2), out_2(100, [7], index=3), value=100
        ).was(sold(100), faults=[("sudoswap", 1)])
        for label, bad in zip(
            ["a list cut off", "cut off", "topics", "empty"],
            [
                log("SwapNFTOutPair(uint256,uint256[])", data=words(5, 64, 2, 7), contract=POOL, index=1),
                log("SwapNFTInPair(uint256,uint256)", data=words(5), contract=POOL, index=1),
                log("SwapNFTInPair()", [7], contract=POOL, index=1),
                log("SpotPriceUpdate(uint128)", contract=POOL, index=1),
            ],
            strict=True,
        )
    },
}


test_sudoswap_2 = judged(CASES)
