"""Rarible 1: `Buy` of its exchange and of the sale contracts before it, as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import Case, ape, erc721, erc1155, judged, of_transaction, sold, verdict, weth
from tests.markets.currencies import ONE_ETHER, WETH
from tests.markets.rarible_events import ERC721_SALE, ERC1155_SALE, RARIBLE_1, buy, erc721_sale, erc1155_sale

GENIE = "0x0a267cf51ef038fc00e71801f5a524aec06e4f07"
FEES = "0x1cf0df2a5a20cd61d68d4489eebbf85b8d39e18a"
CATS = "0x" + "ca" * 19 + "75"
_sent = partial(Case, to=RARIBLE_1)
CASES = {
    "ether is what the transaction brings since the exchange takes price and fee to the wei": _sent(
        ape(BOB, ALICE), buy(BOB, ALICE, buying=ONE_ETHER), value=ONE_ETHER * 1025 // 1000
    ).was(sold(ONE_ETHER * 1025 // 1000), at="rarible", deal=(Side.ASK, BOB, ALICE)),
    "a router that brings exactly what the event tells paid no fee on top": Case(
        ape(BOB, ALICE), buy(BOB, ALICE, buying=ONE_ETHER), to=GENIE, value=ONE_ETHER
    ).was(sold(ONE_ETHER)),
    **{
        f"less than the price or more than twice of it is not believed: {value}": _sent(
            ape(BOB, ALICE), buy(BOB, ALICE, buying=100), value=value
        ).was("sale", faults=(2,))
        for value in [99, 201]
    },
    # nothing to do with it
    "an ask in a token costs all that the buyer sends for it": _sent(
        ape(BOB, ALICE),
        weth(50, ALICE, FEES),
        weth(975, ALICE, BOB),
        buy(BOB, ALICE, buying=1000, bought=(WETH, 0)),
        weth(4, ALICE, CAROL),
    ).was(sold(1025, WETH)),
    "a bid sells money for an NFT and its owner is the buyer": _sent(
        weth(50, BOB, FEES),
        weth(975, BOB, ALICE),
        ape(ALICE, BOB),
        buy(BOB, ALICE, sold=(WETH, 0), selling=1000, bought=(APES, 7), buying=1, amount=1000),
    ).was(sold(1025, WETH), deal=(Side.BID, ALICE, BOB)),
    "an NFT for an NFT is a swap": _sent(
        ape(BOB, ALICE), erc721(CATS, 8, ALICE, BOB), buy(BOB, ALICE, bought=(CATS, 8), buying=1)
    ).was("swap", "swap", markets=("rarible",)),
    "an order for nothing is no sale": _sent(ape(BOB, ALICE), buy(BOB, ALICE, buying=0)).was("transfer"),
    "the sale contract for ERC-721 takes its fee on top": Case(
        ape(BOB, ALICE), erc721_sale(BOB, ALICE, 1000), to=ERC721_SALE, value=1025
    ).was(sold(1025), markets=("rarible",)),
    "the sale contract for ERC-1155 tells the price of one unit": Case(
        erc1155(APES, 7, 3, BOB, ALICE), erc1155_sale(BOB, ALICE, 100, 3), to=ERC1155_SALE, value=307
    ).was(sold(307)),
    # 666 and two thirds
    **{
        f"a part of an order costs its part of the price: {value}": _sent(
            erc1155(APES, 7, 2, BOB, ALICE),
            buy(BOB, ALICE, selling=selling, buying=buying, amount=2),
            value=value,
        ).was(sold(value))
        for selling, buying, value in [(19, 1900, 205), (3, 1000, 666)]
    },
    **{
        f"through a router the fee on top is not known and no price is told: {value}": Case(
            ape(BOB, ALICE), buy(BOB, ALICE, buying=ONE_ETHER), to=GENIE, value=value
        ).was(
            "sale",
            swaps=(
                Leg(APES, 7, BOB, ALICE, 1, "rarible"),
                Leg(NATIVE, None, ALICE, BOB, ONE_ETHER, "rarible"),
            ),
            faults=1,
        )
        for value in [3 * ONE_ETHER, 0, ONE_ETHER - 1]
    },
    "a sale that no NFT log delivers is a fault": _sent(buy(BOB, ALICE, buying=5), value=5).was(faults=[1]),
    "what a cancelled order says is no sale": _sent(
        ape(BOB, ZERO),
        log("Cancel(address,uint256,address,address,uint256,uint256)", [APES, 7], contract=RARIBLE_1),
    ).was("burn", fills=0, commercial=False),
}

test_rarible_1 = judged(CASES)

MALFORMED = {"an order of nothing": buy(BOB, ALICE, buying=100, selling=0)}


@UNHURRIED
@given(
    selling=st.integers(1, 2**256 - 1),
    buying=st.integers(0, 2**256 - 1),
    amount=st.integers(0, 2**256 - 1),
    value=st.integers(0, 2**100),
)
def test_no_price_is_told_that_the_transaction_does_not_bring(
    selling: int, buying: int, amount: int, value: int
) -> None:
    logs = [ape(BOB, ALICE), buy(BOB, ALICE, selling=selling, buying=buying, amount=amount)]
    found = verdict(of_transaction(logs, target=RARIBLE_1, value=value))
    assert found.judgements[0].price in (0, value)
