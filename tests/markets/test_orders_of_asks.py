"""Offers of punks, and asks at Foundation, Zora and SuperRare: what opens, changes and ends them, log by log."""

from __future__ import annotations

from typing import Any

from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets import order_logs as logs
from tests.markets import zora_events as zora
from tests.markets.building import ape, judged
from tests.markets.currencies import USDC
from tests.markets.foundation_events import FOUNDATION, auction_finalized, buy_price_accepted
from tests.markets.ordering import Book, Orders
from tests.markets.punk_events import (
    PUNKS,
    V1,
    WRAPPED_V1,
    accept_bid,
    buy_punk,
    enter_bid,
    punk_bought,
    transfer_punk,
)
from tests.markets.superrare_events import (
    BAZAAR,
    FIRST,
    MARKET_2,
    bazaar_offer_accepted,
    bazaar_sold,
    bid_accepted,
    first_bid_accepted,
    first_sold,
    market_sold,
)
from transfers.ledger.order_facts import OrderEvent, OrderKind

HELPER = "0x909e9efe4d87d1a6018c2065ae642b6d0447bc91"

_PUNK: dict[str, Any] = {"contract": PUNKS, "token_id": 7}
_V1: dict[str, Any] = {"contract": V1, "token_id": 7}
_WRAPPED: dict[str, Any] = {"contract": WRAPPED_V1, "token_id": 7}
_APE: dict[str, Any] = {"contract": APES, "token_id": 7}
_OWN: dict[str, Any] = {"contract": zora.MEDIA, "token_id": 7}
_ASK: dict[str, Any] = {**_APE, "maker": BOB}

