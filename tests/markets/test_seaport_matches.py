"""Seaport: two orders matched with each other, by `OrderFulfilled` and `OrdersMatched` as they are published.

Bob makes the order that stands in the book, Alice calls the market with an order that only mirrors it.
"""

from __future__ import annotations

from functools import partial

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, ZERO
from tests.markets.building import (
    ETHER,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
from tests.markets.seaport_events import (
    MIRROR,
    OPENSEA_FEES,
    ORDER,
    SEAPORT_11,
    SEAPORT_14,
    SEAPORT_15,
    SEAPORT_16,
    erc20_item,
    nft_item,
    order_fulfilled,
    orders_matched,
    paid,
)

BOT = "0x" + "b7" * 20
NEWER = [SEAPORT_14, SEAPORT_15, SEAPORT_16]


def _closed(logs: list[RawLog], contract: str, index: int = LATER) -> list[RawLog]:
    """From 1.2 on an event names the orders that were matched; 1.1 has none."""
    if contract == SEAPORT_11:
        return logs
    return [*logs, orders_matched([ORDER, MIRROR], index=index, contract=contract)]


@pytest.mark.parametrize("contract", [SEAPORT_11, *NEWER])
@pytest.mark.parametrize("offered", [1000, 1200])
def test_an_ask_filled_by_its_buyers_mirror_is_one_ask(contract: str, offered: int) -> None:
    """What the mirror offers too much comes back to who made it."""
    recipient = ZERO if contract == SEAPORT_11 else ALICE
    ask = order_fulfilled(
        offerer=BOB,
        recipient=recipient,
        offer=[nft_item(APES, 7)],
        consideration=[paid(975, BOB), paid(25, OPENSEA_FEES)],
        index=1,
        contract=contract,
    )
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=recipient,
        offer=[paid(offered)],
        consideration=[nft_item(APES, 7, ALICE)],
        index=2,
        order=MIRROR,
        contract=contract,
    )
    logs = _closed([ask, mirror, erc721(APES, 7, BOB, ALICE, index=4)], contract, 3)
    found = verdict(of_transaction(logs, target=contract, value=offered))
    assert (found.judgements, found.faults) == ((sold(1000),), ())
    (fill,) = found.fills
    assert (fill.side, fill.log_index, fill.seller, fill.buyer) == (Side.ASK, 1, BOB, ALICE)
    assert set(fill.order_hashes) == {ORDER, MIRROR}


@pytest.mark.parametrize("contract", [SEAPORT_11, *NEWER])
def test_a_bid_filled_by_its_sellers_mirror_is_one_bid(contract: str) -> None:
    recipient = ZERO if contract == SEAPORT_11 else ALICE
    bid = order_fulfilled(
        offerer=BOB,
        recipient=recipient,
        offer=[erc20_item(WETH, 1000)],
        consideration=[nft_item(APES, 7, BOB, kind=4), erc20_item(WETH, 25, OPENSEA_FEES)],
        index=1,
        contract=contract,
    )
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=recipient,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(WETH, 975, ALICE)],
        index=2,
        order=MIRROR,
        contract=contract,
    )
    moves = [
        erc721(APES, 7, ALICE, BOB, index=4),
        erc20(WETH, 975, BOB, ALICE, index=5),
        erc20(WETH, 25, BOB, OPENSEA_FEES, index=6),
    ]
    logs = _closed([bid, mirror, *moves], contract, 3)
    found = verdict(of_transaction(logs, target=contract))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())
    (fill,) = found.fills
    assert (fill.side, fill.log_index, fill.seller, fill.buyer) == (Side.BID, 1, ALICE, BOB)


