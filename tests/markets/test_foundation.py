"""Foundation: auctions, set prices, offers, private sales and drops, by events as they are published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import ETHER, ONE_ETHER, erc721, of_transaction, sold, verdict
from tests.markets.foundation_events import (
    DROPS,
    FOUNDATION,
    auction_finalized,
    buy_price_accepted,
    minted_from_drop,
    offer_accepted,
    private_sale_finalized,
)

PARTS = (15, 10, 75)


def _kinds(logs: list[RawLog], **of: object) -> list[str]:
    found = verdict(of_transaction(logs, target=FOUNDATION, **of))  # type: ignore[arg-type]
    return [one.transfer_type for one in found.judgements]


def test_an_auction_is_sold_by_the_move_out_of_custody_for_its_three_parts_though_nothing_is_paid_now() -> (
    None
):
    logs = [
        erc721(APES, 7, FOUNDATION, ALICE, index=1),
        auction_finalized(seller=BOB, bidder=ALICE, parts=PARTS, index=2),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=FOUNDATION))
    assert (found.judgements, found.faults) == ((sold(100),), ())
    assert (found.markets, found.is_commercial) == (("foundation",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, BOB, ALICE)


def test_two_auctions_of_one_winner_each_have_the_move_before_them() -> None:
    logs = [
        erc721(APES, 7, FOUNDATION, ALICE, index=1),
        auction_finalized(seller=BOB, bidder=ALICE, parts=(0, 0, 70), index=4),
        erc721(APES, 8, FOUNDATION, ALICE, index=5),
        auction_finalized(seller=BOB, bidder=ALICE, parts=(0, 0, 80), index=9),
    ]
    assert verdict(of_transaction(logs, target=FOUNDATION)).judgements == (sold(70), sold(80))


def test_an_auction_whose_winner_leaves_the_nft_in_custody_moves_nothing_and_is_a_fault() -> None:
    logs = [auction_finalized(seller=BOB, bidder=ALICE, parts=PARTS, index=2)]
    found = verdict(of_transaction(logs, target=FOUNDATION))
    assert (found.judgements, found.fills) == ((), ())
    assert (found.faults[0].protocol, found.faults[0].price) == ("foundation", 100)


def test_a_set_price_is_paid_out_of_the_value_and_of_the_balance_at_feth() -> None:
    logs = [
        erc721(APES, 7, FOUNDATION, ALICE, index=1),
        buy_price_accepted(seller=BOB, buyer=ALICE, parts=PARTS, index=2),
    ]
    found = verdict(of_transaction(logs, target=FOUNDATION, value=30))
    assert (found.judgements, found.faults) == ((sold(100),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.ASK, BOB, ALICE)


@pytest.mark.parametrize("sender", [BOB, FOUNDATION], ids=["from the seller", "out of custody"])
def test_an_accepted_offer_is_sold_from_wherever_the_nft_was(sender: str) -> None:
    logs = [
        erc721(APES, 7, sender, ALICE, index=1),
        offer_accepted(seller=BOB, buyer=ALICE, parts=PARTS, index=2),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=FOUNDATION))
    assert found.judgements == (sold(100),)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, BOB, ALICE)


def test_a_private_sale_is_one_whose_last_word_is_no_part_of_the_price() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        private_sale_finalized(seller=BOB, buyer=ALICE, parts=PARTS, index=2),
    ]
    assert verdict(of_transaction(logs, target=FOUNDATION, value=100)).judgements == (sold(100),)


def test_each_token_of_a_drop_is_sold_at_its_share_though_it_is_minted() -> None:
    logs = [
        *(erc721(APES, 7 + place, ZERO, ALICE, index=1 + place) for place in range(3)),
        minted_from_drop(buyer=ALICE, first=7, count=3, fees=45, creator=255, index=9),
    ]
    found = verdict(of_transaction(logs, target=DROPS, value=300))
    assert (found.judgements, found.faults) == ((sold(100),) * 3, ())
    assert found.markets == ("foundation",)


def test_a_drop_whose_price_does_not_divide_is_a_bundle() -> None:
    logs = [
        *(erc721(APES, 7 + place, ZERO, ALICE, index=1 + place) for place in range(2)),
        minted_from_drop(buyer=ALICE, first=7, count=2, fees=0, creator=101, index=9),
    ]
    found = verdict(of_transaction(logs, target=DROPS, value=101))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)] * 2
    assert found.judgements[0].swaps[-1] == Leg(ETHER, None, ALICE, ZERO, 101, "foundation")


def test_what_costs_nothing_is_no_sale() -> None:
    bought = [
        erc721(APES, 7, FOUNDATION, ALICE, index=1),
        buy_price_accepted(seller=BOB, buyer=ALICE, parts=(0, 0, 0), index=2),
    ]
    assert _kinds(bought) == ["transfer"]
    dropped = [
        erc721(APES, 7, ZERO, ALICE, index=1),
        minted_from_drop(buyer=ALICE, first=7, count=1, fees=0, creator=0, index=2),
    ]
    assert _kinds(dropped) == ["mint"]


def test_listing_and_giving_up_a_listing_are_custody() -> None:
    created = log(
        "ReserveAuctionCreated(address,address,uint256,uint256,uint256,uint256,uint256)",
        [BOB, APES, 7],
        contract=FOUNDATION,
        index=2,
    )
    assert _kinds([erc721(APES, 7, BOB, FOUNDATION, index=1), created]) == ["transfer"]
    canceled = log("ReserveAuctionCanceled(uint256)", [281], contract=FOUNDATION, index=2)
    found = verdict(of_transaction([erc721(APES, 7, FOUNDATION, BOB, index=1), canceled]))
    assert ([one.transfer_type for one in found.judgements], found.is_commercial) == (["transfer"], False)


def test_the_same_event_of_a_contract_that_is_no_deployment_says_nothing() -> None:
    logs = [
        erc721(APES, 7, CAROL, ALICE, index=1),
        auction_finalized(seller=BOB, bidder=ALICE, parts=(0, 0, ONE_ETHER), index=2, contract=CAROL),
    ]
    found = verdict(of_transaction(logs))
    assert ([one.transfer_type for one in found.judgements], found.fills) == (["transfer"], ())


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = buy_price_accepted(seller=BOB, buyer=ALICE, parts=PARTS, index=9)
    logs = [
        good._replace(log_index=1, topics=good.topics[:3]),
        good._replace(log_index=2, data=good.data[:-1]),
        minted_from_drop(buyer=ALICE, first=7, count=0, fees=0, creator=5, index=3),
        minted_from_drop(buyer=ALICE, first=7, count=10_001, fees=0, creator=5, index=4),
        minted_from_drop(buyer=ALICE, first=2**256 - 1, count=2, fees=0, creator=5, index=5),
        erc721(APES, 7, FOUNDATION, ALICE, index=8),
        good,
    ]
    found = verdict(of_transaction(logs, target=FOUNDATION, value=100))
    assert found.judgements == (sold(100),)
    assert sorted(one.log_index for one in found.faults) == [1, 2, 3, 4, 5]


@UNHURRIED
@given(st.tuples(*[st.integers(0, 2**96)] * 3))
def test_the_price_is_the_sum_of_the_parts(parts: tuple[int, int, int]) -> None:
    logs = [
        erc721(APES, 7, FOUNDATION, ALICE, index=1),
        auction_finalized(seller=BOB, bidder=ALICE, parts=parts, index=2),
    ]
    found = verdict(of_transaction(logs, target=FOUNDATION))
    assert found.judgements[0].price == sum(parts)
