"""Seaport: the market that an order was made on, as its fees or its zone tell."""

from __future__ import annotations

from functools import partial

from indexing.judge.classify import classify
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import Case, ape, judged, moves_of, of_transaction, sold
from tests.markets.seaport_events import (
    OPENSEA_FEES,
    SEAPORT_15,
    matched,
    nft_item,
    order_fulfilled,
    paid,
)

MAGIC_EDEN, ENS_VISION = (
    "0x6fa303e72bed54f515a513496f922bc331e2f27e",
    "0xa7673ab3b0949a0efcd818c86c71fff7cd645ac7",
)
BLUR_ZONE = "0x0000000000d80cfcb8dfcd8b2c4fd9c813482938"


_sent = partial(Case, to=SEAPORT_15)
CASES = {
    # OpenSea is where nothing else tells, and wins where it is paid beside another.
    **{
        f"an order was made on the market that it pays a fee to: {label}, {market}": _sent(
            order_fulfilled(consideration=[paid(100, BOB), *(paid(1, one) for one in receivers)], zone=zone),
            ape(BOB, ALICE),
            value=100 + len(receivers),
        ).was(sold(100 + len(receivers)), markets=(market,), price=100 + len(receivers))
        for label, (receivers, zone, market) in enumerate(
            [
                ([], ZERO, "opensea"),
                ([CAROL], ZERO, "opensea"),
                ([MAGIC_EDEN], ZERO, "magiceden"),
                ([ENS_VISION, CAROL], ZERO, "ens-vision"),
                ([MAGIC_EDEN, OPENSEA_FEES], ZERO, "opensea"),
                ([], BLUR_ZONE, "blur"),
                ([OPENSEA_FEES], BLUR_ZONE, "opensea"),
            ],
            1,
        )
    },
    "a mirror was made where the order was that it fills": _sent(
        matched(
            (BOB, [nft_item(APES, 7)], [paid(100, BOB), paid(2, MAGIC_EDEN)]),
            (ALICE, [paid(102)], [nft_item(APES, 7, ALICE)]),
        ),
        ape(BOB, ALICE),
        value=102,
    ).was(sold(102), markets=("magiceden",)),
}


test_seaport_sources = judged(CASES)


def test_an_operator_adds_receivers_of_fees() -> None:
    logs = [order_fulfilled(consideration=[paid(100, BOB), paid(2, CAROL)]), ape(BOB, ALICE)]
    transaction = of_transaction(logs, value=102)
    added = registry(1, [Deployment(CAROL, "", "carols")])
    assert classify(transaction, moves_of(transaction), added).markets == ("carols",)
