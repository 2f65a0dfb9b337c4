"""0x 4: orders for NFTs, by its two events as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import NATIVE, Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, log, words
from tests.markets.building import (
    PRICELESS,
    Case,
    ape,
    erc721,
    erc1155,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.currencies import WETH
from tests.markets.zeroex_events import BUY, SELL, ZEROEX, filled

OPTIMISM, ZEROEX_ON_OPTIMISM = 10, "0xdef1abe32c034e558cdd535791643c58a13acc10"
FEES = "0x" + "fe" * 20
_sent = partial(Case, to=ZEROEX)
CASES = {
    **{
        f"a sell order for ether costs what it tells where no more was brought: {label}": Case(
            ape(BOB, ALICE), filled(SELL, BOB, ALICE, 100), to=target, value=100
        ).was(sold(100), at="zeroex", deal=(Side.ASK, BOB, ALICE))
        for label, target in enumerate([ZEROEX, CAROL], 1)
    },
    "a buy order costs its maker the fees on top too": _sent(
        ape(ALICE, BOB),
        weth(100, BOB, ALICE),
        weth(5, BOB, FEES),
        filled(BUY, BOB, ALICE, 100, currency=WETH),
    ).was(sold(105, WETH), deal=(Side.BID, ALICE, BOB)),
    "each order of a batch has the payments since the one before it": _sent(
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        filled(SELL, BOB, ALICE, 100, currency=WETH),
        erc1155(APES, 8, 3, CAROL, ALICE),
        weth(200, ALICE, CAROL),
        weth(20, ALICE, FEES),
        filled(SELL, CAROL, ALICE, 200, currency=WETH, token_id=8, units=3),
    ).was(sold(100, WETH), sold(220, WETH)),
    "what the buyer swaps before it gets the NFT is no part of the price": Case(
        weth(777, ALICE, CAROL),
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        weth(5, ALICE, FEES),
        filled(SELL, BOB, ALICE, 100, currency=WETH),
        to=ALICE,
    ).was(sold(105, WETH)),
    # what the matcher earns
    "two orders that were matched are one sale at all that the buyer pays": _sent(
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        weth(20, ALICE, CAROL),
        weth(5, ALICE, FEES),
        filled(SELL, BOB, ALICE, 100, currency=WETH, matcher=CAROL),
        filled(BUY, ALICE, BOB, 120, currency=WETH, matcher=CAROL),
        sender=CAROL,
    ).was(sold(125, WETH), also=lambda found: len(found.fills) == 1),
    "a price in a token that nobody sent is a fault": _sent(
        ape(ALICE, BOB), weth(99, BOB, ALICE), filled(BUY, BOB, ALICE, 100, currency=WETH)
    ).was("sale", faults=1),
    "an order filled for nothing is no sale": _sent(ape(BOB, ALICE), filled(SELL, BOB, ALICE, 0)).was(
        "transfer"
    ),
    "the proxy of another chain has its own address": Case(
        ape(BOB, ALICE),
        filled(SELL, BOB, ALICE, 100, contract=ZEROEX_ON_OPTIMISM),
        to=ZEROEX_ON_OPTIMISM,
        value=100,
        chain=OPTIMISM,
    ).was(sold(100)),
    "more ether than that may be fees or be handed back and no price is told": _sent(
        ape(BOB, ALICE), filled(SELL, BOB, ALICE, 100), value=105
    ).was(
        "sale",
        swaps=(Leg(APES, 7, BOB, ALICE, 1, "zeroex"), Leg(NATIVE, None, ALICE, BOB, 100, "zeroex")),
        faults=[PRICELESS],
    ),
    "swaps of tokens and cancelled orders of the same contract say nothing": _sent(
        ape(BOB, ALICE),
        log("ERC721OrderCancelled(address,uint256)", data=words(BOB, 9), contract=ZEROEX),
        log("TransformedERC20(address,address,address,uint256,uint256)", [ALICE], contract=ZEROEX),
        value=100,
    ).was("transfer", fills=0, markets=()),
}

test_zeroex = judged(CASES)

MALFORMED = {
    "neither a sale nor a purchase": filled(2, BOB, ALICE, 100),
    "of no units": filled(SELL, BOB, ALICE, 100, units=0),
}


@UNHURRIED
@given(told=st.lists(st.integers(1, 10**20), min_size=1, max_size=5), value=st.integers(0, 10**21))
def test_prices_in_ether_are_told_only_where_they_add_up_to_what_was_brought(
    told: list[int], value: int
) -> None:
    logs = []
    for number, price in enumerate(told):
        logs.append(erc721(APES, number, BOB, ALICE, index=2 * number))
        logs.append(filled(SELL, BOB, ALICE, price, token_id=number, index=2 * number + 1))
    for brought in (value, sum(told)):
        prices = [one.price for one in verdict(of_transaction(logs, target=CAROL, value=brought)).judgements]
        assert prices == (told if brought == sum(told) else [0] * len(told))
