"""Zora 1 to 3, by events as they are published."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import (
    ETHER,
    USDC,
    WETH,
    Case,
    ape,
    erc20,
    erc721,
    judged,
    of_transaction,
    sold,
    verdict,
    weth,
)
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
)


def test_a_finalized_bid_that_moves_nothing_is_a_fault() -> None:
    found = verdict(of_transaction([bid_finalized(7, 100, WETH, recipient=ALICE, index=4)]))
    assert (found.fills, [one.price for one in found.faults]) == ((), [100])


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


def test_a_bid_that_cannot_be_read_is_a_fault_and_the_auction_is_read_without_it() -> None:
    bid = bid_finalized(7, 100, WETH, recipient=ALICE, bidder=AUCTION_HOUSE, index=5)
    found = verdict(of_transaction(_of_own_nft(bid._replace(data=bid.data[:90]))))
    assert (found.judgements, [one.log_index for one in found.faults]) == ((sold(90, WETH),), [5])


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
        erc20(USDC, 100, ALICE, ASKS),
        erc20(USDC, 90, ASKS, BOB),
        erc20(USDC, 10, ASKS, CAROL),
        erc721(APES, 7, BOB, ALICE),
        ask_filled(seller=BOB, buyer=ALICE, price=100, currency=USDC),
    ]
    found = verdict(of_transaction(logs, target=ASKS))
    assert (found.judgements, found.faults) == ((sold(100, USDC),), ())
    unpaid = verdict(of_transaction(logs[3:], target=ASKS))
    assert (unpaid.judgements[0].currency, len(unpaid.faults)) == (None, 1)


@pytest.mark.parametrize("kind", RESERVE)
def test_a_reserve_auction_is_sold_for_the_highest_bid_in_its_currency(kind: str) -> None:
    currency = USDC if kind.endswith("ERC-20") else ETHER
    logs = [
        erc721(APES, 7, RESERVE[kind].contract, ALICE),
        RESERVE[kind](**dict[str, Any]({"currency": USDC} if currency == USDC else {})),
    ]
    found = verdict(of_transaction(logs, sender=CAROL, target=RESERVE[kind].contract))
    assert (found.judgements, found.faults) == ((sold(100, currency),), ())
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, BOB, ALICE)


_sent = partial(Case, to=AUCTION_HOUSE)
CASES = {
    "a finalized bid sells what the recipient gets for all that was bid": Case(
        weth(90, MARKET, BOB),
        weth(10, MARKET, CAROL),
        erc721(MEDIA, 7, BOB, ALICE),
        bid_finalized(7, 100, WETH),
        to=MEDIA,
        sender=BOB,
    ).was(sold(100, WETH), at="zora", deal=(Side.BID, BOB, ALICE)),
    "an auction is sold out of custody for what owner and curator get": _sent(
        ape(AUCTION_HOUSE, ALICE), auction_ended(amount=95, fee=5, currency=WETH), sender=CAROL
    ).was(sold(100, WETH), deal=(Side.AUCTION, BOB, ALICE)),
    "an auction of zoras own NFT is one sale at the bid with the creators share": _sent(
        _of_own_nft(bid_finalized(7, 100, WETH, bidder=AUCTION_HOUSE, index=5))
    ).was(sold(100, WETH), also=lambda found: [one.side for one in found.fills] == [Side.AUCTION]),
    "a bid for somebody else is not the price of the auction": Case(
        _of_own_nft(bid_finalized(8, 100, WETH, bidder=AUCTION_HOUSE, index=5))
    ).was(sold(90, WETH)),
    "a canceled auction gives the NFT back": _sent(ape(AUCTION_HOUSE, BOB)).was("transfer", commercial=False),
    **{
        f"an offer was paid when it was made: {label}": Case(
            ape(BOB, ALICE), offer_filled(currency=currency), to=OFFERS, sender=BOB
        ).was(sold(100, currency), deal=(Side.BID, BOB, ALICE))
        for label, currency in zip(["ether", "USDC"], [ETHER, USDC], strict=True)
    },
    "an ask for nothing is no sale": Case(ape(BOB, ALICE), ask_filled(price=0)).was("transfer"),
}


test_zora = judged(CASES)


def test_the_same_event_of_a_contract_that_is_no_deployment_says_nothing() -> None:
    logs = [erc721(APES, 7, BOB, ALICE), ask_filled(seller=BOB, buyer=ALICE, price=100, contract=CAROL)]
    assert verdict(of_transaction(logs)).fills == ()


def test_a_module_on_another_chain_is_known_there_alone() -> None:
    polygon, asks = 137, "0x3634e984ba0373cfa178986fd19f03ba4dd8e469"
    logs = [erc721(APES, 7, BOB, ALICE), ask_filled(seller=BOB, buyer=ALICE, price=100, contract=asks)]
    whole = of_transaction(logs, target=asks, value=100)
    assert verdict(whole, polygon).judgements == (sold(100),)
    assert verdict(whole).fills == ()
