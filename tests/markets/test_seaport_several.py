"""Seaport: NFTs for NFTs, and several orders filled in one transaction, none of them matched with another."""

from __future__ import annotations

from functools import partial
from typing import Any

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import Case, ape, erc20, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import ETHER, USDC, WETH
from tests.markets.seaport_events import (
    SEAPORT_11,
    SEAPORT_15,
    SEAPORT_16,
    Item,
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
BOT = "0x" + "b7" * 20


def _ask(offerer: str, item: Item, price: Item, **of: Any) -> RawLog:
    return order_fulfilled(offerer=offerer, offer=[item], consideration=[price], **of)


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
    "each NFT of a sweep has its own price": _sent(
        _ask(BOB, nft_item(APES, 7), paid(100, BOB)),
        _ask(CAROL, nft_item(APES, 8), paid(250, CAROL)),
        ape(CAROL, ALICE, 8),
        ape(BOB, ALICE),
        value=350,
    ).was(sold(250), sold(100)),
    # `fulfillAvailableAdvancedOrders` adds equal items of one seller up, and what is paid to one receiver.
    "two fills that one transfer delivers are one item with both prices": _sent(
        _ask(BOB, nft_item(APES, 7, kind=3, amount=2), erc20_item(WETH, 100, BOB)),
        _ask(BOB, nft_item(APES, 7, kind=3, amount=3), erc20_item(WETH, 120, BOB)),
        erc1155(APES, 7, 5, BOB, ALICE),
        weth(220, ALICE, BOB),
    ).was(sold(220, WETH), also=lambda found: len(found.fills) == 2),
    "two fills in two currencies that one transfer delivers have their legs": _sent(
        _ask(BOB, nft_item(APES, 7, kind=3, amount=2), erc20_item(WETH, 100, BOB)),
        _ask(BOB, nft_item(APES, 7, kind=3, amount=3), erc20_item(USDC, 120, BOB)),
        erc1155(APES, 7, 5, BOB, ALICE),
        weth(100, ALICE, BOB),
        erc20(USDC, 120, ALICE, BOB),
    ).was(
        "sale",
        also=lambda found: (
            [(leg.contract, leg.amount) for leg in found.judgements[0].swaps]
            == [(APES, 5), (WETH, 100), (USDC, 120)]
        ),
    ),
    # Alice is who the order pays a royalty to: where several orders are filled, Seaport leaves that transfer out.
    "what a buyer pays to themselves is a part of the price": _sent(
        order_fulfilled(consideration=[erc20_item(WETH, 95, BOB), erc20_item(WETH, 5, ALICE)]),
        ape(BOB, ALICE),
        weth(95, ALICE, BOB),
    ).was(sold(100, WETH)),
    "units of one id from different sellers each have their price": _sent(
        _ask(BOB, nft_item(APES, 7, kind=3), paid(100, BOB)),
        _ask(CAROL, nft_item(APES, 7, kind=3), paid(140, CAROL)),
        erc1155(APES, 7, 1, CAROL, ALICE),
        erc1155(APES, 7, 1, BOB, ALICE),
        value=240,
    ).was(sold(140), sold(100)),
    # A bot buys from an ask and sells into a bid: each leg has the price of its own order.
    "one NFT bought and sold again in one transaction is sold twice": Case(
        _ask(BOB, nft_item(APES, 7), paid(100, BOB), recipient=BOT),
        ape(BOB, BOT),
        weth(130, CAROL, BOT),
        ape(BOT, CAROL),
        order_fulfilled(
            offerer=CAROL,
            recipient=BOT,
            offer=[erc20_item(WETH, 130)],
            consideration=[nft_item(APES, 7, CAROL)],
        ),
        to=BOT,
        value=100,
    ).was(sold(100), sold(130, WETH)),
    "orders of two versions in one transaction are both read": Case(
        _ask(BOB, nft_item(APES, 7), paid(100, BOB)),
        ape(BOB, ALICE),
        order_fulfilled(
            offerer=CAROL, offer=[nft_item(APES, 8)], consideration=[paid(30, CAROL)], contract=SEAPORT_16
        ),
        ape(CAROL, ALICE, 8),
        to=BOT,
        value=130,
    ).was(
        sold(100),
        sold(30),
        also=lambda found: [fill.protocol for fill in found.fills] == ["seaport-1.5", "seaport-1.6"],
    ),
    "prices of one transfer that are together more than any currency has are not published": Case(
        _ask(BOB, nft_item(APES, 7, kind=3, amount=2), paid(2**256 - 1, BOB)),
        _ask(BOB, nft_item(APES, 7, kind=3, amount=3), paid(1, BOB)),
        erc1155(APES, 7, 5, BOB, ALICE),
        to=BOT,
    ).was("sale", faults=[(1, 2**256)], also=lambda found: len(found.judgements[0].swaps) == 3),
}

test_seaport_several = judged(CASES)
