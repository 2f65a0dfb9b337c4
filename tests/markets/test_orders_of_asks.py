"""Offers of punks, and asks at Foundation, Zora and SuperRare: what opens, changes and ends them, log by log."""

from __future__ import annotations

from typing import Any

from tests.ingestion.encoding import ALICE, APES, BOB, ZERO
from tests.markets import order_logs as logs
from tests.markets.building import USDC, ape, judged
from tests.markets.foundation_events import FOUNDATION, auction_finalized, buy_price_accepted
from tests.markets.ordering import Orders, cancelled, filled, opened, repriced
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
from tests.markets.zora_events import (
    ASKS,
    ASKS_IN_ETHER,
    MARKET,
    MEDIA,
    PRIVATE_ASKS,
    ask_filled,
    ask_in_ether_filled,
    bid_finalized,
    private_ask_filled,
)
from transfers.ledger.order_facts import OrderEvent, OrderKind

HELPER = "0x909e9efe4d87d1a6018c2065ae642b6d0447bc91"

_PUNK: dict[str, Any] = {"contract": PUNKS, "token_id": 7}
_V1: dict[str, Any] = {"contract": V1, "token_id": 7}
_WRAPPED: dict[str, Any] = {"contract": WRAPPED_V1, "token_id": 7}
_APE: dict[str, Any] = {"contract": APES, "token_id": 7}
_OWN: dict[str, Any] = {"contract": MEDIA, "token_id": 7}
_ASK: dict[str, Any] = {**_APE, "maker": BOB, "operator": HELPER}
_HELD: dict[str, Any] = {**_APE, "maker": BOB, "holder": FOUNDATION, "wakes": False}

