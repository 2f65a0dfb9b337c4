"""Contracts that emit what they like: what of it is believed, and what never is."""

from __future__ import annotations

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import Case, ape, erc20, erc721, judged, sold
from tests.markets.currencies import ETHER, ONE_ETHER, WETH
from tests.markets.seaport_events import SEAPORT_15, erc20_item, order_fulfilled, paid

FAKE = "0x" + "fa" * 20
OTHER_APES = "0x" + "0a" * 20
CASES = {
    "a token that emits seaports event sells nothing": Case(
        order_fulfilled(consideration=[paid(5, BOB)], contract=FAKE), ape(BOB, ALICE), value=5
    ).was("transfer", markets=(), commercial=False),
    # Anybody can make a token whose logs say that a stranger paid: the price is then in that token, worth nothing.
    "what a token says was paid in it is never money of another contract": Case(
        ape(BOB, ALICE), erc20(FAKE, ONE_ETHER, ALICE, BOB), sender=BOB
    ).was(sold(ONE_ETHER, FAKE), commercial=False),
    "a fake payment does not bear out a price in wrapped ether": Case(
        order_fulfilled(consideration=[erc20_item(WETH, 100, BOB)]),
        ape(BOB, ALICE),
        erc20(FAKE, 100, ALICE, BOB),
    ).was("sale", faults=[(1, 100)]),
    # ERC-404: the contract tells of its NFTs as units of a token, too.
    "what the NFTs own contract calls money is no payment": Case(
        ape(BOB, ALICE), erc20(APES, ONE_ETHER, ALICE, BOB)
    ).was("transfer"),
    "mints to strangers beside a sale are mints": Case(
        order_fulfilled(consideration=[paid(5, BOB)], index=1),
        erc721(APES, 7, BOB, ALICE, index=2),
        [
            erc721(APES, 100 + at, ETHER, one, index=10 + at)
            for at, one in enumerate([f"0x{number + 2**150:040x}" for number in range(50)])
        ],
        to=SEAPORT_15,
        value=5,
    ).was(sold(5), *["mint"] * 50),
    # Two parts of 2^255 each, of a token made for it: the sum fits no number of the chain.
    "a price beyond what any token has is published nowhere": Case(
        order_fulfilled(consideration=[erc20_item(FAKE, 2**255, BOB), erc20_item(FAKE, 2**255, CAROL)]),
        ape(BOB, ALICE),
        erc20(FAKE, 2**255, ALICE, BOB),
        erc20(FAKE, 2**255, ALICE, CAROL),
    ).was("sale", faults=["2^256"]),
    **{
        f"another NFT than the event names is not sold by it: {label}": Case(
            order_fulfilled(consideration=[paid(5, BOB)]), other, to=SEAPORT_15, value=5
        ).was("transfer", faults=[(1, 5)])
        for label, other in enumerate([ape(BOB, ALICE, 8), erc721(OTHER_APES, 7, BOB, ALICE)], 1)
    },
}

test_attacks_by_look_alikes = judged(CASES)
