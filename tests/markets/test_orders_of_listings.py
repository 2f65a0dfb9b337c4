"""KnownOrigin, Decentraland, Manifold, CryptoKitties, Sudoswap: what opens, changes and ends an order, log by log."""

from __future__ import annotations

from typing import Any

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets import order_logs as logs
from tests.markets.building import ape, judged
from tests.markets.currencies import USDC
from tests.markets.manifold_events import MANIFOLD, bid, canceled, finalized, purchase
from tests.markets.ordering import Book, Orders, listed, touched
from tests.markets.seaport_events import ORDER
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind

MANA = "0x0f5d2fb29fb7d3cfee444a200298f468908cc942"
KODA = "0xabb3738f04dc2ec20f4ae4462c3d069d02ae045b"

_APE: dict[str, Any] = {"contract": APES, "token_id": 7}
_KODA: dict[str, Any] = {"contract": KODA, "token_id": 7}
_KITTY: dict[str, Any] = {"contract": logs.KITTIES, "token_id": 7}
_LISTING = f"{MANIFOLD}:5400"
_LISTED: dict[str, Any] = {**_APE, "holder": MANIFOLD, "replaces": False, "wakes": False}
_LAND: dict[str, Any] = {**_APE, "order_hash": ORDER, "maker": BOB}


def _of_ape(log_index: int = 1, **fields: Any) -> OrderEvent:
    usual = {**_APE, "holder": MANIFOLD, "order_hash": _LISTING}
    return listed("manifold", MANIFOLD, log_index, **{**usual, **fields})


