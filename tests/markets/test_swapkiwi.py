"""SwapKiwi: `SwapExecuted` in both layouts as they are published, behind what the contract gave out."""

from __future__ import annotations

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, log
from tests.markets.building import PRICELESS, Case, ape, erc721, erc1155, judged

FIRST = "0x4748495153fb86637e4fdd8e50e3c1f611f15930"
LAST = "0x1c1919ec9de318b58fa66bae7449438c673e10b8"
CATS = "0x" + "ca" * 19 + "75"


def executed(
    initiator: str, joiner: str, *, index: int = LATER, kind: str = "uint256", contract: str = FIRST
) -> RawLog:
    """`SwapExecuted`: `uint64` in the last version."""
    topics: list[int | str] = [initiator, joiner, 5]
    return log(f"SwapExecuted(address,address,{kind})", topics, contract=contract, index=index)


CASES = {
    **{
        f"nfts that one of them gets were sold for ether that nobody knows: {label}": Case(
            erc1155(APES, 7, 3, LAST, receiver), executed(ALICE, BOB, kind="uint64", contract=LAST), to=LAST
        ).was("sale", seller=seller, buyer=receiver, faults=[(2, PRICELESS)])
        for label, (receiver, seller) in enumerate([(ALICE, BOB), (BOB, ALICE)], 1)
    },
    **{
        f"proposing and cancelling a swap is custody: {label}": Case(
            ape(sender, receiver), log(event, [ALICE, 5], contract=FIRST), to=FIRST, value=5
        ).was("transfer", markets=(), commercial=False, fills=0)
        for label, (event, sender, receiver) in enumerate(
            [
                ("SwapProposed(address,address,uint256,address[],uint256[])", ALICE, FIRST),
                ("SwapCanceled(address,uint256)", FIRST, ALICE),
            ],
            1,
        )
    },
    "what both get out of custody is a swap with both legs": Case(
        erc721(CATS, 8, FIRST, ALICE), ape(FIRST, BOB), executed(ALICE, BOB), to=FIRST
    ).was(
        "swap",
        "swap",
        at="swapkiwi",
        swaps=(Leg(CATS, 8, FIRST, ALICE, 1, "swapkiwi"), Leg(APES, 7, FIRST, BOB, 1, "swapkiwi")),
    ),
    "each swap has what left custody since the one before it": Case(
        erc721(CATS, 8, FIRST, ALICE),
        ape(FIRST, BOB),
        executed(ALICE, BOB),
        erc721(CATS, 9, FIRST, ALICE),
        ape(FIRST, CAROL, 6),
        executed(ALICE, CAROL),
        to=CAROL,
    ).was(*["swap"] * 4, also=lambda found: [leg.token_id for leg in found.judgements[3].swaps] == [9, 6]),
}

test_swapkiwi = judged(CASES)
