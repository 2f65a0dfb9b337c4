"""The Sandbox's market for ASSETs: `OfferClaimed` as it is published, which names neither NFTs nor currency."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import NATIVE, Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, batch_data, log, words
from tests.markets.building import Case, erc20, judged, sold

MARKET = "0x921fd42f147b26b51aa3c7fa3f2e2ce7704c2858"
SAND = "0x3845badade8e6dff049820680d1f14bd3903a5d0"
FEES = "0x" + "fe" * 20


def claimed(
    seller: str, buyer: str, packs: int, price: int, fee: int, *, index: int = LATER, contract: str = MARKET
) -> RawLog:
    """`OfferClaimed`: the fee comes on top of the price."""
    signature = "OfferClaimed(address,address,uint256,uint256,uint256,uint256)"
    return log(signature, [seller, buyer, 5], words(packs, price, fee), contract=contract, index=index)


def batch(ids: list[int], amounts: list[int], sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    """The `TransferBatch` of an ERC-1155 contract."""
    signature = "TransferBatch(address,address,address,uint256[],uint256[])"
    return log(signature, [MARKET, sender, receiver], batch_data(ids, amounts), index=index)


_sent = partial(Case, to=MARKET)
CASES = {
    "packs of one id cost price and fee": _sent(
        erc20(SAND, 1200, ALICE, BOB),
        erc20(SAND, 60, ALICE, FEES),
        batch([7], [6], BOB, ALICE),
        claimed(BOB, ALICE, 6, 1200, 60),
    ).was(
        sold(1260, SAND),
        at="sandbox",
        seller=BOB,
        buyer=ALICE,
        also=lambda found: found.fills[0].items[0].amount == 6,
    ),
    "a fee that nobody sent is a fault": _sent(
        erc20(SAND, 1200, ALICE, BOB), batch([7], [6], BOB, ALICE), claimed(BOB, ALICE, 6, 1200, 60)
    ).was("sale", faults=1),
    "each claim has the batch right before it": Case(
        batch([7], [1], BOB, ALICE),
        claimed(BOB, ALICE, 1, 100, 0),
        batch([7], [1], BOB, ALICE),
        claimed(BOB, ALICE, 1, 200, 0),
        to=CAROL,
        value=300,
    ).was(sold(100), sold(200)),
    "a claim for nothing is no sale": _sent(batch([7], [1], BOB, ALICE), claimed(BOB, ALICE, 1, 0, 0)).was(
        "transfer", currency=NATIVE
    ),
    "packs of several ids are a bundle": _sent(
        erc20(SAND, 1200, ALICE, BOB), batch([7, 8], [1, 2], BOB, ALICE), claimed(BOB, ALICE, 1, 1200, 0)
    ).was(
        "sale",
        "sale",
        swaps=(
            Leg(APES, 7, BOB, ALICE, 1, "sandbox"),
            Leg(APES, 8, BOB, ALICE, 2, "sandbox"),
            Leg(SAND, None, ALICE, BOB, 1200, "sandbox"),
        ),
    ),
    "without a payment in a token it was ether": _sent(
        batch([7], [1], BOB, ALICE), claimed(BOB, ALICE, 1, 100, 5), value=200
    )
    .was(sold(105))
    .but(value=104)
    .was("sale", faults=1),
    "a claim before anything moved is a fault": _sent(
        claimed(BOB, ALICE, 1, 100, 0), batch([7], [1], BOB, ALICE), claimed(BOB, ALICE, 1, 100, 0), value=100
    ).was(sold(100), faults=[1]),
    "a cancelled offer says nothing": _sent(
        log("OfferCancelled(address,uint256)", [BOB, 5], contract=MARKET),
        batch([7], [1], BOB, ALICE),
        value=100,
    ).was("transfer", fills=0, markets=()),
}

test_sandbox = judged(CASES)

MALFORMED = {"of no packs": claimed(BOB, ALICE, 0, 100, 0)}
