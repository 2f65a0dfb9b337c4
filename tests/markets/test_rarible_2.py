"""Rarible 2: `Match` that names nothing but amounts, with assets, and beside a `Transfer` for everything it moved."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import NATIVE, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import ETHEREUM, Case, ape, erc20, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import ONE_ETHER, WETH
from tests.markets.looksrare_events import taker_bid_1
from tests.markets.rarible_events import (
    LEFT,
    RARIBLE_2,
    RIGHT,
    erc20_kind,
    kind,
    lazy,
    match,
    match_bare,
    match_first,
    moved,
    nft,
)

WRAPPER = "0x7f19564c35c681099c0c857a7141836cf7edaa53"
FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
POLYGON, RARIBLE_ON_POLYGON = 137, "0x12b3897a36fdb436dde2788c06eff0ffd997066e"
WPOL = "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"
BARE_BID = [weth(75, BOB, FEES), weth(2925, BOB, ALICE), ape(ALICE, BOB)]
ETHER = kind("ETH")


def ask_in_ether(*, index: int = 1, last: RawLog | None = None) -> list[RawLog]:
    """Alice buys Bob's ape for one ether, with 2.5 % on top and 2.5 % off."""
    fee = ONE_ETHER // 40
    return [
        moved(ETHER, fee, ALICE, FEES, index=index, why="ORIGIN"),
        moved(ETHER, fee, ALICE, FEES, index=index + 1, why="ORIGIN"),
        moved(ETHER, ONE_ETHER - fee, ALICE, BOB, index=index + 2),
        erc721(APES, 7, BOB, ALICE, index=index + 3),
        moved(nft(7), 1, BOB, ALICE, index=index + 4),
        last or match((BOB, ALICE), (ONE_ETHER, 1), (nft(7), ETHER), index=index + 5),
    ]


_WETH = erc20_kind(WETH)
BID = [
    weth(225, BOB, CAROL),
    moved(_WETH, 225, BOB, CAROL, why="ROYALTY"),
    weth(150, BOB, FEES),
    moved(_WETH, 150, BOB, FEES, why="ORIGIN"),
]
"""Bob bids 3000 for Alice's ape: what is paid to others first."""

BIDDEN = [ape(ALICE, BOB), moved(nft(7), 1, ALICE, BOB), match((BOB, ALICE), (1, 3000), (_WETH, nft(7)))]
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
        .but(to=WRAPPER, value=10_000 + fee)
        .was(sold(10_000 + fee))
        .but(to=CAROL, value=10_000 + fee)
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
        match_bare(1, 2925), BARE_BID, weth(9, BOB, CAROL)
    ).was(sold(3000, WETH), side=Side.BID),
    "a bid with assets costs the same": _sent(
        BARE_BID, match((BOB, ALICE), (1, 2925), (erc20_kind(WETH), nft(7)))
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
    "all ether that the exchange moves for a match is its price even through a router": Case(
        ask_in_ether(), to=CAROL, value=9 * ONE_ETHER
    ).was(
        sold(ONE_ETHER * 1025 // 1000), at="rarible", deal=(Side.ASK, BOB, ALICE), order_hashes=(LEFT, RIGHT)
    ),
    "the first layout of a match is read by the transfers alone": _sent(
        ask_in_ether(last=match_first((BOB, ALICE), (ONE_ETHER, 1), index=6)), value=2 * ONE_ETHER
    ).was(sold(ONE_ETHER * 1025 // 1000)),
    "an ether price above what the exchange was sent is a fault": _sent(ask_in_ether(), value=ONE_ETHER).was(
        "sale", faults=1
    ),
    "ether that an order on chain had locked need not come with the transaction": _sent(
        moved(ETHER, 100, RARIBLE_2, ALICE),
        ape(ALICE, BOB),
        moved(nft(7), 1, ALICE, BOB),
        match((BOB, ALICE), (1, 100), (ETHER, nft(7))),
        sender=ALICE,
    ).was(sold(100), side=Side.BID),
    **{
        f"ether that is locked or unlocked is no part of a price: {why}": Case(
            moved(ETHER, 55, ALICE, RARIBLE_2, index=1, why=why), ask_in_ether(index=2), to=CAROL
        ).was(sold(ONE_ETHER * 1025 // 1000))
        for why in ["LOCK", "UNLOCK"]
    },
    "each match of a sweep has the transfers before it": _sent(
        ask_in_ether(),
        moved(ETHER, 30, ALICE, CAROL, index=11),
        erc1155(APES, 8, 5, CAROL, ALICE, index=12),
        moved(nft(8, name="ERC1155"), 5, CAROL, ALICE, index=13),
        match((CAROL, ALICE), (30, 5), (nft(8, name="ERC1155"), ETHER), index=14),
        value=3 * ONE_ETHER,
    ).was(sold(ONE_ETHER * 1025 // 1000), sold(30)),
    "an NFT for an NFT is a swap with both legs": _sent(
        ape(BOB, ALICE),
        moved(nft(7), 1, BOB, ALICE),
        ape(ALICE, BOB, 8),
        moved(nft(8), 1, ALICE, BOB),
        match((BOB, ALICE), (1, 1), (nft(7), nft(8))),
    ).was("swap", "swap", also=lambda found: [leg.token_id for leg in found.judgements[0].swaps] == [7, 8]),
    "money for money sells no NFT that moves beside it": _sent(
        ape(BOB, ALICE),
        moved(ETHER, 100, ALICE, BOB),
        match((BOB, ALICE), (100, 100), (erc20_kind(WETH), ETHER)),
        value=100,
    ).was("transfer", faults=[3]),
    "a transfer that cannot be read is a fault and the match goes by its assets": _sent(
        moved(kind("NFT_BUNDLE"), 1, BOB, ALICE),
        ape(BOB, ALICE),
        match((BOB, ALICE), (100, 1), (nft(7), ETHER)),
        value=100,
    ).was(sold(100), faults=[1]),
    "a bid in a token costs the bidder the fee on top too": _sent(
        *BID, weth(2700, BOB, ALICE), moved(_WETH, 2700, BOB, ALICE), *BIDDEN
    ).was(sold(3075, WETH), deal=(Side.BID, ALICE, BOB)),
    "a bid whose money did not reach the seller is a fault": _sent(
        *BID, moved(_WETH, 2700, BOB, ALICE), *BIDDEN
    ).was("sale", faults=1),
    "a lazy NFT is minted to its creator and sold by them": _sent(
        moved(ETHER, 100, ALICE, BOB),
        ape(ZERO, BOB),
        ape(BOB, ALICE),
        moved(lazy(7), 1, BOB, ALICE),
        match((BOB, ALICE), (100, 1), (lazy(7), ETHER)),
        value=100,
    ).was("mint", sold(100)),
}

test_rarible_2 = judged(CASES)

_CUT = match((BOB, ALICE), (1, 1), (nft(7), kind("ETH")))
MALFORMED = {
    "of an asset that is none": match((BOB, ALICE), (1, 1), (kind("COUPON"), kind("ETH"))),
    "cut off": _CUT._replace(data=_CUT.data[:100]),
}
