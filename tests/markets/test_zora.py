"""Zora 1 to 3, by events as they are published."""

from __future__ import annotations

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import ETHER, USDC, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.zora_events import (
    ASKS,
    ASKS_IN_ETHER,
    AUCTION_HOUSE,
    MARKET,
    MEDIA,
    OFFERS,
    PRIVATE_ASKS,
    RESERVE,
    ask_filled,
    ask_in_ether_filled,
    auction_ended,
    bid_finalized,
    offer_filled,
    private_ask_filled,
    reserve_ended,
)


def test_a_finalized_bid_sells_what_the_recipient_gets_for_all_that_was_bid() -> None:
    logs = [
        erc20(WETH, 90, MARKET, BOB, index=1),
        erc20(WETH, 10, MARKET, CAROL, index=2),
        erc721(MEDIA, 7, BOB, ALICE, index=3),
        bid_finalized(7, 100, WETH, recipient=ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=MEDIA))
    assert (found.judgements, found.faults) == ((sold(100, WETH),), ())
    assert (found.markets, found.is_commercial) == (("zora",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, BOB, ALICE)


def test_a_finalized_bid_that_moves_nothing_is_a_fault() -> None:
    found = verdict(of_transaction([bid_finalized(7, 100, WETH, recipient=ALICE, index=4)]))
    assert (found.fills, [one.price for one in found.faults]) == ((), [100])


def test_an_auction_is_sold_out_of_custody_for_what_owner_and_curator_get() -> None:
    logs = [
        erc721(APES, 7, AUCTION_HOUSE, ALICE, index=1),
        auction_ended(owner=BOB, winner=ALICE, amount=95, fee=5, currency=WETH, index=2),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=AUCTION_HOUSE))
    assert (found.judgements, found.faults) == ((sold(100, WETH),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, BOB, ALICE)


def _of_own_nft(bid: RawLog) -> list[RawLog]:
    """The auction house sells one of Zora's own NFTs: the creator has a tenth of the bid, the owner the rest."""
    return [
        erc20(WETH, 100, AUCTION_HOUSE, MARKET, index=1),
        erc20(WETH, 90, MARKET, AUCTION_HOUSE, index=2),
        erc20(WETH, 10, MARKET, CAROL, index=3),
        erc721(MEDIA, 7, AUCTION_HOUSE, ALICE, index=4),
        bid,
        auction_ended(
            owner=BOB, winner=ALICE, amount=86, fee=4, currency=WETH, index=6, token_id=7, nft=MEDIA
        ),
    ]


def test_an_auction_of_zoras_own_nft_is_one_sale_at_the_bid_with_the_creators_share() -> None:
    bid = bid_finalized(7, 100, WETH, recipient=ALICE, bidder=AUCTION_HOUSE, index=5)
    found = verdict(of_transaction(_of_own_nft(bid), target=AUCTION_HOUSE))
    assert (found.judgements, found.faults) == ((sold(100, WETH),), ())
    assert [one.side for one in found.fills] == [Side.AUCTION]


def test_a_bid_for_somebody_else_is_not_the_price_of_the_auction() -> None:
    bid = bid_finalized(8, 100, WETH, recipient=ALICE, bidder=AUCTION_HOUSE, index=5)
    assert verdict(of_transaction(_of_own_nft(bid))).judgements == (sold(90, WETH),)


def test_a_bid_that_cannot_be_read_is_a_fault_and_the_auction_is_read_without_it() -> None:
    bid = bid_finalized(7, 100, WETH, recipient=ALICE, bidder=AUCTION_HOUSE, index=5)
    found = verdict(of_transaction(_of_own_nft(bid._replace(data=bid.data[:90]))))
    assert (found.judgements, [one.log_index for one in found.faults]) == ((sold(90, WETH),), [5])


def test_a_canceled_auction_gives_the_nft_back() -> None:
    found = verdict(of_transaction([erc721(APES, 7, AUCTION_HOUSE, BOB, index=1)], target=AUCTION_HOUSE))
    assert ([one.transfer_type for one in found.judgements], found.is_commercial) == (["transfer"], False)


ASKED = {
    "1.1": (ask_filled(seller=BOB, buyer=ALICE, price=100, index=2), ASKS),
    "in ether": (ask_in_ether_filled(seller=BOB, buyer=ALICE, price=100, index=2), ASKS_IN_ETHER),
    "private": (private_ask_filled(seller=BOB, buyer=ALICE, price=100, index=2), PRIVATE_ASKS),
}


@pytest.mark.parametrize(("event", "module"), ASKED.values(), ids=ASKED)
def test_an_ask_is_sold_for_the_value_of_the_call(event: RawLog, module: str) -> None:
    logs = [erc721(APES, 7, BOB, ALICE, index=1), event]
    found = verdict(of_transaction(logs, target=module, value=100))
    assert (found.judgements, found.faults) == ((sold(100),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer, fill.market) == (Side.ASK, BOB, ALICE, "zora")
    short = verdict(of_transaction(logs, target=module, value=99))
    assert (short.judgements[0].currency, len(short.faults)) == (None, 1)


def test_an_ask_in_a_token_is_paid_by_the_buyer_through_the_module() -> None:
    logs = [
        erc20(USDC, 100, ALICE, ASKS, index=1),
        erc20(USDC, 90, ASKS, BOB, index=2),
        erc20(USDC, 10, ASKS, CAROL, index=3),
        erc721(APES, 7, BOB, ALICE, index=4),
        ask_filled(seller=BOB, buyer=ALICE, price=100, currency=USDC, index=5),
    ]
    found = verdict(of_transaction(logs, target=ASKS))
    assert (found.judgements, found.faults) == ((sold(100, USDC),), ())
    unpaid = verdict(of_transaction(logs[3:], target=ASKS))
    assert (unpaid.judgements[0].currency, len(unpaid.faults)) == (None, 1)


@pytest.mark.parametrize("currency", [ETHER, USDC], ids=["ether", "USDC"])
def test_an_offer_was_paid_when_it_was_made(currency: str) -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        offer_filled(seller=BOB, buyer=ALICE, price=100, currency=currency, index=2),
    ]
    found = verdict(of_transaction(logs, sender=BOB, target=OFFERS))
    assert (found.judgements, found.faults) == ((sold(100, currency),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.BID, BOB, ALICE)


@pytest.mark.parametrize("kind", RESERVE)
def test_a_reserve_auction_is_sold_for_the_highest_bid_in_its_currency(kind: str) -> None:
    currency = USDC if kind.endswith("ERC-20") else ETHER
    logs = [
        erc721(APES, 7, RESERVE[kind], ALICE, index=1),
        reserve_ended(kind, seller=BOB, bidder=ALICE, bid=100, currency=currency, index=2),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=RESERVE[kind]))
    assert (found.judgements, found.faults) == ((sold(100, currency),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, BOB, ALICE)


def test_an_ask_for_nothing_is_no_sale() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ask_filled(seller=BOB, buyer=ALICE, price=0, index=2),
    ]
    assert [one.transfer_type for one in verdict(of_transaction(logs)).judgements] == ["transfer"]


def test_the_same_event_of_a_contract_that_is_no_deployment_says_nothing() -> None:
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ask_filled(seller=BOB, buyer=ALICE, price=100, index=2, contract=CAROL),
    ]
    assert verdict(of_transaction(logs)).fills == ()