_sent = partial(Case, to=SEAPORT_15)
CASES = {
    "a seller whose mirror asks for nothing gets what is left of the bid": _sent(
        _closed(
            [
                order_fulfilled(
                    offer=[erc20_item(WETH, 1000)],
                    consideration=[nft_item(APES, 7, BOB), erc20_item(WETH, 25, OPENSEA_FEES)],
                    index=1,
                ),
                order_fulfilled(offerer=ALICE, consideration=[], index=2, order=MIRROR),
                *[
                    erc721(APES, 7, ALICE, BOB, index=4),
                    erc20(WETH, 25, BOB, OPENSEA_FEES, index=5),
                    erc20(WETH, 975, BOB, ALICE, index=6),
                ],
            ],
            SEAPORT_15,
            3,
        )
    ).was(sold(1000, WETH)),
    # Bob asks 1000, Carol bids 1200: from 1.2 on the rest goes to who matched them.
    "what a bot keeps between two orders is paid by the buyer": _sent(
        _closed(
            [
                order_fulfilled(
                    recipient=BOT,
                    consideration=[erc20_item(WETH, 975, BOB), erc20_item(WETH, 25, OPENSEA_FEES)],
                    index=1,
                ),
                order_fulfilled(
                    offerer=CAROL,
                    recipient=BOT,
                    offer=[erc20_item(WETH, 1200)],
                    consideration=[nft_item(APES, 7, CAROL)],
                    index=2,
                    order=MIRROR,
                ),
                *[
                    erc721(APES, 7, BOB, CAROL, index=4),
                    erc20(WETH, 975, CAROL, BOB, index=5),
                    erc20(WETH, 25, CAROL, OPENSEA_FEES, index=6),
                    erc20(WETH, 200, CAROL, BOT, index=7),
                ],
            ],
            SEAPORT_15,
            3,
        ),
        sender=BOT,
    ).was(sold(1200, WETH), seller=BOB, buyer=CAROL),
    # There the rest of an offer stays with who made it: the logs show 1000 of the 1200.
    "what 1 1 leaves of a bid is not paid": Case(
        order_fulfilled(recipient=ZERO, consideration=[erc20_item(WETH, 1000, BOB)], contract=SEAPORT_11),
        order_fulfilled(
            offerer=CAROL,
            recipient=ZERO,
            offer=[erc20_item(WETH, 1200)],
            consideration=[nft_item(APES, 7, CAROL)],
            order=MIRROR,
            contract=SEAPORT_11,
        ),
        ape(BOB, CAROL),
        weth(1000, CAROL, BOB),
        to=SEAPORT_11,
        sender=BOT,
    ).was(sold(1000, WETH)),
    # The ask wants its own NFT for the buyer; the buyer's order only brings the money.
    "a private listing is a sale to whom it names": _sent(
        _closed(
            [
                order_fulfilled(
                    consideration=[paid(975, BOB), paid(25, OPENSEA_FEES), nft_item(APES, 7, ALICE)], index=1
                ),
                order_fulfilled(offerer=ALICE, offer=[paid(1000)], consideration=[], index=2, order=MIRROR),
                erc721(APES, 7, BOB, ALICE, index=4),
            ],
            SEAPORT_15,
            3,
        ),
        value=1000,
    ).was(sold(1000), seller=BOB, buyer=ALICE, returned=()),
    "an NFT that nobodys order asks for goes to who matched": _sent(
        _closed(
            [
                order_fulfilled(consideration=[paid(100, BOB)], index=1),
                order_fulfilled(offerer=ALICE, offer=[paid(100)], consideration=[], index=2, order=MIRROR),
                erc721(APES, 7, BOB, ALICE, index=4),
            ],
            SEAPORT_15,
            3,
        ),
        value=100,
    ).was(sold(100)),
    # One order twice in a transaction: alone, and matched with a mirror.
    "an order that was filled in part before is not taken for the match": Case(
        _closed(
            [
                order_fulfilled(
                    recipient=CAROL,
                    offer=[nft_item(APES, 7, kind=3)],
                    consideration=[paid(100, BOB)],
                    index=1,
                ),
                order_fulfilled(offer=[nft_item(APES, 7, kind=3)], consideration=[paid(100, BOB)], index=3),
                order_fulfilled(
                    offerer=ALICE,
                    offer=[paid(100)],
                    consideration=[nft_item(APES, 7, ALICE, kind=3)],
                    index=4,
                    order=MIRROR,
                ),
                *[erc721(APES, 7, BOB, CAROL, index=2), erc721(APES, 7, BOB, ALICE, index=6)],
            ],
            SEAPORT_15,
            5,
        ),
        to=BOT,
        value=200,
    ).was(sold(100), sold(100), also=lambda found: [fill.buyer for fill in found.fills] == [CAROL, ALICE]),
    "an order beside a match is a sale of its own": Case(
        _closed(
            [
                order_fulfilled(
                    offer=[nft_item(APES, 8)], consideration=[paid(5, BOB)], index=1, order="0x" + "77" * 32
                ),
                *[
                    order_fulfilled(consideration=[paid(9, BOB)], index=3),
                    order_fulfilled(
                        offerer=ALICE,
                        offer=[paid(9)],
                        consideration=[nft_item(APES, 7, ALICE)],
                        index=4,
                        order=MIRROR,
                    ),
                ],
                *[erc721(APES, 8, BOB, ALICE, index=2), erc721(APES, 7, BOB, ALICE, index=6)],
            ],
            SEAPORT_15,
            5,
        ),
        to=BOT,
        value=14,
    ).was(sold(5, ETHER), sold(9, ETHER)),
}


test_seaport_matches = judged(CASES)