knownorigin = Book("knownorigin", logs.KNOWN_ORIGIN, _KODA, maker=BOB, operator=logs.KNOWN_ORIGIN)
decentraland = Book("decentraland", logs.DECENTRALAND, _LAND, operator=logs.DECENTRALAND)
signed = Book("decentraland", logs.DECENTRALAND_SIGNED)
manifold = Book("manifold", MANIFOLD, {"order_hash": _LISTING}, **_LISTED)
kitties = Book("cryptokitties-auction", logs.KITTY_SALES, _KITTY, holder=logs.KITTY_SALES, wakes=False)
ORDERS = {
    # KnownOrigin.
    "a token is listed at KnownOrigin from a moment on": Orders(
        logs.listed(price=100, start=1_700_000_000)
    ).say(knownorigin.opened(price=100, valid_from=1_700_000_000)),
    "its price changes": Orders(logs.relisted(price=90)).say(knownorigin.repriced(price=90)),
    "it is delisted": Orders(logs.delisted()).say(knownorigin.cancelled()),
    "it only takes offers from now on": Orders(logs.converted()).say(knownorigin.cancelled()),
    "it is bought": Orders(logs.bought_now(price=100)).say(knownorigin.filled(maker=BOB)),
    # Decentraland writes milliseconds where its contract reads seconds.
    "land is offered until a moment of thousands of years": Orders(
        logs.order_created(price=100, expires=1_660_694_400_000)
    ).say(decentraland.opened(price=100, currency=MANA, valid_until=1_660_694_400_000)),
    "land is bought": Orders(logs.order_successful(price=100)).say(decentraland.filled()),
    "land is taken back": Orders(logs.order_cancelled()).say(decentraland.cancelled()),
    "a signed order for land ends": Orders(logs.signature_cancelled(signature=ORDER)).say(
        signed.cancelled(order_hash=ORDER, maker=BOB)
    ),
    "all signed orders of one end": Orders(logs.signer_index(number=3)).say(signed.ended(NonceRule.OTHER, 3)),
    # Manifold holds what it sells; the seller is who sent it there. Sales need to know of each listing.
    "a listing at Manifold, in two logs": Orders(
        ape(BOB, MANIFOLD),
        logs.listing_created(amount=100, currency=USDC, start=1_700_000_000, end=1_800_000_000),
        logs.listing_details(),
    ).say(
        manifold.opened(2, price=100, currency=USDC, valid_from=1_700_000_000, valid_until=1_800_000_000),
        _of_ape(2, place=1, currency=USDC, maker=BOB),
    ),
    "ten units at Manifold, two at a time, for a day from the first purchase on": Orders(
        logs.listing_created(amount=100, available=10, per_sale=2, end=86_400), logs.listing_details(spec=2)
    ).say(manifold.opened(price=100, units=5, lot=2, lasts=86_400), _of_ape(place=1)),
    "two listings at Manifold, each with its token": Orders(
        logs.listing_created(amount=1, listing=1),
        logs.listing_created(amount=2, listing=2),
        logs.listing_details(listing=2, token_id=22),
        logs.listing_details(listing=1, token_id=11),
    ).say(
        manifold.opened(**{**_LISTED, "token_id": 11, "order_hash": f"{MANIFOLD}:1"}, price=1, lasts=0),
        _of_ape(1, place=1, token_id=11, order_hash=f"{MANIFOLD}:1"),
        manifold.opened(2, **{**_LISTED, "token_id": 22, "order_hash": f"{MANIFOLD}:2"}, price=2, lasts=0),
        _of_ape(2, place=1, token_id=22, order_hash=f"{MANIFOLD}:2"),
    ),
    "a verifier lets in who may buy at Manifold": Orders(
        logs.listing_created(amount=100, verifier=CAROL), logs.listing_details()
    ).say(manifold.opened(price=100, taker=CAROL, lasts=0), _of_ape(place=1)),
    "a lazy listing offers nothing that is there": Orders(
        logs.listing_created(amount=100, currency=USDC), logs.listing_details(lazy=1)
    ).say(listed("manifold", MANIFOLD, order_hash=_LISTING, currency=USDC)),
    "an auction at Manifold is a listing and no order, of whoever sent the token there last": Orders(
        ape(CAROL, MANIFOLD),
        ape(MANIFOLD, BOB),
        ape(BOB, MANIFOLD),
        logs.listing_created(kind=1),
        logs.listing_details(),
        ape(ALICE, MANIFOLD),
    ).say(_of_ape(4, maker=BOB)),
    "a bid at Manifold is the bidder's, and no order": Orders(bid(ALICE, 70)).say(
        OrderEvent(OrderKind.BID, "manifold", MANIFOLD, 1, order_hash=_LISTING, maker=ALICE, price=70)
    ),
    "a listing at Manifold of which no log names the token": Orders(
        logs.listing_created(amount=100), logs.listing_details(listing=1)
    ).say(1),
    "a listing at Manifold of units that do not go up": Orders(
        logs.listing_created(amount=100, available=3, per_sale=2), logs.listing_details(spec=2)
    ).say(1),
    "a listing at Manifold is modified": Orders(logs.listing_modified(amount=90, start=0, end=3600)).say(
        manifold.repriced(price=90, lasts=3600)
    ),
    "three are bought at Manifold": Orders(purchase(ALICE, 300, count=3)).say(manifold.filled(units=3)),
    "a listing at Manifold is canceled": Orders(canceled(BOB)).say(manifold.cancelled()),
    "a listing at Manifold is finalized": Orders(finalized()).say(manifold.cancelled()),
    # CryptoKitties: the price goes in a line and stays.
    "a kitty's price falls for a day": Orders(logs.auction_created(start=100, end=10, duration=86_400)).say(
        kitties.opened(price=100, end_price=10, price_seconds=86_400)
    ),
    "a kitty's price stays": Orders(logs.auction_created(start=100, end=100, duration=60)).say(
        kitties.opened(price=100)
    ),
    "a kitty is bought": Orders(logs.auction_successful(price=50)).say(kitties.filled()),
    "a kitty is taken back": Orders(logs.auction_cancelled()).say(kitties.cancelled()),
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

test_what_a_log_says_of_orders = judged(ORDERS)
