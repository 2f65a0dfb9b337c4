"""SuperRare: its first contract, the markets, the auction house and the Bazaar, each by its published events."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import ETHER, erc20, erc721, of_transaction, sold, verdict
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
    moved_first,
    of_first,
    of_market,
)

RARE = "0xba5bde662c17e2adff1075610382b9b691296350"


def test_the_first_contract_sells_its_own_nft_for_the_whole_amount() -> None:
    logs = [
        moved_first(7, BOB, ALICE, index=1),
        of_first("Sold", buyer=ALICE, seller=BOB, amount=1000, index=2),
    ]
    found = verdict(of_transaction(logs, target=FIRST, value=1000))
    assert (found.judgements, found.faults) == ((sold(1000),), ())
    assert (found.markets, found.is_commercial) == (("superrare",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.ASK, BOB, ALICE)


def test_a_bid_that_the_first_contract_accepts_was_paid_before() -> None:
    logs = [
        moved_first(7, BOB, ALICE, index=1),
        of_first("AcceptBid", buyer=ALICE, seller=BOB, amount=1000, index=2),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=FIRST))
    assert (found.judgements, found.faults) == ((sold(1000),), ())
    assert found.fills[0].side is Side.BID


@pytest.mark.parametrize("market", [MARKET_1, MARKET_2])
def test_a_buyer_at_a_market_pays_the_fee_on_top(market: str) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        of_market("Sold", buyer=ALICE, seller=BOB, amount=1000, index=2, contract=market),
    ]
    found = verdict(of_transaction(logs, target=market, value=1030))
    assert (found.judgements, found.faults) == ((sold(1030),), ())


def test_what_a_buyer_sends_along_is_amount_and_fee_whatever_the_fee_is() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        of_market("Sold", buyer=ALICE, seller=BOB, amount=1000, index=2),
    ]
    assert verdict(of_transaction(logs, target=MARKET_2, value=1050)).judgements == (sold(1050),)
    assert verdict(of_transaction(logs, target=MARKET_2, value=1000)).judgements == (sold(1000),)


@pytest.mark.parametrize("value", [999, 5000], ids=["too little", "far too much"])
def test_a_value_that_is_not_amount_and_fee_does_not_tell_the_price(value: int) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        of_market("Sold", buyer=ALICE, seller=BOB, amount=1000, index=2),
    ]
    found = verdict(of_transaction(logs, target=MARKET_2, value=value))
    assert found.fills[0].price == 1030
    assert (len(found.faults), found.judgements[0].price) == ((1, 0) if value < 1030 else (0, 1030))


def test_two_sales_through_a_router_each_have_the_usual_fee_on_top() -> None:
    logs = [
        erc721(APES, 7, BOB, CAROL, index=1),
        of_market("Sold", buyer=CAROL, seller=BOB, amount=1000, index=2),
        erc721(APES, 8, BOB, CAROL, index=3),
        of_market("Sold", buyer=CAROL, seller=BOB, amount=2099, index=4, token_id=8),
    ]
    found = verdict(of_transaction(logs, target=CAROL, value=3191))
    assert found.judgements == (sold(1030), sold(2099 + 62))  # 3 percent of 2099, rounded down


def test_an_accepted_bid_at_a_market_was_paid_with_the_fee_when_it_was_made() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        of_market("AcceptBid", buyer=ALICE, seller=BOB, amount=1000, index=2),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=MARKET_2))
    assert (found.judgements, found.faults) == ((sold(1030),), ())


def test_a_won_auction_is_sold_out_of_custody_by_the_one_who_put_it_up() -> None:
    logs = [
        erc721(APES, 7, AUCTIONS, ALICE, index=1),
        auction_settled(bidder=ALICE, seller=BOB, amount=1000, index=2),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=AUCTIONS))
    assert (found.judgements, found.faults) == ((sold(1030),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, BOB, ALICE)


def test_an_auction_without_a_bid_returns_the_nft() -> None:
    for house, event in (
        (AUCTIONS, auction_settled(bidder=ZERO, seller=BOB, amount=0, index=2)),
        (BAZAAR, bazaar_auction_settled(bidder=ZERO, seller=BOB, currency=ETHER, amount=0, index=2)),
    ):
        found = verdict(of_transaction([erc721(APES, 7, house, BOB, index=1), event], target=house))
        assert ([one.transfer_type for one in found.judgements], found.fills) == (["transfer"], ())


def test_the_bazaar_sells_for_ether_with_the_fee_on_top() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        bazaar_sold(buyer=ALICE, seller=BOB, currency=ETHER, amount=1000, index=2),
    ]
    found = verdict(of_transaction(logs, target=BAZAAR, value=1030))
    assert (found.judgements, found.faults) == ((sold(1030),), ())


def test_the_bazaar_sells_for_a_token_that_the_buyer_sends_with_the_fee() -> None:
    logs = [
        erc20(RARE, 1030, ALICE, BAZAAR, index=1),
        erc20(RARE, 180, BAZAAR, CAROL, index=2),
        erc20(RARE, 850, BAZAAR, BOB, index=3),
        erc721(APES, 7, BOB, ALICE, index=4),
        bazaar_sold(buyer=ALICE, seller=BOB, currency=RARE, amount=1000, index=5),
    ]
    found = verdict(of_transaction(logs, target=BAZAAR))
    assert (found.judgements, found.faults) == ((sold(1030, RARE),), ())


def test_a_token_price_is_what_the_buyer_sent_whatever_the_fee_is() -> None:
    logs = [
        erc20(RARE, 1010, ALICE, BAZAAR, index=1),
        erc721(APES, 7, BOB, ALICE, index=4),
        bazaar_sold(buyer=ALICE, seller=BOB, currency=RARE, amount=1000, index=5),
    ]
    found = verdict(of_transaction(logs, target=BAZAAR))
    assert (found.judgements, found.faults) == ((sold(1010, RARE),), ())


def test_a_token_price_that_nobody_sent_is_not_published() -> None:
    logs = [
        erc20(RARE, 999, ALICE, BAZAAR, index=1),
        erc721(APES, 7, BOB, ALICE, index=4),
        bazaar_sold(buyer=ALICE, seller=BOB, currency=RARE, amount=1000, index=5),
    ]
    found = verdict(of_transaction(logs, target=BAZAAR))
    assert (found.judgements[0].currency, len(found.faults)) == (None, 1)


def test_offers_and_auctions_of_the_bazaar_were_paid_before() -> None:
    offer = bazaar_offer_accepted(buyer=ALICE, seller=BOB, currency=RARE, amount=1000, index=2)
    found = verdict(of_transaction([erc721(APES, 7, BOB, ALICE, index=1), offer], sender=BOB, target=BAZAAR))
    assert (found.judgements, found.faults) == ((sold(1030, RARE),), ())
    auction = bazaar_auction_settled(bidder=ALICE, seller=BOB, currency=ETHER, amount=1000, index=2)
    found = verdict(of_transaction([erc721(APES, 7, BAZAAR, ALICE, index=1), auction], target=BAZAAR))
    assert (found.judgements, found.faults) == ((sold(1030),), ())


def test_the_same_event_of_a_contract_that_is_no_deployment_says_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        of_market("Sold", buyer=ALICE, seller=BOB, amount=1000, index=2, contract=CAROL),
    ]
    assert verdict(of_transaction(logs)).fills == ()


def test_what_costs_nothing_is_no_sale() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        of_market("AcceptBid", buyer=ALICE, seller=BOB, amount=0, index=2),
    ]
    assert [one.transfer_type for one in verdict(of_transaction(logs)).judgements] == ["transfer"]


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = of_market("Sold", buyer=ALICE, seller=BOB, amount=1000, index=9)
    auction = auction_settled(bidder=ALICE, seller=BOB, amount=1000, index=3)
    logs = [
        good._replace(log_index=1, data=good.data[:63]),
        good._replace(log_index=2, topics=good.topics[:3]),
        auction._replace(topics=auction.topics[:3]),
        auction._replace(log_index=4, data=b"\1" * 64),
        erc721(APES, 7, BOB, ALICE, index=8),
        good,
    ]
    found = verdict(of_transaction(logs, target=MARKET_2, value=1030))
    assert found.judgements == (sold(1030),)
    assert sorted(one.log_index for one in found.faults) == [1, 2, 3, 4]
