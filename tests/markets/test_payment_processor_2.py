"""Limit Break's Payment Processor 2: listings and offers as they are published, and fees on top of them."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import NATIVE, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, words
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
from tests.markets.looksrare_events import taker_bid_1
from tests.markets.payment_processor_events import PROCESSOR_2, accepted, bought

FORWARDER = "0x5ebc127fae83ed5bdd91fc6a5f5767e259df5642"
FEES = "0x" + "fe" * 20


def test_more_ether_may_be_a_fee_on_top_or_be_handed_back_and_no_price_is_told() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), bought(ALICE, BOB, 100)]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=105))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert Leg(NATIVE, None, ALICE, BOB, 100, "magiceden") in found.judgements[0].swaps


def two_offers(*more: tuple[int, int]) -> list[RawLog]:
    """Two items at 100 and 200 in a token, and what else the buyer sends: at which log, how much."""
    return [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        bought(ALICE, BOB, 100, coin=WETH, index=3),
        erc721(APES, 8, CAROL, ALICE, index=4),
        erc20(WETH, 200, ALICE, CAROL, index=5),
        bought(ALICE, CAROL, 200, coin=WETH, token_id=8, index=6),
        *(erc20(WETH, amount, ALICE, FEES, index=index) for index, amount in more),
    ]


_sent = partial(Case, to=PROCESSOR_2)
CASES = {
    **{
        f"a listing costs what the event tells where no more was brought: {label}": Case(
            ape(BOB, ALICE), bought(ALICE, BOB, 100), to=target, value=100
        ).was(sold(100), at="magiceden", deal=(Side.ASK, BOB, ALICE))
        for label, target in enumerate([PROCESSOR_2, FORWARDER], 1)
    },
    "a sweep in ether has a price for each item": _sent(
        ape(BOB, ALICE),
        bought(ALICE, BOB, 100),
        erc1155(APES, 8, 5, CAROL, ALICE),
        bought(ALICE, CAROL, 250, token_id=8, units=5),
        value=350,
    ).was(sold(100), sold(250)),
    "the NFT may go to a beneficiary": _sent(ape(BOB, CAROL), bought(ALICE, BOB, 100), value=100).was(
        sold(100)
    ),
    "an offer names the seller first": _sent(
        ape(BOB, ALICE),
        weth(5, ALICE, FEES),
        weth(95, ALICE, BOB),
        accepted(BOB, ALICE, 100, coin=WETH),
        sender=BOB,
    ).was(sold(100, WETH), deal=(Side.BID, BOB, ALICE)),
    **{
        f"a fee on top in a token is a part of the price: {fee_index}": _sent(
            erc721(APES, 7, BOB, ALICE, index=2),
            erc20(WETH, 2, ALICE, FEES, index=fee_index),
            erc20(WETH, 100, ALICE, BOB, index=4),
            bought(ALICE, BOB, 100, coin=WETH, index=5),
        ).was(sold(102, WETH))
        for fee_index in [3, 6]
    },
    "items of a sweep in a token have prices where nothing came on top": _sent(two_offers()).was(
        sold(100, WETH), sold(200, WETH)
    ),
    "one fee on top of a whole sweep is not split": _sent(two_offers((7, 30))).was(
        *["sale"] * 2, faults=(3, 6)
    ),
    "what the buyer pays at another market is no fee on top": Case(
        weth(55, ALICE, CAROL),
        ape(CAROL, ALICE, 9),
        taker_bid_1(seller=CAROL, token_id=9, price=55),
        ape(BOB, ALICE),
        weth(100, ALICE, BOB),
        bought(ALICE, BOB, 100, coin=WETH),
        to=CAROL,
    ).was(sold(55, WETH), sold(100, WETH)),
    "a sale at no price is none": _sent(ape(BOB, ALICE), accepted(BOB, ALICE, 0, coin=WETH)).was("transfer"),
}


test_payment_processor_2 = judged(CASES)


def test_it_has_one_address_on_several_chains() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), bought(ALICE, BOB, 100)]
    for chain in (137, 8453, 42161):
        found = verdict(of_transaction(logs, target=PROCESSOR_2, value=100), chain)
        assert found.judgements == (sold(100),)


def test_malformed_events_are_faults_and_the_rest_is_read() -> None:
    good = bought(ALICE, BOB, 100, index=5)
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        good._replace(data=good.data[:-1], log_index=2),
        good._replace(topics=good.topics[:3], log_index=3),
        bought(ALICE, BOB, 100, units=0, index=4),
        good,
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=100))
    assert [fault.log_index for fault in found.faults] == [2, 3, 4]
    assert found.judgements == (sold(100),)


def test_cancelled_orders_and_the_sales_of_other_contracts_say_nothing() -> None:
    logs = [
        log("OrderDigestInvalidated(bytes32,address,bool)", [5, BOB], words(1), contract=PROCESSOR_2),
        erc721(APES, 7, BOB, ALICE),
        bought(ALICE, BOB, 100, contract=CAROL),
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_2, value=100))
    assert (found.fills, found.faults, found.markets) == ((), (), ())
