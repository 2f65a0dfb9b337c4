"""Wyvern: who sold to whom, for how much, and in which currency, though its event says only a number."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Judgement, Leg, Payment, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, word
from tests.markets.building import (
    ETHER,
    USDC,
    WETH,
    Case,
    ape,
    erc20,
    judged,
    sold,
    weth,
)
from tests.markets.wyvern_events import (
    BUY,
    EXCHANGE_1,
    EXCHANGE_2,
    SELL,
    UNSIGNED,
    ask_matched,
    bid_matched,
    orders_matched,
)

FEES = "0x5b3256965e7c3cf26e11fcaf296dfc8807c01073"
WYV = "0x056017c55ae7ae32d12aef7c679df83a85ca75ff"
RELAYER = "0x" + "99" * 20


_sent = partial(Case, to=EXCHANGE_2)
CASES = {
    "a bid is sold for what the buyer paid and the seller pays the fee out of it": Case(
        weth(1400, ALICE, BOB),
        weth(70, BOB, FEES),
        ape(BOB, ALICE),
        bid_matched(BOB, ALICE, 1400),
        to=EXCHANGE_1,
        sender=BOB,
    ).was(sold(1400, WETH), deal=(Side.BID, BOB, ALICE), order_hashes=(BUY,)),
    "a fee that the bidder pays on top is part of the price": _sent(
        weth(1000, ALICE, BOB),
        weth(25, ALICE, FEES),
        weth(50, BOB, FEES),
        ape(BOB, ALICE),
        bid_matched(BOB, ALICE, 1000),
        sender=BOB,
    ).was(sold(1025, WETH), payments=(Payment(WETH, 25, FEES),)),
    "an ask in a token costs the price and the fees that the buyer pays on top": _sent(
        erc20(USDC, 1000, ALICE, BOB),
        erc20(USDC, 75, BOB, FEES),
        erc20(USDC, 25, ALICE, FEES),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
    ).was(sold(1025, USDC)),
    "what the buyer pays after the NFT moved is no fee": _sent(
        erc20(USDC, 1000, ALICE, BOB),
        ape(BOB, ALICE),
        erc20(USDC, 3, ALICE, CAROL),
        ask_matched(BOB, ALICE, 1000),
    ).was(sold(1000, USDC)),
    "a fee in the protocols own token is not what the NFT was sold for": Case(
        erc20(WYV, 1000, BOB, FEES),
        erc20(WYV, 1000, ALICE, FEES),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
        to=EXCHANGE_1,
        value=1000,
    ).was(sold(1000, ETHER)),
    "a payment of the match before is not paid again": Case(
        weth(1000, ALICE, BOB),
        ape(BOB, ALICE, 6),
        ask_matched(BOB, ALICE, 1000),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
        to=RELAYER,
        value=1000,
    ).was(sold(1000, WETH), sold(1000, ETHER)),
    "a token that keeps a part of what is sent is still the currency": _sent(
        erc20(USDC, 900, ALICE, BOB),
        erc20(USDC, 100, ALICE, CAROL),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
    ).was(sold(1000, USDC)),
    "a token that keeps a part is the currency behind somebodys own contract too": Case(
        erc20(USDC, 950, ALICE, BOB),
        erc20(USDC, 50, ALICE, CAROL),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
        to=RELAYER,
    ).was(sold(1000, USDC)),
    # A wallet may hold ether of its own, or have paid in a token without logs: nothing tells.
    "ether that somebodys own contract neither was sent nor unwrapped is no price": Case(
        ape(BOB, ALICE), ask_matched(BOB, ALICE, 1000), to=RELAYER, value=999
    ).was(
        Judgement("sale", swaps=(Leg(APES, 7, BOB, ALICE, 1, "opensea"),)),
        faults=[(2, 1000)],
    ),
    # Aggregators turn what a bidder brought in WETH into the ether that an ask is paid in.
    "ether that somebodys own contract unwrapped is a price": Case(
        log("Withdrawal(address,uint256)", [RELAYER], word(400), contract=WETH),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
        to=RELAYER,
        value=600,
    ).was(sold(1000)),
    "ether that was not brought is no price": _sent(ape(BOB, ALICE), ask_matched(BOB, ALICE, 1000)).was(
        "sale", faults=[2]
    ),
    # The exchange takes bids in tokens only, so that this cannot be ether.
    "a bid paid in a token without logs is a sale whose price is not known": _sent(
        ape(BOB, ALICE), bid_matched(BOB, ALICE, 9), sender=BOB
    ).was(
        Judgement("sale", swaps=(Leg(APES, 7, BOB, ALICE, 1, "opensea"),)),
        faults=[(2, 9)],
    ),
    "of two signed orders the one that the money goes to sells": Case(
        weth(1000, ALICE, BOB),
        ape(BOB, ALICE),
        orders_matched(ALICE, BOB, 1000, buy=BUY, sell=SELL),
        to=EXCHANGE_1,
        sender=RELAYER,
    ).was(sold(1000, WETH), side=Side.BID, order_hashes=(BUY, SELL)),
    "of two signed orders paid in ether the makers sells since ether only pays such": Case(
        ape(BOB, ALICE),
        orders_matched(BOB, ALICE, 1000, buy=BUY, sell=SELL),
        to=EXCHANGE_1,
        value=1000,
        sender=RELAYER,
    ).was(sold(1000), seller=BOB),
    # The hash that is missing is the caller's; as a rule that is the taker, here it is not.
    "a maker who calls the exchange sells by its own order": _sent(
        weth(1000, ALICE, BOB),
        ape(BOB, ALICE),
        orders_matched(BOB, ALICE, 1000, buy=BUY, sell=UNSIGNED),
        sender=BOB,
    ).was(sold(1000, WETH), deal=(Side.ASK, BOB, ALICE)),
    "the same ether does not pay two asks behind somebodys own contract": Case(
        ape(BOB, ALICE, 6),
        ask_matched(BOB, ALICE, 1000),
        ape(BOB, ALICE),
        ask_matched(BOB, ALICE, 1000),
        to=RELAYER,
        value=1500,
    )
    .was(sold(1000), "sale", faults=1)
    .but(value=2000)
    .was(sold(1000), sold(1000)),
}


test_wyvern_money = judged(CASES)