def test_a_module_on_another_chain_is_known_there_alone() -> None:
    polygon, asks = 137, "0x3634e984ba0373cfa178986fd19f03ba4dd8e469"
    logs = [
        erc721(APES, 7, BOB, ALICE, index=1),
        ask_filled(seller=BOB, buyer=ALICE, price=100, index=2, contract=asks),
    ]
    whole = of_transaction(logs, target=asks, value=100)
    assert verdict(whole, polygon).judgements == (sold(100),)
    assert verdict(whole).fills == ()


EVENTS = {
    "bid": bid_finalized(7, 100, WETH, recipient=ALICE, index=1),
    "auction": auction_ended(owner=BOB, winner=ALICE, amount=95, currency=WETH, index=1),
    "ask": ask_filled(seller=BOB, buyer=ALICE, price=100, index=1),
    "ask in ether": ask_in_ether_filled(seller=BOB, buyer=ALICE, price=100, index=1),
    "private ask": private_ask_filled(seller=BOB, buyer=ALICE, price=100, index=1),
    "offer": offer_filled(seller=BOB, buyer=ALICE, price=100, index=1),
    **{kind: reserve_ended(kind, seller=BOB, bidder=ALICE, bid=100, index=1) for kind in RESERVE},
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_a_malformed_event_is_a_fault_and_the_rest_is_read(event: RawLog) -> None:
    logs = [
        event._replace(topics=(*event.topics, event.topics[0], event.topics[0], event.topics[0])),
        event._replace(log_index=2, data=event.data[:32]),
        erc721(APES, 9, BOB, ALICE, index=8),
        erc721(APES, 7, BOB, ALICE, index=9),
        ask_in_ether_filled(seller=BOB, buyer=ALICE, price=100, index=10),
    ]
    found = verdict(of_transaction(logs, value=100))
    assert [one.price for one in found.judgements] == [0, 100]
    assert [one.log_index for one in found.faults] == [1, 2]
