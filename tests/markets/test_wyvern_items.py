"""Wyvern: which NFTs a match sold, though its event names none."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Judgement, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import (
    ETHER,
    ONE_ETHER,
    WETH,
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
from tests.markets.seaport_events import SEAPORT_15, order_fulfilled, paid
from tests.markets.wyvern_events import EXCHANGE_1, EXCHANGE_2, SELL, ask_matched, bid_matched

ROUTER = "0x" + "99" * 20
DAVE = "0x" + "da" * 20
OTHERS = "0x" + "07" * 20
TRANSFER, MINT = Judgement("transfer"), Judgement("mint")


_SOUND = ask_matched(BOB, ALICE, 5, index=3)


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
}


test_wyvern_items = judged(CASES)


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
