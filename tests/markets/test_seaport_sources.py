"""Seaport: the market that an order was made on, as its fees or its zone tell."""

from __future__ import annotations

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import erc721, moves_of, of_transaction, verdict
from tests.markets.seaport_events import (
    MIRROR,
    OPENSEA_FEES,
    ORDER,
    SEAPORT_15,
    nft_item,
    order_fulfilled,
    orders_matched,
    paid,
)

MAGIC_EDEN, ENS_VISION = (
    "0x6fa303e72bed54f515a513496f922bc331e2f27e",
    "0xa7673ab3b0949a0efcd818c86c71fff7cd645ac7",
)
BLUR_ZONE = "0x0000000000d80cfcb8dfcd8b2c4fd9c813482938"


@pytest.mark.parametrize(
    ("receivers", "zone", "market"),
    [
        ([], ZERO, "opensea"),
        ([CAROL], ZERO, "opensea"),
        ([MAGIC_EDEN], ZERO, "magiceden"),
        ([ENS_VISION, CAROL], ZERO, "ens-vision"),
        ([MAGIC_EDEN, OPENSEA_FEES], ZERO, "opensea"),
        ([], BLUR_ZONE, "blur"),
        ([OPENSEA_FEES], BLUR_ZONE, "opensea"),
    ],
)
def test_an_order_was_made_on_the_market_that_it_pays_a_fee_to(
    receivers: list[str], zone: str, market: str
) -> None:
    """OpenSea is where nothing else tells, and wins where it is paid beside another."""
    fees = [paid(1, receiver) for receiver in receivers]
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(100, BOB), *fees],
        index=1,
        zone=zone,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=100 + len(fees)))
    assert (found.markets, found.fills[0].price) == ((market,), 100 + len(fees))


def test_an_operator_adds_receivers_of_fees() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(100, BOB), paid(2, CAROL)],
        index=1,
    )
    transaction = of_transaction([event, erc721(APES, 7, BOB, ALICE, index=2)], value=102)
    added = registry(1, [Deployment(CAROL, "", "carols")])
    assert classify(transaction, moves_of(transaction), added).markets == ("carols",)


def test_a_mirror_was_made_where_the_order_was_that_it_fills() -> None:
    ask = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(100, BOB), paid(2, MAGIC_EDEN)],
        index=1,
    )
    mirror = order_fulfilled(
        offerer=ALICE,
        recipient=ALICE,
        offer=[paid(102)],
        consideration=[nft_item(APES, 7, ALICE)],
        index=2,
        order=MIRROR,
    )
    logs = [ask, mirror, orders_matched([ORDER, MIRROR], index=3), erc721(APES, 7, BOB, ALICE, index=4)]
    assert verdict(of_transaction(logs, target=SEAPORT_15, value=102)).markets == ("magiceden",)
