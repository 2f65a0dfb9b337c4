"""SuperRare: its first contract, the markets, the auction house and the Bazaar, each by its published events."""

from __future__ import annotations

from functools import partial

import pytest

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import ETHER, Case, ape, erc20, erc721, judged, of_transaction, sold, verdict
from tests.markets.superrare_events import (
    AUCTIONS,
    BAZAAR,
    FIRST,
    MARKET_1,
    MARKET_2,
    auction_settled,
    bazaar_auction_settled,
    bazaar_offer_accepted,
    bazaar_sold,
    bid_accepted,
    first_bid_accepted,
    first_sold,
    market_sold,
    moved_first,
)

RARE = "0xba5bde662c17e2adff1075610382b9b691296350"


def test_what_a_buyer_sends_along_is_amount_and_fee_whatever_the_fee_is() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), market_sold(buyer=ALICE, seller=BOB, amount=1000)]
    assert verdict(of_transaction(logs, target=MARKET_2, value=1050)).judgements == (sold(1050),)
    assert verdict(of_transaction(logs, target=MARKET_2, value=1000)).judgements == (sold(1000),)


@pytest.mark.parametrize("value", [999, 5000], ids=["too little", "far too much"])
def test_a_value_that_is_not_amount_and_fee_does_not_tell_the_price(value: int) -> None:
    logs = [erc721(APES, 7, BOB, ALICE), market_sold(buyer=ALICE, seller=BOB, amount=1000)]
    found = verdict(of_transaction(logs, target=MARKET_2, value=value))
    assert found.fills[0].price == 1030
    assert (len(found.faults), found.judgements[0].price) == ((1, 0) if value < 1030 else (0, 1030))


def test_an_auction_without_a_bid_returns_the_nft() -> None:
    for house, event in (
        (AUCTIONS, auction_settled(bidder=ZERO, seller=BOB, amount=0, index=2)),
        (BAZAAR, bazaar_auction_settled(bidder=ZERO, seller=BOB, currency=ETHER, amount=0, index=2)),
    ):
        found = verdict(of_transaction([erc721(APES, 7, house, BOB, index=1), event], target=house))
        assert ([one.transfer_type for one in found.judgements], found.fills) == (["transfer"], ())


def test_offers_and_auctions_of_the_bazaar_were_paid_before() -> None:
    offer = bazaar_offer_accepted(buyer=ALICE, seller=BOB, currency=RARE, amount=1000, index=2)
    found = verdict(of_transaction([erc721(APES, 7, BOB, ALICE, index=1), offer], sender=BOB, target=BAZAAR))
    assert (found.judgements, found.faults) == ((sold(1030, RARE),), ())
    auction = bazaar_auction_settled(bidder=ALICE, seller=BOB, currency=ETHER, amount=1000, index=2)
    found = verdict(of_transaction([erc721(APES, 7, BAZAAR, ALICE, index=1), auction], target=BAZAAR))
    assert (found.judgements, found.faults) == ((sold(1030),), ())


def test_the_same_event_of_a_contract_that_is_no_deployment_says_nothing() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), market_sold(buyer=ALICE, seller=BOB, amount=1000, contract=CAROL)]
    assert verdict(of_transaction(logs)).fills == ()


_sent = partial(Case, to=BAZAAR)
CASES = {
    "the first contract sells its own NFT for the whole amount": Case(
        moved_first(7, BOB, ALICE), first_sold(), to=FIRST, value=1000
    ).was(sold(1000), at="superrare", deal=(Side.ASK, BOB, ALICE)),
    "a bid that the first contract accepts was paid before": Case(
        moved_first(7, BOB, ALICE), first_bid_accepted(), to=FIRST, sender=BOB
    ).was(sold(1000), side=Side.BID),
    **{
        f"a buyer at a market pays the fee on top: {label}": Case(
            ape(BOB, ALICE), market_sold(contract=market), to=market, value=1030
        ).was(sold(1030))
        for label, market in enumerate([MARKET_1, MARKET_2], 1)
    },
    # 3 percent of 2099, rounded down
    "two sales through a router each have the usual fee on top": Case(
        ape(BOB, CAROL),
        market_sold(buyer=CAROL),
        ape(BOB, CAROL, 8),
        market_sold(buyer=CAROL, amount=2099, token_id=8),
        to=CAROL,
        value=3191,
    ).was(sold(1030), sold(2099 + 62)),
    "an accepted bid at a market was paid with the fee when it was made": Case(
        ape(BOB, ALICE), bid_accepted(), to=MARKET_2, sender=BOB
    ).was(sold(1030)),
    "a won auction is sold out of custody by the one who put it up": Case(
        ape(AUCTIONS, ALICE), auction_settled(), to=AUCTIONS, sender=CAROL
    ).was(sold(1030), deal=(Side.AUCTION, BOB, ALICE)),
    "the bazaar sells for ether with the fee on top": _sent(
        ape(BOB, ALICE), bazaar_sold(currency=ETHER), value=1030
    ).was(sold(1030)),
    "the bazaar sells for a token that the buyer sends with the fee": _sent(
        erc20(RARE, 1030, ALICE, BAZAAR),
        erc20(RARE, 180, BAZAAR, CAROL),
        erc20(RARE, 850, BAZAAR, BOB),
        ape(BOB, ALICE),
        bazaar_sold(currency=RARE),
    ).was(sold(1030, RARE)),
    "a token price is what the buyer sent whatever the fee is": _sent(
        erc20(RARE, 1010, ALICE, BAZAAR), ape(BOB, ALICE), bazaar_sold(currency=RARE)
    ).was(sold(1010, RARE)),
    "a token price that nobody sent is not published": _sent(
        erc20(RARE, 999, ALICE, BAZAAR), ape(BOB, ALICE), bazaar_sold(currency=RARE)
    ).was("sale", faults=1),
    "what costs nothing is no sale": Case(ape(BOB, ALICE), bid_accepted(amount=0)).was("transfer"),
    "an address that is none is a fault": Case(auction_settled()._replace(data=b"\1" * 64)).was(faults=(1,)),
}


test_superrare = judged(CASES)
