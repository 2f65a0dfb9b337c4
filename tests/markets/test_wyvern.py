"""Wyvern: which NFTs a match sold, to whom, for how much and in which currency: its event tells only a number."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement, Leg, Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log, word
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
from tests.markets.currencies import ETHER, ONE_ETHER, USDC, WETH
from tests.markets.seaport_events import SEAPORT_15, order_fulfilled, paid
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

ROUTER = "0x" + "99" * 20
DAVE = "0x" + "da" * 20
OTHERS = "0x" + "07" * 20
TRANSFER, MINT = Judgement("transfer"), Judgement("mint")
_SOUND = ask_matched(BOB, ALICE, 5, index=3)
FEES = "0x5b3256965e7c3cf26e11fcaf296dfc8807c01073"
WYV = "0x056017c55ae7ae32d12aef7c679df83a85ca75ff"
RELAYER = "0x" + "99" * 20
_sent = partial(Case, to=EXCHANGE_2)
CASES = {
    **{
        f"an ask in ether sells what left the seller just before: {label}": Case(
            ape(BOB, ALICE), ask_matched(BOB, ALICE, 5, contract=exchange), to=exchange, value=5
        ).was(sold(5), at="opensea", deal=(Side.ASK, BOB, ALICE), currency=ETHER, order_hashes=(SELL,))
        for label, exchange in enumerate([EXCHANGE_1, EXCHANGE_2], 1)
    },
    "units of an ERC-1155 token are sold for the whole price": _sent(
        erc1155(APES, 7, 20, BOB, ALICE), ask_matched(BOB, ALICE, 5), value=5
    ).was(sold(5)),
    "a bundle has no price of its own for each but all legs": _sent(
        ape(BOB, ALICE), erc1155(OTHERS, 1, 3, BOB, ALICE), ask_matched(BOB, ALICE, 5), value=5
    ).was(
        *(
            Judgement(
                "sale",
                swaps=(
                    Leg(APES, 7, BOB, ALICE, 1, "opensea"),
                    Leg(OTHERS, 1, BOB, ALICE, 3, "opensea"),
                    Leg(ETHER, None, ALICE, BOB, 5, "opensea"),
                ),
            ),
        )
        * 2
    ),
    "a sweep sells each NFT at the price of the match behind it": Case(
        ape(BOB, ALICE),
        ask_matched(BOB, ROUTER, 5),
        ape(BOB, ALICE, 8),
        ask_matched(BOB, ROUTER, 6),
        ape(CAROL, ROUTER, 9),
        ask_matched(CAROL, ROUTER, 7, contract=EXCHANGE_1),
        ape(ROUTER, ALICE, 9),
        to=ROUTER,
        value=18,
    ).was(sold(5), sold(6), sold(7), TRANSFER),
    "what seaport sold of the same seller in the same sweep is not sold again": Case(
        order_fulfilled(consideration=[paid(5, BOB)]),
        ape(BOB, ALICE),
        ape(BOB, ALICE, 8),
        ask_matched(BOB, ROUTER, 6),
        to=ROUTER,
        value=11,
    ).was(sold(5), sold(6), markets=("opensea",)),
    "an NFT bought elsewhere and sold on to a bid is sold twice": Case(
        order_fulfilled(recipient=ROUTER, consideration=[paid(5, BOB)], contract=SEAPORT_15),
        ape(BOB, ROUTER),
        weth(9, CAROL, ROUTER),
        ape(ROUTER, CAROL),
        bid_matched(ROUTER, CAROL, 9),
        to=ROUTER,
        value=5,
    ).was(sold(5), sold(9, WETH)),
    "a seller who gave something else away before did not sell that": Case(
        erc721(OTHERS, 1, BOB, DAVE), ape(BOB, ALICE), ask_matched(BOB, ROUTER, 5), to=ROUTER, value=5
    ).was(TRANSFER, sold(5)),
    "what the maker sold may come from another holder": _sent(
        ape(CAROL, ALICE), ask_matched(BOB, ALICE, 5), value=5
    ).was(sold(5), seller=BOB),
    "what a factory minted to the buyer was sold": _sent(
        ape(ZERO, ALICE), ask_matched(BOB, ALICE, 5), value=5
    ).was(sold(5)),
    "a factory that mints past the router sold the only NFT that moved": Case(
        ape(ZERO, ALICE), ask_matched(BOB, ROUTER, 5), to=ROUTER, value=5
    ).was(sold(5)),
    "what is minted besides the NFT that leaves the seller is not sold": _sent(
        erc1155(APES, 0, 1, BOB, ALICE),
        erc721(OTHERS, 1153, ZERO, ALICE),
        ask_matched(BOB, ALICE, 5),
        value=5,
    ).was(sold(5), MINT),
    "what is burned besides is not sold": _sent(
        erc721(OTHERS, 1, BOB, ZERO), erc721(OTHERS, 2, ZERO, ALICE), ask_matched(BOB, ALICE, 5), value=5
    ).was(Judgement("burn"), sold(5)),
    **{
        f"an event that cannot be read is a fault and the rest is read: {label}": _sent(
            erc721(APES, 7, BOB, ALICE, index=2),
            broken,
            erc721(APES, 8, BOB, ALICE, index=4),
            ask_matched(BOB, ALICE, 6, index=5),
            value=6,
        ).was(TRANSFER, sold(6), faults=[3])
        for label, broken in zip(
            ["a topic short", "without its price", "no address"],
            [
                _SOUND._replace(topics=_SOUND.topics[:3]),
                _SOUND._replace(data=_SOUND.data[:64]),
                ask_matched(BOB, f"0x{2**200:x}", 5, index=3),
            ],
            strict=True,
        )
    },
    "a match for nothing is no sale": _sent(ape(BOB, ALICE), ask_matched(BOB, ALICE, 0)).was(
        TRANSFER, commercial=True
    ),
    "units of nothing are not sold": _sent(
        erc1155(APES, 7, 0, BOB, ALICE), ask_matched(BOB, ALICE, 5), value=5
    ).was(TRANSFER, faults=[(2, 5)]),
    "a match without any NFT log is a fault and claims nothing": _sent(
        ask_matched(BOB, ALICE, 5), ape(BOB, ALICE), value=5
    ).was(TRANSFER, faults=[1]),
    "an order that was cancelled sells nothing": _sent(
        log("OrderCancelled(bytes32)", [int(SELL, 16)], contract=EXCHANGE_2), ape(BOB, ALICE)
    ).was(TRANSFER, commercial=False),
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
    ).was(Judgement("sale", swaps=(Leg(APES, 7, BOB, ALICE, 1, "opensea"),)), faults=[(2, 1000)]),
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
    ).was(Judgement("sale", swaps=(Leg(APES, 7, BOB, ALICE, 1, "opensea"),)), faults=[(2, 9)]),
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

test_wyvern = judged(CASES)


@UNHURRIED
@given(
    st.lists(
        st.tuples(st.sampled_from([BOB, CAROL, DAVE]), st.integers(1, 3), st.integers(0, ONE_ETHER)),
        max_size=8,
    )
)
def test_in_any_sweep_each_nft_is_sold_once_at_the_price_of_its_own_match(
    orders: list[tuple[str, int, int]],
) -> None:
    logs: list[RawLog] = []
    wanted: list[tuple[str, int]] = []
    token_id = 0
    for seller, count, price in orders:
        for _ in range(count):
            logs.append(erc721(APES, token_id, seller, ALICE, index=len(logs)))
            token_id += 1
            wanted.append(("sale" if price else "transfer", price if count == 1 else 0))
        logs.append(ask_matched(seller, ROUTER, price, index=len(logs)))
    found = verdict(of_transaction(logs, target=ROUTER, value=8 * ONE_ETHER))
    assert [(one.transfer_type, one.price) for one in found.judgements] == wanted
