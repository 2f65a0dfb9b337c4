"""A contract's book, walked into the tables: what is shown is live, what is gone is not, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from indexing.models import BookPage, BookWalk, IndexedContract
from indexing.orders.sources import ReservoirFile
from indexing.orders.walking import AlreadyWalkedError, Walker, only_walker
from tests.builders import load_lines, transfer
from tests.net.played import Clock
from tests.orders.apes import FIVE, ethereum, hashes, live, of, states
from tests.orders.made_up import (
    APES,
    AT,
    BUYER,
    MAKER,
    hash_of,
    in_reservoirs_shape,
    item,
    listing,
    money,
    parameters,
)
from tests.orders.stand_in import StandIn
from tokens.models import Ask

pytestmark = pytest.mark.django_db


def test_all_that_is_shown_is_live_with_its_terms(walk: Callable[..., BookWalk]) -> None:
    found = walk()
    assert (found.shown, found.pages, found.refused, found.read_at) == (5, 3, 0, AT + 60)
    assert live() == hashes(FIVE)
    one = Ask.objects.select_related("market", "currency", "nft").get(order_hash=FIVE[3]["order_hash"])
    assert (one.market.slug, one.currency.symbol, one.price, one.maker) == ("opensea", "ETH", 1, MAKER)
    assert (one.source, one.seen_at, one.exchange, one.nonce) == (
        "opensea",
        AT + 60,
        listing()["protocol_address"],
        0,
    )


def test_what_a_whole_walk_does_not_show_is_gone_until_it_is_shown_again(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    walk()
    server.listings["apes"] = FIVE[1:]
    assert walk().ended == 1
    assert states()[FIVE[0]["order_hash"]] == "gone-from-source"
    assert live() == hashes(FIVE[1:])
    server.listings["apes"] = FIVE
    assert walk().ended == 0
    assert live() == hashes(FIVE)


def test_asks_of_others_are_not_gone_since_a_source_never_showed_them(walk: Callable[..., BookWalk]) -> None:
    own = {
        "record": "ask",
        "chain": "ethereum",
        "contractAddress": APES,
        "tokenId": "9",
        "marketplace": "opensea",
    }
    load_lines([own | {"orderHash": "0x" + "9" * 64, "currency": "ETH", "price": "1"}])
    walk()
    assert live() == hashes(FIVE) | {"0x" + "9" * 64}


def test_an_ask_that_the_chain_opened_is_not_gone_since_a_source_stops_showing_it(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    walk()
    Ask.objects.filter(order_hash=FIVE[0]["order_hash"]).update(opened_block=1, opened_log=1)
    server.listings["apes"] = FIVE[1:]
    assert walk().ended == 0


def test_a_price_that_the_source_states_otherwise_is_counted_and_not_taken(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    fee = {"current": {"currency": "ETH", "decimals": 18, "value": str(1025 * 10**15)}}
    server.listings["apes"] = [of(0, price=fee), *FIVE[1:]]
    assert walk().differing == 1
    assert set(Ask.objects.values_list("price", flat=True)) == {1}


def test_a_private_ask_is_kept_and_not_live(server: StandIn, walk: Callable[..., BookWalk]) -> None:
    mine = item(2, APES, 7, 1) | {"recipient": BUYER}
    server.listings["apes"] = [listing(parameters(consideration=[money(5), mine]))]
    walk()
    assert list(states().values()) == ["private"]


def test_what_the_source_calls_inactive_is_live_again_once_it_says_so(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    server.listings["apes"] = [of(0, status="INACTIVE")]
    walk()
    assert list(states().values()) == ["gone-from-source"]
    server.listings["apes"] = [of(0)]
    walk()
    assert list(states().values()) == [""]


def test_units_left_are_the_source_s_word_only_where_the_chain_is_not_read(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    order = parameters(offer=[item(3, APES, 7, 10)], consideration=[money(100)], orderType=1)
    for left, amount in ((8, 8), (6, 6)):
        server.listings["apes"] = [listing(order, remaining_quantity=left)]
        walk()
        assert Ask.objects.get().amount == amount
    IndexedContract.objects.create(chain_id=ethereum().id, address=APES, first_block=0, next_block=5)
    server.listings["apes"] = [listing(order, remaining_quantity=9)]
    walk()
    assert Ask.objects.get().amount == 6


def test_every_collection_of_a_contract_is_walked_and_those_that_were_named_are_remembered(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    server.listings["more"] = [of(50)]
    assert walk("more").shown == 6
    assert walk().shown == 6
    assert live() == hashes(FIVE) | {of(50)["order_hash"]}


def test_a_second_walk_that_finds_nothing_new_writes_nothing_of_asks_and_nfts(
    walk: Callable[..., BookWalk],
) -> None:
    walk()
    before = list(Ask.objects.order_by("id").values())
    with CaptureQueriesContext(connection) as queries:
        walk()
    assert list(Ask.objects.order_by("id").values()) == before
    written = {
        sql.split('"')[1] for one in queries if (sql := one["sql"]).startswith(("INSERT", "UPDATE", "DELETE"))
    }
    assert written == {"indexing_bookwalk", "indexing_bookpage", "indexing_booksource"}
    assert not BookPage.objects.exists()


def test_a_second_walker_of_a_source_and_chain_is_refused() -> None:
    with (
        only_walker("opensea", ethereum()),
        only_walker("reservoir", ethereum()),
        pytest.raises(AlreadyWalkedError, match="Another process reads ethereum's asks of opensea"),
        only_walker("opensea", ethereum()),
    ):
        pass


def test_a_file_ends_nothing(tmp_path: Any, clock: Clock) -> None:
    path = tmp_path / "asks.json"
    for orders in ([parameters(salt=1), parameters(salt=2)], [parameters(salt=2)]):
        path.write_text(json.dumps({"orders": [in_reservoirs_shape(one) for one in orders]}))
        clock.now += 60
        found = Walker(ReservoirFile(path), ethereum(), clock=clock).walk(APES)
        assert (found.ended, found.read_at) == (0, None)
    assert live() == {hash_of(parameters(salt=one)) for one in (1, 2)}


def test_an_order_that_moved_to_a_page_that_was_read_already_is_not_gone(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    """Numbered pages lose one order to each that is taken from before it while they are read."""
    walk()
    server.asked.clear()

    def sell_the_first(found: BookWalk) -> None:
        if found.pages == 1:
            server.listings["apes"] = server.listings["apes"][1:]

    found = walk(tell=sell_the_first)
    assert (found.shown, found.ended, live()) == (4, 0, hashes(FIVE)), (
        "the first was there when its page was read"
    )
    asked = [one.rpartition("/")[2] for one in server.asked if "/orders/chain/" in one]
    assert asked == [FIVE[2]["order_hash"]], "the one that no page showed"
    assert walk().ended == 1
    assert live() == hashes(FIVE[1:])


def test_an_ask_that_slept_since_its_nft_was_away_wakes_when_a_source_shows_it_and_is_left_alone_then(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    """Where a zone agrees to each sale nobody but the source knows that the ask still stands."""
    signed = listing(parameters(orderType=2, zone="0x" + "5e" * 20))
    server.listings["apes"] = [signed]
    walk()
    load_lines([transfer("7", APES, block=1, receiver=MAKER, timestamp=AT)])
    for block, sender, receiver in ((2, MAKER, BUYER), (3, BUYER, MAKER)):
        load_lines(
            [transfer("7", APES, block=block, sender=sender, receiver=receiver, timestamp=AT + 60 + block)]
        )
    assert list(states().values()) == ["not-owner"]
    walk()
    assert list(states().values()) == [""]
    seen_at = Ask.objects.get().seen_at
    walk()
    assert Ask.objects.get().seen_at == seen_at == AT + 120