punks = Book("cryptopunks", PUNKS, _PUNK, wakes=False)
punks_v1 = Book("cryptopunks-v1", V1, _V1)
wrapped = Book("cryptopunks-v1", logs.PUNKS_MARKET, _WRAPPED, operator=logs.PUNKS_MARKET)
foundation = Book("foundation", FOUNDATION, _APE, maker=BOB, holder=FOUNDATION, wakes=False)
asks = Book("zora", zora.ASKS, _ASK, operator=HELPER)
ether_asks = Book("zora", zora.ASKS_IN_ETHER, _ASK, operator=HELPER)
private_asks = Book("zora", zora.PRIVATE_ASKS, _ASK, operator=HELPER)
own = Book("zora", zora.MARKET, _OWN, wakes=False)
first = Book("superrare", FIRST, {"contract": FIRST, "token_id": 7})
market = Book("superrare", MARKET_2, _APE, operator=MARKET_2)
bazaar = Book("superrare", BAZAAR, {**_APE, "per_taker": True}, operator=BAZAAR)
ORDERS = {
    # A punk: who offers it is its owner, whom no field names.
    "a punk is offered to all": Orders(logs.punk_offered(7, 100, ZERO)).say(punks.opened(price=100)),
    "a punk is offered to one for nothing, as for wrapping": Orders(logs.punk_offered(7, 0, ALICE)).say(
        punks.opened(price=0, taker=ALICE)
    ),
    "a punk is no longer for sale": Orders(logs.punk_no_longer(7)).say(punks.cancelled()),
    "a punk is bought: its offer does not end because it is withdrawn": Orders(
        buy_punk(7, 100, BOB, ALICE)
    ).say(punks.filled(2), punks.filled(3)),
    "a punk is withdrawn, offered anew and bought": Orders(
        logs.punk_no_longer(7), logs.punk_offered(7, 90, ZERO), buy_punk(7, 90, BOB, ALICE)
    ).say(punks.cancelled(), punks.opened(2, price=90), punks.filled(4), punks.filled(5)),
    "a bid for a punk is accepted, which ends its offer without a word": Orders(
        accept_bid(7, BOB, ALICE)
    ).say(punks.cancelled(2)),
    "a punk that was not offered moves": Orders(transfer_punk(7, BOB, ALICE)).say(punks.cancelled(2)),
    "a bid for a punk is no order of a seller": Orders(enter_bid(7, 50, ALICE)).say(),
    "a punk of V1 is offered, under its own market": Orders(logs.punk_offered(7, 100, ZERO, contract=V1)).say(
        punks_v1.opened(price=100)
    ),
    "a punk of V1 moves: its offer sleeps": Orders(transfer_punk(7, BOB, ALICE, contract=V1)).say(),
    "a punk of V1 is bought": Orders(buy_punk(7, 100, BOB, ALICE, contract=V1)).say(
        punks_v1.filled(2), punks_v1.filled(3)
    ),
    "a wrapped punk of V1 is offered by its market, which must be approved": Orders(
        logs.punk_offered(7, 100, ZERO, contract=logs.PUNKS_MARKET)
    ).say(wrapped.opened(price=100)),
    "a wrapped punk of V1 is bought, which no other event tells": Orders(
        punk_bought(7, 100, BOB, ALICE, contract=logs.PUNKS_MARKET)
    ).say(wrapped.filled()),
    "a wrapped punk of V1 is withdrawn": Orders(logs.punk_no_longer(7, contract=logs.PUNKS_MARKET)).say(
        wrapped.cancelled()
    ),
    # Foundation holds what it sells.
    "a price is set at Foundation": Orders(ape(BOB, FOUNDATION), logs.price_set(price=100)).say(
        foundation.opened(2, price=100)
    ),
    "a price of nothing is a price at Foundation": Orders(logs.price_set(price=0)).say(
        foundation.opened(price=0)
    ),
    "a price at Foundation is canceled": Orders(logs.price_canceled()).say(foundation.cancelled()),
    "a price at Foundation is invalidated by an auction's first bid": Orders(logs.price_invalidated()).say(
        foundation.cancelled()
    ),
    "a price at Foundation is accepted": Orders(buy_price_accepted()).say(foundation.filled(maker=BOB)),
    "an auction of Foundation is no order": Orders(auction_finalized()).say(),
    # Zora 3.
    "an ask at Zora, in dollars": Orders(logs.ask_created(currency=USDC, price=100)).say(
        asks.opened(currency=USDC, price=100)
    ),
    "an ask at Zora gets another price, in ether": Orders(logs.ask_updated(currency=ZERO, price=90)).say(
        asks.repriced(currency=ZERO, price=90)
    ),
    "an ask at Zora is canceled and made anew": Orders(
        logs.ask_canceled(price=9), logs.ask_created(price=8)
    ).say(asks.cancelled(), asks.opened(2, price=8)),
    "an ask at Zora is filled": Orders(zora.ask_filled()).say(asks.filled()),
    "an ask in ether": Orders(logs.ether_ask_created(price=100), logs.ether_ask_updated(price=80)).say(
        ether_asks.opened(price=100), ether_asks.repriced(2, currency=ZERO, price=80)
    ),
    "an ask in ether ends": Orders(logs.ether_ask_canceled()).say(ether_asks.cancelled()),
    "an ask in ether is filled": Orders(zora.ask_in_ether_filled()).say(ether_asks.filled()),
    "a private ask": Orders(logs.private_ask_created(price=100), logs.private_ask_updated(price=80)).say(
        private_asks.opened(price=100, taker=ALICE),
        private_asks.repriced(2, currency=ZERO, price=80, taker=ALICE),
    ),
    "a private ask ends": Orders(logs.private_ask_canceled()).say(private_asks.cancelled()),
    "a private ask is filled": Orders(zora.private_ask_filled()).say(private_asks.filled()),
    "a module of Zora is approved": Orders(logs.module_approved(approved=1)).say(
        OrderEvent(
            *(OrderKind.APPROVED, "", zora.ASKS, 1),
            contract=logs.MODULE_MANAGER,
            maker=BOB,
            operator=zora.ASKS,
            is_approved=True,
        )
    ),
    "a flag that is none": Orders(logs.module_approved(approved=2)).say(1),
    # Zora 1: a token that moves has no ask any more.
    "an ask for Zora's own NFT": Orders(logs.own_ask_created(amount=100, currency=USDC)).say(
        own.opened(currency=USDC, price=100)
    ),
    "an ask for Zora's own NFT is removed": Orders(logs.own_ask_removed()).say(own.cancelled()),
    "a bid meets the ask for Zora's own NFT": Orders(
        logs.own_ask_removed(amount=100, currency=USDC), zora.bid_finalized(7, 100, USDC)
    ).say(own.filled(), own.filled(2)),
    # SuperRare: 3 percent on top, but in the first contract.
    "a price in SuperRare's first contract": Orders(logs.first_price_set(7, 1000)).say(
        first.opened(price=1000)
    ),
    "the first contract's NFT is bought": Orders(first_sold()).say(first.filled(maker=BOB)),
    "a bid in the first contract is accepted": Orders(first_bid_accepted()).say(first.cancelled(maker=BOB)),
    "a bid at the old market is accepted": Orders(bid_accepted()).say(market.cancelled(maker=BOB)),
    "a price at SuperRare's old market": Orders(logs.market_price_set(1000)).say(market.opened(price=1030)),
    "a price at SuperRare's old market is taken back": Orders(logs.market_price_set(0)).say(
        market.cancelled()
    ),
    "the old market's NFT is bought": Orders(market_sold()).say(market.filled(maker=BOB)),
    "a price at the Bazaar, in dollars, whose fee is rounded down": Orders(
        logs.bazaar_price_set(99, currency=USDC)
    ).say(bazaar.opened(currency=USDC, price=101)),
    "a price at the Bazaar for one buyer": Orders(logs.bazaar_price_set(1000, target=ALICE)).say(
        bazaar.opened(price=1030, taker=ALICE)
    ),
    "a price at the Bazaar is taken back, and nobody says which": Orders(logs.bazaar_price_set(0)).say(
        bazaar.cancelled(is_vague=True)
    ),
    "the Bazaar's NFT is bought: the buyer's own price ends, and the one for all": Orders(bazaar_sold()).say(
        bazaar.filled(maker=BOB), bazaar.filled(taker=ALICE, place=1)
    ),
    "an offer at the Bazaar is accepted": Orders(bazaar_offer_accepted()).say(bazaar.cancelled(maker=BOB)),
}

test_what_a_log_says_of_orders = judged(ORDERS)
