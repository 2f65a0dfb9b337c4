"""Seaport: two orders matched with each other, by `OrderFulfilled` and `OrdersMatched` as they are published.

Bob makes the order that stands in the book, Alice calls the market with an order that only mirrors it.
"""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import ETHER, WETH, erc20, erc721, of_transaction, sold, verdict
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
LATER = [SEAPORT_14, SEAPORT_15, SEAPORT_16]


def _closed(logs: list[RawLog], contract: str, index: int) -> list[RawLog]:
    """From 1.2 on an event names the orders that were matched; 1.1 has none."""
    if contract == SEAPORT_11:
        return logs
    return [*logs, orders_matched([ORDER, MIRROR], index=index, contract=contract)]


@pytest.mark.parametrize("contract", [SEAPORT_11, *LATER])
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


@pytest.mark.parametrize("contract", [SEAPORT_11, *LATER])
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


def test_a_seller_whose_mirror_asks_for_nothing_gets_what_is_left_of_the_bid() -> None:
    bid = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[erc20_item(WETH, 1000)],
        consideration=[nft_item(APES, 7, BOB), erc20_item(WETH, 25, OPENSEA_FEES)],
        index=1,
    )
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[],
        index=2,
        order=MIRROR,
    )
    moves = [
        erc721(APES, 7, ALICE, BOB, index=4),
        erc20(WETH, 25, BOB, OPENSEA_FEES, index=5),
        erc20(WETH, 975, BOB, ALICE, index=6),
    ]
    logs = _closed([bid, mirror, *moves], SEAPORT_15, 3)
    assert verdict(of_transaction(logs, target=SEAPORT_15)).judgements == (sold(1000, WETH),)


def test_what_a_bot_keeps_between_two_orders_is_paid_by_the_buyer() -> None:
    """Bob asks 1000, Carol bids 1200: from 1.2 on the rest goes to who matched them."""
    ask = order_fulfilled(
        offerer=BOB,
        recipient=BOT,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(WETH, 975, BOB), erc20_item(WETH, 25, OPENSEA_FEES)],
        index=1,
    )
    bid = order_fulfilled(
        offerer=CAROL,
        recipient=BOT,
        offer=[erc20_item(WETH, 1200)],
        consideration=[nft_item(APES, 7, CAROL)],
        index=2,
        order=MIRROR,
    )
    moves = [
        erc721(APES, 7, BOB, CAROL, index=4),
        erc20(WETH, 975, CAROL, BOB, index=5),
        erc20(WETH, 25, CAROL, OPENSEA_FEES, index=6),
        erc20(WETH, 200, CAROL, BOT, index=7),
    ]
    logs = _closed([ask, bid, *moves], SEAPORT_15, 3)
    found = verdict(of_transaction(logs, sender=BOT, target=SEAPORT_15))
    assert (found.judgements, found.faults) == ((sold(1200, WETH),), ())
    assert (found.fills[0].seller, found.fills[0].buyer) == (BOB, CAROL)


def test_what_1_1_leaves_of_a_bid_is_not_paid() -> None:
    """There the rest of an offer stays with who made it: the logs show 1000 of the 1200."""
    ask = order_fulfilled(
        offerer=BOB,
        recipient=ZERO,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(WETH, 1000, BOB)],
        index=1,
        contract=SEAPORT_11,
    )
    bid = order_fulfilled(
        offerer=CAROL,
        recipient=ZERO,
        offer=[erc20_item(WETH, 1200)],
        consideration=[nft_item(APES, 7, CAROL)],
        index=2,
        order=MIRROR,
        contract=SEAPORT_11,
    )
    logs = [ask, bid, erc721(APES, 7, BOB, CAROL, index=3), erc20(WETH, 1000, CAROL, BOB, index=4)]
    found = verdict(of_transaction(logs, sender=BOT, target=SEAPORT_11))
    assert (found.judgements, found.faults) == ((sold(1000, WETH),), ())


def test_a_private_listing_is_a_sale_to_whom_it_names() -> None:
    """The ask wants its own NFT for the buyer; the buyer's order only brings the money."""
    ask = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(975, BOB), paid(25, OPENSEA_FEES), nft_item(APES, 7, ALICE)],
        index=1,
    )
    counter = order_fulfilled(
        offerer=ALICE, recipient=ALICE, offer=[paid(1000)], consideration=[], index=2, order=MIRROR
    )
    logs = _closed([ask, counter, erc721(APES, 7, BOB, ALICE, index=4)], SEAPORT_15, 3)
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=1000))
    assert found.judgements == (sold(1000),)
    assert (found.fills[0].seller, found.fills[0].buyer, found.fills[0].returned) == (BOB, ALICE, ())


def test_an_nft_that_nobodys_order_asks_for_goes_to_who_matched() -> None:
    ask = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(100, BOB)], index=1
    )
    counter = order_fulfilled(
        offerer=ALICE, recipient=ALICE, offer=[paid(100)], consideration=[], index=2, order=MIRROR
    )
    logs = _closed([ask, counter, erc721(APES, 7, BOB, ALICE, index=4)], SEAPORT_15, 3)
    assert verdict(of_transaction(logs, target=SEAPORT_15, value=100)).judgements == (sold(100),)


def test_an_order_that_was_filled_in_part_before_is_not_taken_for_the_match() -> None:
    """One order twice in a transaction: alone, and matched with a mirror."""
    alone = order_fulfilled(
        offerer=BOB,
        recipient=CAROL,
        offer=[nft_item(APES, 7, kind=3)],
        consideration=[paid(100, BOB)],
        index=1,
    )
    again = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7, kind=3)],
        consideration=[paid(100, BOB)],
        index=3,
    )
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=ALICE,
        offer=[paid(100)],
        consideration=[nft_item(APES, 7, ALICE, kind=3)],
        index=4,
        order=MIRROR,
    )
    moves = [erc721(APES, 7, BOB, CAROL, index=2), erc721(APES, 7, BOB, ALICE, index=6)]
    logs = _closed([alone, again, mirror, *moves], SEAPORT_15, 5)
    found = verdict(of_transaction(logs, target=BOT, value=200))
    assert found.judgements == (sold(100), sold(100))
    assert [fill.buyer for fill in found.fills] == [CAROL, ALICE]


def test_an_order_beside_a_match_is_a_sale_of_its_own() -> None:
    ask = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 8)], consideration=[paid(5, BOB)], index=1,
        order="0x" + "77" * 32,
    )  # fmt: skip
    matched = [
        order_fulfilled(
            offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(9, BOB)], index=3
        ),
        order_fulfilled(
            offerer=ALICE,
            recipient=ALICE,
            offer=[paid(9)],
            consideration=[nft_item(APES, 7, ALICE)],
            index=4,
            order=MIRROR,
        ),
    ]
    moves = [erc721(APES, 8, BOB, ALICE, index=2), erc721(APES, 7, BOB, ALICE, index=6)]
    logs = _closed([ask, *matched, *moves], SEAPORT_15, 5)
    found = verdict(of_transaction(logs, target=BOT, value=14))
    assert found.judgements == (sold(5, ETHER), sold(9, ETHER))
