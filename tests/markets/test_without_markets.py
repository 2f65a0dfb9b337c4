"""Transactions without a market's event: what is a sale, what an exchange, what is only passing on."""

from __future__ import annotations

from indexing.judge.legs import MAX_LEGS
from indexing.judge.verdicts import Judgement, Leg
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import (
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.currencies import ETHER, USDC, WETH

COINS = "0x" + "c0" * 20
ROUTER = "0x" + "40" * 20
VAULT = "0x" + "0f" * 20
DEAD = "0x" + "0" * 36 + "dead"
PLAIN = Judgement("transfer")
CASES = {
    "a token payment from receiver to sender is the price but nothing commercial": Case(
        ape(BOB, ALICE), weth(60, ALICE, BOB), weth(40, ALICE, BOB)
    ).was(sold(100, WETH), markets=(), commercial=False),
    "native value alone proves nothing": Case(ape(BOB, ALICE), value=5).was(PLAIN),
    "two NFTs of two sellers have each the price that its seller got": Case(
        ape(BOB, ALICE), ape(CAROL, ALICE, 8), weth(60, ALICE, BOB), weth(40, ALICE, CAROL)
    ).was(sold(60, WETH), sold(40, WETH)),
    "several NFTs for one payment are sold with all legs and no price": Case(
        ape(BOB, ALICE), ape(BOB, ALICE, 8), weth(60, ALICE, BOB)
    ).was(
        *(
            Judgement(
                "sale",
                swaps=(
                    Leg(APES, 7, BOB, ALICE, 1),
                    Leg(APES, 8, BOB, ALICE, 1),
                    Leg(WETH, None, ALICE, BOB, 60),
                ),
            ),
        )
        * 2
    ),
    # The seller's leg is the sale, at what the buyer paid; the same money is in no second price.
    "a router that keeps a margin has not sold what it passes on": Case(
        weth(100, ALICE, ROUTER), weth(95, ROUTER, BOB), ape(BOB, ROUTER), ape(ROUTER, ALICE)
    ).was(sold(100, WETH), PLAIN),
    "who pays before getting any money buys and sells": Case(
        weth(95, ROUTER, BOB), ape(BOB, ROUTER), weth(100, ALICE, ROUTER), ape(ROUTER, ALICE)
    ).was(sold(95, WETH), sold(100, WETH)),
    "of a sweep through a router each seller has sold for what it got": Case(
        weth(100, ALICE, ROUTER),
        weth(60, ROUTER, BOB),
        ape(BOB, ROUTER),
        weth(40, ROUTER, CAROL),
        ape(CAROL, ROUTER, 8),
        ape(ROUTER, ALICE),
        ape(ROUTER, ALICE, 8),
    ).was(sold(60, WETH), sold(40, WETH), PLAIN, PLAIN),
    # its fee
    "an NFT that a router hands over is sold by who gave it to whom paid for it": Case(
        ape(BOB, ROUTER), ape(ROUTER, ALICE), weth(95, ALICE, BOB), weth(5, ALICE, ROUTER)
    ).was(sold(95, WETH), PLAIN),
    "an NFT that is lent and comes back for a fee is not sold": Case(
        ape(BOB, ALICE), weth(5, ALICE, BOB), ape(ALICE, BOB)
    ).was(PLAIN, PLAIN),
    # of others
    "an exchange with money on top has the money among its legs": Case(
        ape(BOB, ALICE), ape(ALICE, BOB, 8), weth(5, ALICE, BOB), erc20(USDC, 9, ALICE, CAROL)
    ).was(
        *(
            Judgement(
                "swap",
                swaps=(
                    Leg(APES, 7, BOB, ALICE, 1),
                    Leg(APES, 8, ALICE, BOB, 1),
                    Leg(WETH, None, ALICE, BOB, 5),
                ),
            ),
        )
        * 2
    ),
    "a payment for no units buys nothing": Case(erc1155(COINS, 1, 0, BOB, ALICE), weth(5, ALICE, BOB)).was(
        PLAIN
    ),
    "a payment to oneself buys nothing": Case(ape(ALICE, ALICE), weth(5, ALICE, ALICE)).was(PLAIN),
    "an exchange with a vault through a router is the legs that leave both": Case(
        ape(ALICE, ROUTER), ape(ROUTER, VAULT), ape(VAULT, ROUTER, 8), ape(ROUTER, ALICE, 8)
    ).was(
        "swap",
        "transfer",
        "swap",
        "transfer",
        swaps=(
            Leg(APES, 7, ALICE, ROUTER, 1),
            Leg(APES, 7, ROUTER, VAULT, 1),
            Leg(APES, 8, VAULT, ROUTER, 1),
            Leg(APES, 8, ROUTER, ALICE, 1),
        ),
    ),
    "what the receiver keeps elsewhere is still exchanged": Case(
        ape(ALICE, VAULT), ape(VAULT, ALICE, 8), ape(VAULT, CAROL)
    ).was("swap", "swap", "transfer"),
    "a mint has the transactions value": Case(ape(ZERO, ALICE), value=5)
    .was(Judgement("mint", ETHER, 5))
    .but(value=0)
    .was(Judgement("mint")),
    "two mints have no value each": Case(ape(ZERO, ALICE), ape(ZERO, ALICE, 8), value=5).was(
        Judgement("mint"), Judgement("mint")
    ),
    "a mint beside tokens that were bought has no value": Case(
        ape(ZERO, ALICE), erc20(USDC, 9, CAROL, ALICE), value=5
    ).was(Judgement("mint")),
    "units minted together are one item": Case(erc1155(COINS, 1, 5, ZERO, ALICE), value=5).was(
        Judgement("mint", ETHER, 5)
    ),
    "no units minted are worth nothing": Case(erc1155(COINS, 1, 0, ZERO, ALICE), value=5).was(
        Judgement("mint")
    ),
    "what goes to nobody is burned": Case(ape(BOB, DEAD), ape(BOB, ZERO, 8), value=5).was("burn", "burn"),
}

test_without_markets = judged(CASES)


def test_of_a_large_bundle_each_transfer_shows_its_own_leg_and_what_was_paid() -> None:
    """Else fifty thousand NFTs, which cost little to move, would be stored with fifty thousand legs each."""
    count = MAX_LEGS + 50
    moves = [erc721(APES, at, BOB, ALICE, index=at) for at in range(count)]
    found = verdict(of_transaction([*moves, erc20(WETH, 60, ALICE, BOB, index=count)]))
    paid = Leg(WETH, None, ALICE, BOB, 60)
    assert [one.swaps for one in found.judgements] == [
        (Leg(APES, at, BOB, ALICE, 1), paid) for at in range(count)
    ]
