"""Limit Break's Payment Processor 1: single sales, bundles and sweeps as they are published."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED
from tests.markets.building import WETH, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.payment_processor_events import PROCESSOR_1, several_1, single_1


def test_a_listing_costs_what_the_event_tells() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), single_1(ALICE, BOB, 100, index=2)]
    found = verdict(of_transaction(logs, sender=ALICE, target=PROCESSOR_1, value=100))
    assert found.judgements == (sold(100),)
    assert (found.markets, found.is_commercial, found.faults) == (("magiceden",), True, ())
    assert (found.fills[0].side, found.fills[0].seller, found.fills[0].buyer) == (Side.ASK, BOB, ALICE)


def test_an_offer_that_the_seller_accepts_has_the_same_event() -> None:
    logs = [
        erc1155(APES, 7, 3, BOB, ALICE, index=1),
        erc20(WETH, 100, ALICE, BOB, index=2),
        single_1(ALICE, BOB, 100, coin=WETH, units=3, index=3),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=PROCESSOR_1))
    assert (found.judgements, found.fills[0].side) == ((sold(100, WETH),), Side.BID)


def test_the_items_of_a_bundle_have_the_prices_that_were_signed_for_each() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 9, BOB, ALICE, index=2),
        several_1("BuyBundledListingERC721", [ALICE, BOB], [[0, 1, 0], [7, 8, 9], [10, 20, 30]], index=3),
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_1, value=60))
    assert (found.judgements, found.faults) == ((sold(10), sold(30)), ())  # 8 was not delivered, nor paid


def test_a_bundle_of_erc1155_has_units_of_each() -> None:
    logs = [
        erc1155(APES, 7, 2, BOB, ALICE, index=1),
        several_1("BuyBundledListingERC1155", [ALICE, BOB], [[0], [7], [2], [50]], index=2),
    ]
    assert verdict(of_transaction(logs, target=PROCESSOR_1, value=50)).judgements == (sold(50),)


def test_a_sweep_has_a_seller_and_a_price_for_each_item() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        erc721(APES, 8, CAROL, ALICE, index=2),
        several_1("SweepCollectionERC721", [ALICE], [[0, 0], [BOB, CAROL], [7, 8], [10, 20]], index=3),
    ]
    found = verdict(of_transaction(logs, target=PROCESSOR_1, value=30))
    assert found.judgements == (sold(10), sold(20))
    assert [fill.seller for fill in found.fills] == [BOB, CAROL]


def test_a_sweep_of_erc1155_in_a_token_is_held_against_what_the_buyer_sent() -> None:
    sweep = several_1("SweepCollectionERC1155", [ALICE], [[0], [BOB], [7], [4], [100]], coin=WETH, index=3)
    move = erc1155(APES, 7, 4, BOB, ALICE, index=1)
    paid = [move, erc20(WETH, 100, ALICE, BOB, index=2), sweep]
    assert verdict(of_transaction(paid, target=PROCESSOR_1)).judgements == (sold(100, WETH),)
    unpaid = [move, erc20(WETH, 99, ALICE, BOB, index=2), sweep]
    assert len(verdict(of_transaction(unpaid, target=PROCESSOR_1)).faults) == 1


def test_a_sale_at_no_price_is_none() -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), single_1(ALICE, BOB, 0, index=2)]
    found = verdict(of_transaction(logs, target=PROCESSOR_1))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]


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
