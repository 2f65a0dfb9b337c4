"""Foundation: auctions, set prices, offers, private sales and drops, by events as they are published."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.verdicts import Leg, Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, UNHURRIED, ZERO, log
from tests.markets.building import Case, ape, erc721, judged, of_transaction, sold, verdict
from tests.markets.currencies import ETHER
from tests.markets.foundation_events import (
    DROPS,
    FOUNDATION,
    auction_finalized,
    buy_price_accepted,
    minted_from_drop,
    offer_accepted,
    private_sale_finalized,
)

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
    ).was(fills=0, also=lambda found: found.faults[0].protocol == "foundation", faults=[(1, 100)]),
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
    "what is bought for nothing is no sale": _sent(
        ape(FOUNDATION, ALICE), buy_price_accepted(fees=0, creator=0, rest=0)
    ).was("transfer"),
    "what is dropped for nothing is no sale": _sent(ape(ZERO, ALICE), minted_from_drop(count=1)).was("mint"),
    "listing is custody": _sent(
        ape(BOB, FOUNDATION),
        log(
            "ReserveAuctionCreated(address,address,uint256,uint256,uint256,uint256,uint256)",
            [BOB, APES, 7],
            contract=FOUNDATION,
        ),
    ).was("transfer"),
    "giving up a listing is custody": Case(
        ape(FOUNDATION, BOB), log("ReserveAuctionCanceled(uint256)", [281], contract=FOUNDATION)
    ).was("transfer", commercial=False),
}

test_foundation = judged(CASES)

MALFORMED = {
    "a drop of nothing": minted_from_drop(count=0, creator=5),
    "a drop of more than is gone through": minted_from_drop(count=10_001, creator=5),
    "a drop beyond the last number": minted_from_drop(first=2**256 - 1, count=2, creator=5),
}


@UNHURRIED
@given(st.tuples(*[st.integers(0, 2**96)] * 3))
def test_the_price_is_the_sum_of_the_parts(parts: tuple[int, int, int]) -> None:
    logs = [
        ape(FOUNDATION, ALICE),
        auction_finalized(seller=BOB, bidder=ALICE, fees=parts[0], creator=parts[1], rest=parts[2]),
    ]
    found = verdict(of_transaction(logs, target=FOUNDATION))
    assert found.judgements[0].price == sum(parts)
