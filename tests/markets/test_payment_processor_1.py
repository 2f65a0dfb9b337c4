"""Limit Break's Payment Processor 1: single sales, bundles and sweeps as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import (
    WETH,
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
from tests.markets.payment_processor_events import PROCESSOR_1, several_1, single_1


def test_a_sweep_of_erc1155_in_a_token_is_held_against_what_the_buyer_sent() -> None:
    sweep = several_1("SweepCollectionERC1155", [ALICE], [[0], [BOB], [7], [4], [100]], coin=WETH, index=3)
    move = erc1155(APES, 7, 4, BOB, ALICE, index=1)
    paid = [move, erc20(WETH, 100, ALICE, BOB, index=2), sweep]
    assert verdict(of_transaction(paid, target=PROCESSOR_1)).judgements == (sold(100, WETH),)
    unpaid = [move, erc20(WETH, 99, ALICE, BOB, index=2), sweep]
    assert len(verdict(of_transaction(unpaid, target=PROCESSOR_1)).faults) == 1


_sent = partial(Case, to=PROCESSOR_1)
CASES = {
    "a listing costs what the event tells": _sent(
        ape(BOB, ALICE), single_1(ALICE, BOB, 100), value=100, sender=ALICE
    ).was(sold(100), at="magiceden", deal=(Side.ASK, BOB, ALICE)),
    "an offer that the seller accepts has the same event": _sent(
        erc1155(APES, 7, 3, BOB, ALICE),
        weth(100, ALICE, BOB),
        single_1(ALICE, BOB, 100, coin=WETH, units=3),
        sender=BOB,
    ).was(sold(100, WETH), side=Side.BID),
    # 8 was not delivered, nor paid
    "the items of a bundle have the prices that were signed for each": _sent(
        ape(BOB, ALICE),
        ape(BOB, ALICE, 9),
        several_1("BuyBundledListingERC721", [ALICE, BOB], [[0, 1, 0], [7, 8, 9], [10, 20, 30]]),
        value=60,
    ).was(sold(10), sold(30)),
    "a bundle of ERC-1155 has units of each": _sent(
        erc1155(APES, 7, 2, BOB, ALICE),
        several_1("BuyBundledListingERC1155", [ALICE, BOB], [[0], [7], [2], [50]]),
        value=50,
    ).was(sold(50)),
    "a sweep has a seller and a price for each item": _sent(
        ape(BOB, ALICE),
        ape(CAROL, ALICE, 8),
        several_1("SweepCollectionERC721", [ALICE], [[0, 0], [BOB, CAROL], [7, 8], [10, 20]]),
        value=30,
    ).was(sold(10), sold(20), also=lambda found: [fill.seller for fill in found.fills] == [BOB, CAROL]),
    "a sale at no price is none": _sent(ape(BOB, ALICE), single_1(ALICE, BOB, 0)).was("transfer"),
}


test_payment_processor_1 = judged(CASES)


def test_malformed_events_are_faults_and_the_rest_is_read() -> None:
    good = single_1(ALICE, BOB, 100, index=7)
    sweep: list[list[int | str]] = [[0, 0], [BOB, "0x" + "ff" * 32], [7, 8], [10, 20]]
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        good._replace(data=good.data[:-1], log_index=2),
        good._replace(topics=good.topics[:3], log_index=3),
        single_1(ALICE, BOB, 100, units=0, index=4),
        several_1("SweepCollectionERC721", [ALICE], sweep, index=5),  # a seller that is no address
        several_1("SweepCollectionERC721", [ALICE], [[0], [BOB], [7, 8], [10, 20]], index=6),
        good,
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_1, value=100))
    assert [fault.log_index for fault in found.faults] == [2, 3, 4, 5, 6]
    assert found.judgements == (sold(100),)


@UNHURRIED
@given(data=st.binary(max_size=600))
def test_whatever_a_sweep_holds_it_never_raises(data: bytes) -> None:
    sweep = several_1("SweepCollectionERC721", [ALICE], [[0], [BOB], [7], [10]], index=2)
    logs = [erc721(APES, 7, BOB, ALICE, index=1), sweep._replace(data=data)]
    verdict(of_transaction(logs, target=PROCESSOR_1, value=10))
