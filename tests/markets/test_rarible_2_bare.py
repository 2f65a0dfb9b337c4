"""Rarible 2 without transfers of its own: `Match` with assets, and the bare one that names nothing but amounts."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import (
    ETHEREUM,
    WETH,
    Case,
    ape,
    erc20,
    erc1155,
    judged,
    sold,
    weth,
)
from tests.markets.looksrare_events import taker_bid_1
from tests.markets.rarible_events import RARIBLE_2, erc20_kind, kind, match, match_bare, nft

WRAPPER = "0x7f19564c35c681099c0c857a7141836cf7edaa53"
FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
POLYGON, RARIBLE_ON_POLYGON = 137, "0x12b3897a36fdb436dde2788c06eff0ffd997066e"
WPOL = "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"


BID = [weth(75, BOB, FEES), weth(2925, BOB, ALICE), ape(ALICE, BOB)]
_sent = partial(Case, to=RARIBLE_2)
CASES = {
    "ether that is brought to the wei is the price": _sent(
        match_bare(10000, 1), ape(BOB, ALICE), value=10000
    ).was(sold(10000), deal=(Side.ASK, BOB, ALICE), markets=("rarible",)),
    **{
        f"any other sum may have been handed back so that no price is told: {value}": _sent(
            match_bare(10000, 1), ape(BOB, ALICE), value=value
        ).was(
            "sale",
            swaps=(Leg(APES, 7, BOB, ALICE, 1, "rarible"), Leg(NATIVE, None, ALICE, BOB, 10000, "rarible")),
            faults=(1,),
        )
        for value in [10123, 20000, 9999, 0]
    },
    "several matches share what the transaction brings": Case(
        match_bare(100, 1), ape(BOB, ALICE), match_bare(200, 1), ape(CAROL, ALICE, 8), to=CAROL, value=300
    ).was(sold(100), sold(200)),
    "an NFT for an NFT is a swap": _sent(match_bare(1, 1), ape(BOB, ALICE), ape(ALICE, BOB, 8)).was(
        "swap", "swap", also=lambda found: found.judgements[0].swaps[0].market == "rarible"
    ),
    "several NFTs of one match are a bundle without a price of their own": _sent(
        match_bare(100, 2), ape(BOB, ALICE), ape(BOB, ALICE, 8), value=100
    ).was(
        *["sale"] * 2,
        also=lambda found: found.judgements[0].swaps[-1] == Leg(NATIVE, None, ALICE, BOB, 100, "rarible"),
    ),
    "what another market sold is not sold again": Case(
        match_bare(100, 1),
        ape(BOB, ALICE),
        weth(55, ALICE, CAROL),
        ape(CAROL, ALICE, 8),
        taker_bid_1(seller=CAROL, token_id=8, price=55),
        to=ALICE,
        value=100,
    ).was(sold(100), sold(55, WETH)),
    "a match without an NFT next to it is a fault": _sent(ape(BOB, ALICE), match_bare(100, 1), value=100).was(
        "transfer", faults=[2]
    ),
    **{
        f"a published fee on top is believed where the exchange or its wrapper is called: {fee}": _sent(
            match_bare(10_000, 1), ape(BOB, ALICE), value=10_000 + fee
        )
        .was(sold(10_000 + fee))
        .but(target=WRAPPER, value=10_000 + fee)
        .was(sold(10_000 + fee))
        .but(target=CAROL, value=10_000 + fee)
        .was("sale", faults=1)
        for fee in [50, 100, 250, 500, 750]
    },
    "a match with assets but no transfers follows the same rule": _sent(
        ape(BOB, ALICE), match((BOB, ALICE), (10_000, 1), (nft(7), kind("ETH"))), value=10_250
    )
    .was(sold(10_250))
    .but(value=10_251)
    .was("sale", faults=1),
    "a bid costs what the bidder sends before the NFT comes": _sent(
        match_bare(1, 2925), BID, weth(9, BOB, CAROL)
    ).was(sold(3000, WETH), side=Side.BID),
    "a bid with assets costs the same": _sent(
        BID, match((BOB, ALICE), (1, 2925), (erc20_kind(WETH), nft(7)))
    ).was(sold(3000, WETH)),
    "a router that pays in a token is believed for the price and published fees": Case(
        match_bare(10_000, 1), weth(10_250, CAROL, BOB), ape(BOB, ALICE), to=CAROL
    ).was(sold(10_250, WETH)),
    "a router that pays in a token is believed for nothing else": Case(
        match_bare(10_000, 1), weth(10_251, CAROL, BOB), ape(BOB, ALICE), to=CAROL
    ).was("sale", faults=1),
    "units of an ERC-1155 are told from the price by what moved": _sent(
        match_bare(4, 300), erc1155(APES, 7, 4, BOB, ALICE), value=300
    ).was(sold(300)),
    "units that did not move tell no price": _sent(
        match_bare(300, 5), erc1155(APES, 7, 4, BOB, ALICE), value=300
    ).was("sale", faults=1),
    "a lazy NFT is sold by who it was minted to": _sent(
        match_bare(100, 1), ape(ZERO, BOB), ape(BOB, ALICE), value=100
    ).was("mint", sold(100)),
    "the exchange of another chain is known there alone": Case(
        match_bare(1, 500, contract=RARIBLE_ON_POLYGON),
        erc20(WPOL, 500, BOB, ALICE),
        ape(ALICE, BOB),
        to=RARIBLE_ON_POLYGON,
        chain=POLYGON,
    )
    .was(sold(500, WPOL), markets=("rarible",))
    .but(chain=ETHEREUM)
    .was(sold(500, WPOL), fills=0, markets=()),
}


test_rarible_2_bare = judged(CASES)

_CUT = match((BOB, ALICE), (1, 1), (nft(7), kind("ETH")))
MALFORMED = {
    "of an asset that is none": match((BOB, ALICE), (1, 1), (kind("COUPON"), kind("ETH"))),
    "cut off": _CUT._replace(data=_CUT.data[:100]),
    "its topics twice": _CUT._replace(topics=_CUT.topics * 2),
}
