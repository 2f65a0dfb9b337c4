"""Foundation: auctions, set prices, offers, private sales and drops, by events as they are published."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import ETHER, Case, ape, erc721, of_transaction, sold, verdict
from tests.markets.foundation_events import (
    DROPS,
    FOUNDATION,
    auction_finalized,
    buy_price_accepted,
    minted_from_drop,
    offer_accepted,
    private_sale_finalized,
)


def _kinds(logs: list[RawLog], **of: object) -> list[str]:
    found = verdict(of_transaction(logs, target=FOUNDATION, **of))  # type: ignore[arg-type]
    return [one.transfer_type for one in found.judgements]


def test_what_costs_nothing_is_no_sale() -> None:
    bought = [
        erc721(APES, 7, FOUNDATION, ALICE),
        buy_price_accepted(seller=BOB, buyer=ALICE, fees=0, creator=0, rest=0),
    ]
    assert _kinds(bought) == ["transfer"]
    dropped = [
        erc721(APES, 7, ZERO, ALICE),
        minted_from_drop(buyer=ALICE, first=7, count=1, fees=0, creator=0),
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


_sent = partial(Case, to=FOUNDATION)
CASES = {
    "an auction is sold by the move out of custody for its three parts though nothing is paid now": _sent(
        ape(FOUNDATION, ALICE), auction_finalized(), sender=CAROL
    ).was(
        sold(100),
        deal=(Side.AUCTION, BOB, ALICE),
        commercial=True,
        also=lambda found: found.markets == ("foundation",),
    ),
    "two auctions of one winner each have the move before them": _sent(
        ape(FOUNDATION, ALICE),
        auction_finalized(fees=0, creator=0, rest=70),
        ape(FOUNDATION, ALICE, 8),
        auction_finalized(fees=0, creator=0, rest=80),
    ).was(sold(70), sold(80)),
    "an auction whose winner leaves the NFT in custody moves nothing and is a fault": _sent(
        auction_finalized()
    ).was(
        fills=0,
        also=lambda found: found.faults[0].protocol == "foundation" and found.faults[0].price == 100,
        faults=(1,),
    ),
    "a set price is paid out of the value and of the balance at feth": _sent(
        ape(FOUNDATION, ALICE), buy_price_accepted(), value=30
    ).was(sold(100), deal=(Side.ASK, BOB, ALICE)),
    **{
        f"an accepted offer is sold from wherever the NFT was: {label}": _sent(
            ape(sender, ALICE), offer_accepted(), sender=BOB
        ).was(sold(100), deal=(Side.BID, BOB, ALICE))
        for label, sender in zip(["from the seller", "out of custody"], [BOB, FOUNDATION], strict=True)
    },
    "a private sale is one whose last word is no part of the price": _sent(
        ape(BOB, ALICE), private_sale_finalized(), value=100
    ).was(sold(100)),
    "each token of a drop is sold at its share though it is minted": Case(
        *(erc721(APES, 7 + place, ZERO, ALICE, index=1 + place) for place in range(3)),
        minted_from_drop(count=3, fees=45, creator=255, index=9),
        to=DROPS,
        value=300,
    ).was(*(sold(100),) * 3, also=lambda found: found.markets == ("foundation",)),
    "a drop whose price does not divide is a bundle": Case(
        *(erc721(APES, 7 + place, ZERO, ALICE, index=1 + place) for place in range(2)),
        minted_from_drop(count=2, fees=0, creator=101, index=9),
        to=DROPS,
        value=101,
    ).was(
        *["sale"] * 2,
        also=lambda found: found.judgements[0].swaps[-1] == Leg(ETHER, None, ALICE, ZERO, 101, "foundation"),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_foundation(case: Case) -> None:
    case.holds()


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = buy_price_accepted(seller=BOB, buyer=ALICE, index=9)
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
        erc721(APES, 7, FOUNDATION, ALICE),
        auction_finalized(seller=BOB, bidder=ALICE, fees=parts[0], creator=parts[1], rest=parts[2]),
    ]
    found = verdict(of_transaction(logs, target=FOUNDATION))
    assert found.judgements[0].price == sum(parts)