ORDERS = {
    # A punk: who offers it is its owner, whom no field names.
    "a punk is offered to all": Orders(logs.punk_offered(7, 100, ZERO)).say(
        opened("cryptopunks", PUNKS, **_PUNK, price=100, wakes=False)
    ),
    "a punk is offered to one for nothing, as for wrapping": Orders(logs.punk_offered(7, 0, ALICE)).say(
        opened("cryptopunks", PUNKS, **_PUNK, price=0, taker=ALICE, wakes=False)
    ),
    "a punk is no longer for sale": Orders(logs.punk_no_longer(7)).say(
        cancelled("cryptopunks", PUNKS, **_PUNK)
    ),
    "a punk is bought: its offer does not end because it is withdrawn": Orders(
        buy_punk(7, 100, BOB, ALICE)
    ).say(filled("cryptopunks", PUNKS, 2, **_PUNK), filled("cryptopunks", PUNKS, 3, **_PUNK)),
    "a punk is withdrawn, offered anew and bought": Orders(
        logs.punk_no_longer(7), logs.punk_offered(7, 90, ZERO), buy_punk(7, 90, BOB, ALICE)
    ).say(
        cancelled("cryptopunks", PUNKS, 1, **_PUNK),
        opened("cryptopunks", PUNKS, 2, **_PUNK, price=90, wakes=False),
        filled("cryptopunks", PUNKS, 4, **_PUNK),
        filled("cryptopunks", PUNKS, 5, **_PUNK),
    ),
    "a bid for a punk is accepted, which ends its offer without a word": Orders(
        accept_bid(7, BOB, ALICE)
    ).say(cancelled("cryptopunks", PUNKS, 2, **_PUNK)),
    "a punk that was not offered moves": Orders(transfer_punk(7, BOB, ALICE)).say(
        cancelled("cryptopunks", PUNKS, 2, **_PUNK)
    ),
    "a bid for a punk is no order of a seller": Orders(enter_bid(7, 50, ALICE)).say(),
    "a punk of V1 is offered, under its own market": Orders(logs.punk_offered(7, 100, ZERO, contract=V1)).say(
        opened("cryptopunks-v1", V1, **_V1, price=100)
    ),
    "a punk of V1 moves: its offer sleeps": Orders(transfer_punk(7, BOB, ALICE, contract=V1)).say(),
    "a punk of V1 is bought": Orders(buy_punk(7, 100, BOB, ALICE, contract=V1)).say(
        filled("cryptopunks-v1", V1, 2, **_V1), filled("cryptopunks-v1", V1, 3, **_V1)
    ),
    "a wrapped punk of V1 is offered by its market, which must be approved": Orders(
        logs.punk_offered(7, 100, ZERO, contract=logs.PUNKS_MARKET)
    ).say(opened("cryptopunks-v1", logs.PUNKS_MARKET, **_WRAPPED, price=100, operator=logs.PUNKS_MARKET)),
    "a wrapped punk of V1 is bought, which no other event tells": Orders(
        punk_bought(7, 100, BOB, ALICE, contract=logs.PUNKS_MARKET)
    ).say(filled("cryptopunks-v1", logs.PUNKS_MARKET, **_WRAPPED)),
    "a wrapped punk of V1 is withdrawn": Orders(logs.punk_no_longer(7, contract=logs.PUNKS_MARKET)).say(
        cancelled("cryptopunks-v1", logs.PUNKS_MARKET, **_WRAPPED)
    ),
    # Foundation holds what it sells.
    "a price is set at Foundation": Orders(ape(BOB, FOUNDATION), logs.price_set(price=100)).say(
        opened("foundation", FOUNDATION, 2, **_HELD, price=100)
    ),
    "a price of nothing is a price at Foundation": Orders(logs.price_set(price=0)).say(
        opened("foundation", FOUNDATION, **_HELD, price=0)
    ),
    "a price at Foundation is canceled": Orders(logs.price_canceled()).say(
        cancelled("foundation", FOUNDATION, **_APE)
    ),
    "a price at Foundation is invalidated by an auction's first bid": Orders(logs.price_invalidated()).say(
        cancelled("foundation", FOUNDATION, **_APE)
    ),
    "a price at Foundation is accepted": Orders(buy_price_accepted()).say(
        filled("foundation", FOUNDATION, **_APE, maker=BOB)
    ),
    "an auction of Foundation is no order": Orders(auction_finalized()).say(),
    # Zora 3.
    "an ask at Zora, in dollars": Orders(logs.ask_created(currency=USDC, price=100)).say(
        opened("zora", ASKS, **_ASK, currency=USDC, price=100)
    ),
    "an ask at Zora gets another price, in ether": Orders(logs.ask_updated(currency=ZERO, price=90)).say(
        repriced("zora", ASKS, **_APE, maker=BOB, currency=ZERO, price=90)
    ),
    "an ask at Zora is canceled and made anew": Orders(
        logs.ask_canceled(price=9), logs.ask_created(price=8)
    ).say(cancelled("zora", ASKS, 1, **_APE, maker=BOB), opened("zora", ASKS, 2, **_ASK, price=8)),
    "an ask at Zora is filled": Orders(ask_filled()).say(filled("zora", ASKS, **_APE, maker=BOB)),
    "an ask in ether": Orders(logs.ether_ask_created(price=100), logs.ether_ask_updated(price=80)).say(
        opened("zora", ASKS_IN_ETHER, 1, **_ASK, price=100),
        repriced("zora", ASKS_IN_ETHER, 2, **_APE, maker=BOB, currency=ZERO, price=80),
    ),
    "an ask in ether ends": Orders(logs.ether_ask_canceled()).say(
        cancelled("zora", ASKS_IN_ETHER, **_APE, maker=BOB)
    ),
    "an ask in ether is filled": Orders(ask_in_ether_filled()).say(
        filled("zora", ASKS_IN_ETHER, **_APE, maker=BOB)
    ),
    "a private ask": Orders(logs.private_ask_created(price=100), logs.private_ask_updated(price=80)).say(
        opened("zora", PRIVATE_ASKS, 1, **_ASK, price=100, taker=ALICE),
        repriced("zora", PRIVATE_ASKS, 2, **_APE, maker=BOB, currency=ZERO, price=80, taker=ALICE),
    ),
    "a private ask ends": Orders(logs.private_ask_canceled()).say(
        cancelled("zora", PRIVATE_ASKS, **_APE, maker=BOB)
    ),
    "a private ask is filled": Orders(private_ask_filled()).say(
        filled("zora", PRIVATE_ASKS, **_APE, maker=BOB)
    ),
    "a module of Zora is approved": Orders(logs.module_approved(approved=1)).say(
        OrderEvent(
            *(OrderKind.APPROVED, "", ASKS, 1),
            contract=logs.MODULE_MANAGER,
            maker=BOB,
            operator=ASKS,
            is_approved=True,
        )
    ),
    "a flag that is none": Orders(logs.module_approved(approved=2)).say(1),
    # Zora 1: a token that moves has no ask any more.
    "an ask for Zora's own NFT": Orders(logs.own_ask_created(amount=100, currency=USDC)).say(
        opened("zora", MARKET, **_OWN, currency=USDC, price=100, wakes=False)
    ),
    "an ask for Zora's own NFT is removed": Orders(logs.own_ask_removed()).say(
        cancelled("zora", MARKET, **_OWN)
    ),
    "a bid meets the ask for Zora's own NFT": Orders(
        logs.own_ask_removed(amount=100, currency=USDC), bid_finalized(7, 100, USDC)
    ).say(filled("zora", MARKET, 1, **_OWN), filled("zora", MARKET, 2, **_OWN)),
    # SuperRare: 3 percent on top, but in the first contract.
    "a price in SuperRare's first contract": Orders(logs.first_price_set(7, 1000)).say(
        opened("superrare", FIRST, contract=FIRST, token_id=7, price=1000)
    ),
    "the first contract's NFT is bought": Orders(first_sold()).say(
        filled("superrare", FIRST, contract=FIRST, token_id=7, maker=BOB)
    ),
    "a bid in the first contract is accepted": Orders(first_bid_accepted()).say(
        cancelled("superrare", FIRST, contract=FIRST, token_id=7, maker=BOB)
    ),
    "a bid at the old market is accepted": Orders(bid_accepted()).say(
        cancelled("superrare", MARKET_2, **_APE, maker=BOB)
    ),
    "a price at SuperRare's old market": Orders(logs.market_price_set(1000)).say(
        opened("superrare", MARKET_2, **_APE, price=1030, operator=MARKET_2)
    ),
    "a price at SuperRare's old market is taken back": Orders(logs.market_price_set(0)).say(
        cancelled("superrare", MARKET_2, **_APE)
    ),
    "the old market's NFT is bought": Orders(market_sold()).say(
        filled("superrare", MARKET_2, **_APE, maker=BOB)
    ),
    "a price at the Bazaar, in dollars, whose fee is rounded down": Orders(
        logs.bazaar_price_set(99, currency=USDC)
    ).say(opened("superrare", BAZAAR, **_APE, currency=USDC, price=101, operator=BAZAAR, per_taker=True)),
    "a price at the Bazaar for one buyer": Orders(logs.bazaar_price_set(1000, target=ALICE)).say(
        opened("superrare", BAZAAR, **_APE, price=1030, taker=ALICE, operator=BAZAAR, per_taker=True)
    ),
    "a price at the Bazaar is taken back, and nobody says which": Orders(logs.bazaar_price_set(0)).say(
        cancelled("superrare", BAZAAR, **_APE, per_taker=True, is_vague=True)
    ),
    "the Bazaar's NFT is bought: the buyer's own price ends, and the one for all": Orders(bazaar_sold()).say(
        filled("superrare", BAZAAR, **_APE, maker=BOB, per_taker=True),
        filled("superrare", BAZAAR, **_APE, taker=ALICE, per_taker=True, place=1),
    ),
    "an offer at the Bazaar is accepted": Orders(bazaar_offer_accepted()).say(
        cancelled("superrare", BAZAAR, **_APE, maker=BOB, per_taker=True)
    ),
}


test_what_a_log_says_of_orders = judged(ORDERS)
