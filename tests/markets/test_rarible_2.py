"""Rarible 2 while it emitted a `Transfer` for everything it moved: both layouts of `Match` of that time."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import (
    ONE_ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    sold,
)
from tests.markets.rarible_events import (
    LEFT,
    RARIBLE_2,
    RIGHT,
    erc20_kind,
    kind,
    lazy,
    match,
    match_first,
    moved,
    nft,
)

FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
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
    erc20(WETH, 225, BOB, CAROL),
    moved(_WETH, 225, BOB, CAROL, why="ROYALTY"),
    erc20(WETH, 150, BOB, FEES),
    moved(_WETH, 150, BOB, FEES, why="ORIGIN"),
]
"""Bob bids 3000 for Alice's ape: what is paid to others first."""
BIDDEN = [ape(ALICE, BOB), moved(nft(7), 1, ALICE, BOB), match((BOB, ALICE), (1, 3000), (_WETH, nft(7)))]
_sent = partial(Case, to=RARIBLE_2)
CASES = {
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
        *BID, erc20(WETH, 2700, BOB, ALICE), moved(_WETH, 2700, BOB, ALICE), *BIDDEN
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
