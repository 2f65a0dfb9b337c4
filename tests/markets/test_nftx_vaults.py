"""NFTX's vaults: NFTs in and out for vault tokens are transfers, for other NFTs exchanges; no price comes of them."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, ZERO, log, word, words
from tests.markets.building import (
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    erc1155,
    judged,
    sold,
)
from tests.markets.nftx_events import (
    NFTX_1,
    VAULT,
    WHOLE,
    deposited_1,
    minted,
    redeemed_1,
    redeemed_2,
    redeemed_3,
    swapped_2,
    swapped_3,
)
from tests.markets.recorded import vectors, verdicts
from tests.markets.seaport_events import order_fulfilled, paid

WORLD = "0x" + "51" * 20


def _made(*, index: int = LATER) -> RawLog:
    """The vault's token for one NFT, for Alice."""
    return erc20(VAULT, WHOLE, ZERO, ALICE, index=index)


IN_AND_OUT = {
    "in": [erc721(APES, 7, ALICE, VAULT, index=1), _made(index=2), minted([7], ALICE, index=3)],
    "out of version 2": [
        erc20(VAULT, WHOLE, ALICE, ZERO, index=1),
        erc721(APES, 7, VAULT, ALICE, index=2),
        redeemed_2([7], ALICE, index=3),
    ],
    "out of version 3": [
        erc20(VAULT, WHOLE, ALICE, ZERO, index=1),
        erc721(APES, 7, VAULT, ALICE, index=2),
        redeemed_3([7], ALICE, index=3),
    ],
    "into version 1": [erc721(APES, 7, ALICE, NFTX_1, index=1), deposited_1([7], ALICE, index=2)],
    "out of version 1": [erc721(APES, 7, NFTX_1, ALICE, index=1), redeemed_1([7], ALICE, index=2)],
}


CASES = {
    **{
        f"nfts in and out of a vault are transfers of this market: {label}": Case(logs, value=5).was(
            "transfer", at="nftx"
        )
        for label, logs in IN_AND_OUT.items()
    },
    "vault tokens that pass between those who move the NFT are no price": Case(
        erc20(VAULT, WHOLE, VAULT, ALICE, index=4), IN_AND_OUT["in"]
    ).was("transfer"),
    **{
        f"an NFT that a vault gives for another is exchanged with all legs: {label}": Case(
            ape(ALICE, VAULT), ape(VAULT, ALICE, 8), swapped([7], [8], ALICE)
        ).was(
            "swap",
            "swap",
            at="nftx",
            also=lambda found: (
                set(found.judgements[0].swaps)
                == {Leg(APES, 7, ALICE, VAULT, 1, "nftx"), Leg(APES, 8, VAULT, ALICE, 1, "nftx")}
            ),
        )
        for label, swapped in enumerate([swapped_2, swapped_3], 1)
    },
    # Bob gives for Alice: seen between two parties alone, nothing went both ways.
    "an exchange holds when one gives and another gets": Case(
        ape(BOB, VAULT), ape(VAULT, ALICE, 8), swapped_2([7], [8], ALICE)
    ).was("swap", "swap"),
    "units of an ERC-1155 token are exchanged for as many": Case(
        erc1155(WORLD, 1, 2, ALICE, VAULT),
        erc1155(WORLD, 5, 1, VAULT, ALICE),
        erc1155(WORLD, 6, 1, VAULT, ALICE),
        swapped_3([1], [5, 6], ALICE),
    ).was(*["swap"] * 3),
    "random NFTs that come back for a deposit are an exchange in version 1": Case(
        ape(ALICE, NFTX_1), deposited_1([7], ALICE), ape(NFTX_1, ALICE, 8), redeemed_1([8], ALICE)
    ).was("swap", "swap"),
    "what a market sold into a vault stays sold": Case(
        order_fulfilled(recipient=VAULT, consideration=[paid(5, BOB)]),
        ape(BOB, VAULT),
        _made(),
        minted([7], ALICE),
        value=5,
    ).was(sold(5), markets=("opensea", "nftx")),
    **{
        f"a contract that neither took nor gave what it says is not believed: {label}": Case(
            erc721(APES, 7, BOB, CAROL, index=1), erc20(WETH, 5, CAROL, BOB, index=2), event
        ).was(sold(5, WETH), markets=(), commercial=False)
        for label, event in enumerate(
            [
                minted([7], ALICE, index=3),
                redeemed_2([7], ALICE, index=3),
                redeemed_3([7], ALICE, index=3),
                swapped_2([7], [8], ALICE, index=3),
                swapped_3([7], [8], ALICE, index=3),
            ],
            1,
        )
    },
    # As one that gives an NFT for a coupon does, and says so.
    **{
        f"a contract that gives NFTs without burning a token of its own is no vault: {label}": Case(
            ape(VAULT, ALICE), event
        ).was("transfer", markets=(), commercial=False)
        for label, event in enumerate([redeemed_3([7], ALICE), redeemed_2([7], ALICE)], 1)
    },
    "what moves after a vaults event is not meant by it": Case(
        _made(), minted([7], ALICE), ape(ALICE, VAULT)
    ).was("transfer", markets=()),
}


test_nftx_vaults = judged(CASES)

MALFORMED = {
    "cut off": log("Minted(uint256[],uint256[],address)", data=words(96, 128), contract=VAULT),
    "a list without end": log("Redeemed(uint256[],address)", data=words(64, ALICE, 2**40), contract=VAULT),
    "topics": log("Minted(uint256[],uint256[],address)", [7], words(96, 128, ALICE), contract=VAULT),
    "of version 1": log("NFTsRedeemed(uint256,uint256[],address)", data=word(5), contract=NFTX_1),
}


@pytest.mark.shared
@pytest.mark.parametrize("vector_id", ["V110", "V112"])
def test_the_hand_checked_swap_and_deposit_are_what_they_are_said_to_be(vector_id: str) -> None:
    vector = vectors()[vector_id]
    moves, found = verdicts()[vector["tx"]]
    assert {one.transfer_type for one in found.judgements} == {vector["transferType"]}
    assert (list(found.markets), found.is_commercial) == (vector["markets"], vector["isCommercial"])
    assert len(moves) == vector["transferCount"]
