"""Seaport: NFTs for NFTs, with and without money beside them."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Leg
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets.building import (
    ETHER,
    WETH,
    Case,
    ape,
    erc721,
    judged,
    weth,
)
from tests.markets.seaport_events import (
    SEAPORT_11,
    SEAPORT_15,
    SEAPORT_16,
    erc20_item,
    matched,
    nft_item,
    order_fulfilled,
    paid,
)

CATS = "0x" + "c4" * 20
DEAD = "0x000000000000000000000000000000000000dead"


CAT = nft_item(CATS, 3, BOB)
LEGS = (Leg(APES, 7, BOB, ALICE, 1, "opensea"), Leg(CATS, 3, ALICE, BOB, 1, "opensea"))

_sent = partial(Case, to=SEAPORT_15)
CASES = {
    # Contract orders (1.2 on) that give a new NFT for an old one: both come before a swap in the order of types.
    "what is burned and minted in a redemption is a burn and a mint": Case(
        erc721(CATS, 3, ZERO, ALICE),
        ape(ALICE, DEAD),
        order_fulfilled(
            offerer=CATS,
            offer=[nft_item(CATS, 3)],
            consideration=[nft_item(APES, 7, DEAD)],
            contract=SEAPORT_16,
        ),
        to=SEAPORT_16,
    ).was("mint", "burn", commercial=True),
    "an NFT for an NFT is a swap with both legs": _sent(
        ape(BOB, ALICE), erc721(CATS, 3, ALICE, BOB), order_fulfilled(consideration=[CAT])
    ).was("swap", "swap", at="opensea", swaps=LEGS),
    "money that the taker adds is a leg of the swap": _sent(
        ape(BOB, ALICE),
        erc721(CATS, 3, ALICE, BOB),
        order_fulfilled(consideration=[CAT, paid(50, BOB)]),
        value=50,
    ).was("swap", "swap", swaps=(*LEGS, Leg(ETHER, None, ALICE, BOB, 50, "opensea"))),
    "money that the maker adds is a leg of the swap": _sent(
        ape(BOB, ALICE),
        weth(50, BOB, ALICE),
        erc721(CATS, 3, ALICE, BOB),
        order_fulfilled(offer=[nft_item(APES, 7), erc20_item(WETH, 50)], consideration=[CAT]),
    ).was("swap", "swap", swaps=(*LEGS, Leg(WETH, None, BOB, ALICE, 50, "opensea"))),
    **{
        f"two exchanges matched with each other are one swap: {label}": Case(
            matched(
                (BOB, [nft_item(APES, 7)], [CAT]),
                (ALICE, [nft_item(CATS, 3)], [nft_item(APES, 7, ALICE)]),
                contract=contract,
            ),
            ape(BOB, ALICE),
            erc721(CATS, 3, ALICE, BOB),
            to=contract,
        ).was("swap", "swap", fills=1, seller=BOB, buyer=ALICE)
        for label, contract in enumerate([SEAPORT_11, SEAPORT_15], 1)
    },
}


test_seaport_exchanges = judged(CASES)
