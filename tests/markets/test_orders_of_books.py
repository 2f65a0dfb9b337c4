"""Markets whose whole book is on the chain: what opens, changes and ends an order, log by log."""

from __future__ import annotations

import pytest

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets import order_logs as logs
from tests.markets.building import USDC, ape
from tests.markets.foundation_events import FOUNDATION, auction_finalized, buy_price_accepted
from tests.markets.manifold_events import MANIFOLD, canceled, finalized, purchase
from tests.markets.ordering import Orders, cancelled, filled, opened, repriced, touched
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
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind

HELPER = "0x909e9efe4d87d1a6018c2065ae642b6d0447bc91"
MANA = "0x0f5d2fb29fb7d3cfee444a200298f468908cc942"
KODA = "0xabb3738f04dc2ec20f4ae4462c3d069d02ae045b"

_PUNK = {"contract": PUNKS, "token_id": 7}
_V1 = {"contract": V1, "token_id": 7}
_WRAPPED = {"contract": WRAPPED_V1, "token_id": 7}
_APE = {"contract": APES, "token_id": 7}
_OWN = {"contract": MEDIA, "token_id": 7}
_KODA = {"contract": KODA, "token_id": 7}
_KITTY = {"contract": logs.KITTIES, "token_id": 7}
_LISTING = f"{MANIFOLD}:5400"
_ASK = {**_APE, "maker": BOB, "operator": HELPER}
_HELD = {**_APE, "maker": BOB, "holder": FOUNDATION, "wakes": False}
_LISTED = {**_APE, "holder": MANIFOLD, "order_hash": _LISTING, "replaces": False, "wakes": False}
_LAND = {**_APE, "order_hash": logs.ORDER, "maker": BOB}

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
            *(OrderKind.APPROVED, "", "", 1),
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
    # KnownOrigin.
    "a token is listed at KnownOrigin from a moment on": Orders(
        logs.listed(price=100, start=1_700_000_000)
    ).say(
        opened(
            *("knownorigin", logs.KNOWN_ORIGIN),
            **_KODA,
            price=100,
            maker=BOB,
            operator=logs.KNOWN_ORIGIN,
            valid_from=1_700_000_000,
        )
    ),
    "its price changes": Orders(logs.relisted(price=90)).say(
        repriced("knownorigin", logs.KNOWN_ORIGIN, **_KODA, price=90)
    ),
    "it is delisted": Orders(logs.delisted()).say(cancelled("knownorigin", logs.KNOWN_ORIGIN, **_KODA)),
    "it only takes offers from now on": Orders(logs.converted()).say(
        cancelled("knownorigin", logs.KNOWN_ORIGIN, **_KODA)
    ),
    "it is bought": Orders(logs.bought_now(price=100)).say(
        filled("knownorigin", logs.KNOWN_ORIGIN, **_KODA, maker=BOB)
    ),
    # Decentraland writes milliseconds where its contract reads seconds.
    "land is offered until a moment of thousands of years": Orders(
        logs.order_created(price=100, expires=1_660_694_400_000)
    ).say(
        opened(
            *("decentraland", logs.DECENTRALAND),
            **_LAND,
            price=100,
            currency=MANA,
            operator=logs.DECENTRALAND,
            valid_until=1_660_694_400_000,
        )
    ),
    "land is bought": Orders(logs.order_successful(price=100)).say(
        filled("decentraland", logs.DECENTRALAND, **_LAND)
    ),
    "land is taken back": Orders(logs.order_cancelled()).say(
        cancelled("decentraland", logs.DECENTRALAND, **_LAND)
    ),
    "a signed order for land ends": Orders(logs.signature_cancelled(signature=logs.ORDER)).say(
        cancelled("decentraland", logs.DECENTRALAND_SIGNED, order_hash=logs.ORDER, maker=BOB)
    ),
    "all signed orders of one end": Orders(logs.signer_index(number=3)).say(
        OrderEvent(
            *(OrderKind.BULK_ENDED, "decentraland", logs.DECENTRALAND_SIGNED, 1),
            maker=BOB,
            rule=NonceRule.OTHER,
            nonces=(3,),
            outcome="cancelled",
        )
    ),
    # Manifold holds what it sells; the seller is who sent it there.
    "a listing at Manifold, in two logs": Orders(
        ape(BOB, MANIFOLD),
        logs.listing_created(amount=100, currency=USDC, start=1_700_000_000, end=1_800_000_000),
        logs.listing_details(),
    ).say(
        opened(
            *("manifold", MANIFOLD, 2),
            **_LISTED,
            price=100,
            currency=USDC,
            valid_from=1_700_000_000,
            valid_until=1_800_000_000,
        )
    ),
    "ten units at Manifold, two at a time, for a day from the first purchase on": Orders(
        logs.listing_created(amount=100, available=10, per_sale=2, end=86_400), logs.listing_details(spec=2)
    ).say(opened("manifold", MANIFOLD, **_LISTED, price=100, units=5, lot=2, lasts=86_400)),
    "two listings at Manifold, each with its token": Orders(
        logs.listing_created(amount=1, listing=1),
        logs.listing_created(amount=2, listing=2),
        logs.listing_details(listing=2, token_id=22),
        logs.listing_details(listing=1, token_id=11),
    ).say(
        opened(
            "manifold",
            MANIFOLD,
            1,
            **{**_LISTED, "token_id": 11, "order_hash": f"{MANIFOLD}:1"},
            price=1,
            lasts=0,
        ),
        opened(
            "manifold",
            MANIFOLD,
            2,
            **{**_LISTED, "token_id": 22, "order_hash": f"{MANIFOLD}:2"},
            price=2,
            lasts=0,
        ),
    ),
    "a verifier lets in who may buy at Manifold": Orders(
        logs.listing_created(amount=100, verifier=CAROL), logs.listing_details()
    ).say(opened("manifold", MANIFOLD, **_LISTED, price=100, taker=CAROL, lasts=0)),
    "a lazy listing offers nothing that is there": Orders(
        logs.listing_created(amount=100), logs.listing_details(lazy=1)
    ).say(),
    "an auction at Manifold is no order": Orders(logs.listing_created(kind=1), logs.listing_details()).say(),
    "a listing at Manifold of which no log names the token": Orders(
        logs.listing_created(amount=100), logs.listing_details(listing=1)
    ).say(1),
    "a listing at Manifold of units that do not go up": Orders(
        logs.listing_created(amount=100, available=3, per_sale=2), logs.listing_details(spec=2)
    ).say(1),
    "a listing at Manifold is modified": Orders(logs.listing_modified(amount=90, start=0, end=3600)).say(
        repriced("manifold", MANIFOLD, order_hash=_LISTING, price=90, lasts=3600)
    ),
    "three are bought at Manifold": Orders(purchase(ALICE, 300, count=3)).say(
        filled("manifold", MANIFOLD, order_hash=_LISTING, units=3)
    ),
    "a listing at Manifold is canceled": Orders(canceled(BOB)).say(
        cancelled("manifold", MANIFOLD, order_hash=_LISTING)
    ),
    "a listing at Manifold is finalized": Orders(finalized()).say(
        cancelled("manifold", MANIFOLD, order_hash=_LISTING)
    ),
    # CryptoKitties: the price goes in a line and stays.
    "a kitty's price falls for a day": Orders(logs.auction_created(start=100, end=10, duration=86_400)).say(
        opened(
            *("cryptokitties-auction", logs.KITTY_SALES),
            **_KITTY,
            price=100,
            end_price=10,
            price_seconds=86_400,
            holder=logs.KITTY_SALES,
            wakes=False,
        )
    ),
    "a kitty's price stays": Orders(logs.auction_created(start=100, end=100, duration=60)).say(
        opened(
            *("cryptokitties-auction", logs.KITTY_SALES),
            **_KITTY,
            price=100,
            holder=logs.KITTY_SALES,
            wakes=False,
        )
    ),
    "a kitty is bought": Orders(logs.auction_successful(price=50)).say(
        filled("cryptokitties-auction", logs.KITTY_SALES, **_KITTY)
    ),
    "a kitty is taken back": Orders(logs.auction_cancelled()).say(
        cancelled("cryptokitties-auction", logs.KITTY_SALES, **_KITTY)
    ),
    "a sire is rented by another contract, with the same event": Orders(
        logs.auction_created(start=100, contract="0xc7af99fe5513eb6710e6d5f44f9989da40f27f26")
    ).say(),
    # Sudoswap: a pool of whoever's is told of; whether a factory made it, the factory says.
    "a factory of Sudoswap makes a pool": Orders(
        logs.pair_made_1(), logs.pair_made_2(), logs.pair_of_units_made()
    ).say(
        touched(logs.POOL, 1, logs.FACTORY_1),
        touched(logs.POOL, 2, logs.FACTORY_2),
        touched(logs.POOL, 3, logs.FACTORY_2),
    ),
    "NFTs are put into a pool by a factory": Orders(
        logs.deposited_1(), logs.deposited_2(), logs.units_deposited()
    ).say(*(touched(logs.POOL, index) for index in (1, 2, 3))),
    "all that a pool says": Orders(*(one() for one in logs.of_pools.values())).say(
        *(touched(logs.POOL, index) for index in range(1, 13))
    ),
    "another factory's pool is not Sudoswap's": Orders(logs.pair_made_1(contract=CAROL)).say(),
}


@pytest.mark.parametrize("case", ORDERS.values(), ids=ORDERS)
def test_what_a_log_says_of_orders(case: Orders) -> None:
    case.holds()
