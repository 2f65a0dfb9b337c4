"""NFT Trader: `swapEvent` in both layouts as they are published; what was swapped only the other logs say."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, log, words
from tests.markets.building import Case, ape, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import WETH

HOLDING = "0x13d8faf4a690f5ae52e2d2c52938d1167057b9af"
SWAPPING = "0xc310e760778ecbca4c65b6c559874757a4c4ece0"
CATS = "0x" + "ca" * 19 + "75"
MADE, CLOSED, CANCELLED = 0, 1, 2


def swap(
    creator: str, status: int, *, index: int = LATER, counterpart: str = BOB, contract: str = HOLDING
) -> RawLog:
    """`swapEvent` of the first layout; who closes a swap is its creator, the maker the counterpart."""
    signature = "swapEvent(address,uint256,uint8,uint256,address)"
    topics: list[int | str] = [creator, 1_640_000_000, status]
    return log(signature, topics, words(3, counterpart), contract=contract, index=index)


def referred(creator: str, status: int, *, index: int = LATER) -> RawLog:
    """`swapEvent` of the second layout, with a referral."""
    signature = "swapEvent(address,uint256,uint8,uint256,address,address)"
    topics: list[int | str] = [creator, 1_640_000_000, status]
    return log(signature, topics, words(3, creator, CAROL), contract=SWAPPING, index=index)


_sent = partial(Case, to=HOLDING)
CASES = {
    "an NFT for a token is a sale at all that was sent for it": _sent(
        ape(HOLDING, ALICE), weth(95, ALICE, BOB), weth(5, ALICE, CAROL), swap(ALICE, CLOSED)
    ).was(sold(100, WETH)),
    "an NFT for the token that the market held is sold by who closes the swap": _sent(
        weth(100, HOLDING, ALICE), ape(ALICE, BOB), swap(ALICE, CLOSED)
    ).was(sold(100, WETH), seller=ALICE),
    "an NFT for ether is sold for nobody knows what since a fee comes with it": _sent(
        ape(HOLDING, ALICE), swap(ALICE, CLOSED), value=1000
    ).was("sale", swaps=(Leg(APES, 7, HOLDING, ALICE, 1, "nfttrader"),), faults=(2,)),
    **{
        f"making and cancelling a swap is custody: {label}": _sent(
            ape(sender, receiver), swap(BOB, status), value=5, sender=BOB
        ).was("transfer", markets=(), commercial=False, fills=0)
        for label, (status, sender, receiver) in enumerate(
            [(MADE, BOB, HOLDING), (CANCELLED, HOLDING, BOB)], 1
        )
    },
    "each swap has the logs since the one before it": Case(
        ape(HOLDING, ALICE),
        weth(10, ALICE, BOB),
        swap(ALICE, CLOSED),
        ape(HOLDING, ALICE, 8),
        weth(20, ALICE, CAROL),
        swap(ALICE, CLOSED, counterpart=CAROL),
        to=CAROL,
    ).was(sold(10, WETH), sold(20, WETH)),
    "NFTs that the market held for the makers part are swapped with all legs": _sent(
        ape(HOLDING, ALICE), erc721(CATS, 8, ALICE, BOB), weth(50, ALICE, BOB), swap(ALICE, CLOSED), value=5
    ).was(
        "swap",
        "swap",
        at="nfttrader",
        swaps=(
            Leg(APES, 7, HOLDING, ALICE, 1, "nfttrader"),
            Leg(CATS, 8, ALICE, BOB, 1, "nfttrader"),
            Leg(WETH, None, ALICE, BOB, 50, "nfttrader"),
        ),
    ),
    "money that the maker adds is a leg of its own": Case(
        ape(BOB, ALICE),
        weth(50, BOB, ALICE),
        erc1155(CATS, 8, 3, ALICE, BOB),
        referred(ALICE, CLOSED),
        to=SWAPPING,
    ).was(
        "swap",
        "swap",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "nfttrader"),
            Leg(CATS, 8, ALICE, BOB, 3, "nfttrader"),
            Leg(WETH, None, BOB, ALICE, 50, "nfttrader"),
        ),
    ),
    **{
        f"an NFT for nothing that shows is no sale: {label}": _sent(move, swap(ALICE, CLOSED)).was("transfer")
        for label, move in enumerate([ape(HOLDING, ALICE), ape(ALICE, BOB)], 1)
    },
}

test_nfttrader = judged(CASES)

_GOOD = swap(ALICE, CLOSED)
MALFORMED = {"cut off": _GOOD._replace(data=_GOOD.data[:40]), "of no status": swap(ALICE, 3)}
