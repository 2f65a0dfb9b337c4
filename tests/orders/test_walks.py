"""A contract's book, walked into the tables: what is shown is live, what is gone is not, and nothing is lost."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from indexing.models import BookPage, BookWalk, IndexedContract
from indexing.orders import walking
from indexing.orders.asking import Asker, SourceError
from indexing.orders.sources import OpenSea, ReservoirFile
from indexing.orders.walking import AlreadyWalkedError, Walker, only_walker
from tests.builders import load_lines, nft, transfer
from tests.net.played import Answer, Clock
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
from tests.orders.stand_in import KEY, StandIn
from tokens.models import Ask
from tokens.store import chains
from tokens.store.chains import ChainRow
from tokens.store.facts import AskFacts
from transfers.ledger import factset

pytestmark = pytest.mark.django_db
FOREIGN = "0x" + "fe" * 20


def of(token_id: int, **changes: Any) -> dict[str, Any]:
    """An ask for an ape."""
    return listing(parameters(offer=[item(2, APES, token_id, 1)]), **changes)


COLLECTION, OTHER_COLLECTION = "Frogs" * 8, "Toads" * 8
MINTS = ["A" * 43, "B" * 43, "C" * 43]
STATES = ["D" * 43, "E" * 43, "F" * 43]


def on_solana(mint: str, state: str) -> dict[str, Any]:
    """A listing that a Solana program settles."""
    order = {"id": f"{'5' * 88}:{state}", "creation_signature": "5" * 88, "order_state": state}
    return {
        "chain": "solana",
        "svm_order": order | {"asset_id": mint, "maker": "G" * 43},
        "remaining_quantity": 1,
        "order_created_at": AT,
        "price": {"current": {"currency": "SOL", "decimals": 9, "value": "2000000000"}},
        "status": "ACTIVE",
    }


FIVE = [of(token_id) for token_id in range(5)]


def ethereum() -> ChainRow:
    """The chain."""
    return chains.known()["ethereum"]


@pytest.fixture
def clock() -> Clock:
    """A minute passes with each sleep alone."""
    clock = Clock()
    clock.now = AT
    return clock


@pytest.fixture
def server() -> Iterator[StandIn]:
    """OpenSea with five apes listed."""
    with StandIn(apes=list(FIVE)) as one:
        yield one


@pytest.fixture
def walk(server: StandIn, clock: Clock) -> Callable[..., BookWalk]:
    """Walks the apes, a minute after the last time."""

    def once(*named: str, tell: Callable[[BookWalk], None] = lambda walk: None) -> BookWalk:
        clock.now += 60
        asker = Asker(server.url, headers={"X-API-KEY": KEY}, sleep=clock.sleep, clock=clock)
        return Walker(OpenSea(asker, "ethereum"), ethereum(), tell, clock).walk(APES, named)

    return once


def states() -> dict[str, str]:
    """Why an ask is not live, by its hash; empty where it is."""
    return dict(Ask.objects.values_list("order_hash", "reason"))


def live() -> set[str]:
    """The hashes of live asks."""
    return {order_hash for order_hash, reason in states().items() if not reason}


def hashes(listings: list[dict[str, Any]]) -> set[str]:
    """Of listings."""
    return {one["order_hash"] for one in listings}


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


def test_a_walk_that_fails_ends_nothing_and_the_next_goes_on_where_it_was(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    walk()
    server.listings["apes"] = FIVE[1:]
    server.asked.clear()

    def fail(found: BookWalk) -> None:
        server.script.extend([Answer(b"", 503)] * 5)

    with pytest.raises(SourceError, match="HTTP 503"):
        walk(tell=fail)
    kept = BookWalk.objects.get()
    assert (kept.fault.endswith("HTTP 503"), kept.cursor, kept.collections) == (True, "2", ["apes"])
    assert live() == hashes(FIVE)
    server.asked.clear()
    found = walk()
    pages = [one for one in server.asked if "/listings/" in one]
    assert pages == ["/api/v2/listings/collection/apes/all?limit=200&next=2"]
    assert (found.shown, found.ended, found.fault, found.fault_at) == (4, 1, "", None)


def test_killed_after_any_page_the_next_run_makes_the_same_of_it(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    class KilledError(Exception):
        """Stands for the end of the process."""

    def die(found: BookWalk) -> None:
        raise KilledError

    walk()
    server.listings["apes"] = [*FIVE[2:], of(77)]
    runs = 0
    while True:
        runs += 1
        try:
            if walk(tell=die).began_at is None:
                break
        except KilledError:
            continue
    assert runs == 3  # a page each, and what ends them
    assert live() == hashes(server.listings["apes"])


def test_a_cursor_that_is_no_more_begins_the_walk_anew(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    def expire(found: BookWalk) -> None:
        server.script.append(Answer({"errors": ["Invalid cursor"]}, 400))

    with pytest.raises(SourceError, match="HTTP 400"):
        walk(tell=expire)
    assert BookWalk.objects.get().began_at is None
    assert walk().shown == 5


def test_a_source_that_repeats_its_pages_is_left(server: StandIn, walk: Callable[..., BookWalk]) -> None:
    walk()
    server.is_repeating = True
    server.listings["apes"] = FIVE[:3]
    with pytest.raises(SourceError, match="repeats its pages"):
        walk()
    assert live() == hashes(FIVE)


def test_an_empty_answer_after_a_full_one_is_a_fault_and_ends_nothing(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    walk()
    server.listings["apes"] = []
    for _ in range(2):
        with pytest.raises(SourceError, match="shows nothing where it showed 5 orders"):
            walk()
    assert live() == hashes(FIVE)
    server.listings["apes"] = FIVE[:1]
    assert (walk().ended, live()) == (4, hashes(FIVE[:1]))


def test_lies_are_refused_and_end_nothing_that_was_believed(
    server: StandIn, walk: Callable[..., BookWalk], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    walk()
    cheaper = parameters(offer=[item(2, APES, 0, 1)], consideration=[money(1)])
    lie = listing(cheaper, order_hash=FIVE[0]["order_hash"])
    bundle = listing(parameters(offer=[item(2, APES, 8, 1), item(2, APES, 9, 1)]))
    foreign = listing(parameters(offer=[item(2, FOREIGN, 0, 1)]))
    nonsense: Any = "nonsense"
    server.listings["apes"] = [lie, *FIVE[1:], bundle, foreign, nonsense, FIVE[1]]
    found = walk()
    assert (found.shown, found.refused, found.ended) == (5, 3, 0)
    assert live() == hashes(FIVE)
    assert Ask.objects.get(order_hash=FIVE[0]["order_hash"]).price == 1
    assert "has not the hash that is stated" in caplog.text


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


@pytest.fixture
def opensea(server: StandIn, settings: Any) -> StandIn:
    """The stand-in as the settings name it."""
    settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = server.url, KEY
    return server


def test_the_command_reads_what_is_named_and_then_all_that_was(opensea: StandIn, capsys: Any) -> None:
    call_command("sync_asks", "--contract", APES.upper().replace("0X", "0x"))
    assert "5 asks on 3 pages, 0 orders refused" in capsys.readouterr().out
    opensea.listings["apes"] = FIVE[:4]
    Ask.objects.update(seen_at=5)
    call_command("sync_asks")
    assert "4 asks on 2 pages" in capsys.readouterr().out
    assert live() == hashes(FIVE[:4])


def test_the_command_tells_a_fault_without_the_key(opensea: StandIn, settings: Any, capsys: Any) -> None:
    settings.OPENSEA_API_KEY = KEY + "-wrong"
    with pytest.raises(SystemExit):
        call_command("sync_asks", "--contract", APES)
    told = capsys.readouterr()
    assert "HTTP 401" in told.err
    assert KEY not in told.out + told.err + str(list(BookWalk.objects.values()))


WRONG: dict[str, tuple[list[str], str]] = {
    "nothing named": ([], "Name what to read"),
    "no address": (["--contract", "apes"], "--contract must be 0x"),
    "a collection of nothing": (["--collection", "apes"], "--collection needs the one --contract"),
    "no collection": (["--chain", "solana", "--contract", APES], "--contract must be a collection's address"),
    "no chain": (["--chain", "tron", "--contract", APES], "is not known"),
    "no place": (["--source", "reservoir", "--contract", APES], "--from FILE|URL goes with"),
    "no file": (["--source", "reservoir", "--from", "/nowhere", "--contract", APES], "Cannot read"),
}


@pytest.mark.parametrize(("arguments", "why"), WRONG.values(), ids=WRONG)
def test_what_the_command_cannot_do_it_says(arguments: list[str], why: str, opensea: StandIn) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("sync_asks", *arguments)


@pytest.mark.parametrize("key", ["", "two words", "línea", "a\nb"])
def test_a_key_that_is_none_is_not_sent_or_shown(key: str, settings: Any) -> None:
    settings.OPENSEA_API_KEY = key
    with pytest.raises(CommandError, match="Set OPENSEA_API_KEY") as refused:
        call_command("sync_asks", "--contract", APES)
    assert not key or key not in str(refused.value)


def test_a_collection_on_solana_is_walked_by_the_slug_that_an_operator_names(
    opensea: StandIn, capsys: Any
) -> None:
    """OpenSea names no collection of an address there, and an order names no collection of its mint."""
    load_lines([nft(MINTS[2], OTHER_COLLECTION, on="solana"), nft(MINTS[1], None, on="solana")])
    opensea.listings["frogs"] = [on_solana(mint, state) for mint, state in zip(MINTS, STATES, strict=True)]
    given = ("--chain", "solana", "--contract", COLLECTION, "--collection", "frogs")
    call_command("sync_asks", *given)
    assert "2 asks on 2 pages, 0 orders refused" in capsys.readouterr().out, "one is of another collection"
    found = dict(Ask.objects.values_list("nft__token_key", "contract__address"))
    assert found == {f"~{mint}": COLLECTION for mint in MINTS[:2]}
    assert set(states().values()) == {""}
    del opensea.listings["frogs"][0]
    Ask.objects.update(seen_at=5)
    call_command("sync_asks", "--chain", "solana")
    assert sorted(states().values()) == ["", "gone-from-source"]


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


def test_a_walk_that_leaves_out_many_orders_which_the_source_offers_is_not_believed(
    server: StandIn, walk: Callable[..., BookWalk], monkeypatch: pytest.MonkeyPatch
) -> None:
    walk()
    monkeypatch.setattr(walking, "MOST_ASKED", 1)
    known = dict(server.listings)
    server.listings = {"apes": [*FIVE[3:], of(8)], "hidden": FIVE}
    with pytest.raises(SourceError, match="leaves out of 3 orders some that it offers"):
        walk()
    assert live() == hashes(FIVE) | {of(8)["order_hash"]}
    server.listings = known
    assert walk().ended == 1


def test_a_collection_that_is_empty_for_a_day_is_believed(
    server: StandIn, walk: Callable[..., BookWalk], clock: Clock
) -> None:
    walk()
    server.listings["apes"] = []
    for _ in range(2):
        with pytest.raises(SourceError, match="shows nothing where it showed 5 orders"):
            walk()
        clock.now += walking.EMPTY // 2
    assert (walk().ended, live()) == (5, set())


def test_one_of_several_collections_that_shows_nothing_is_a_fault_too(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    server.listings["more"] = [of(50), of(51)]
    walk("more")
    server.listings["more"] = []
    with pytest.raises(SourceError, match="shows nothing where it showed 2 orders"):
        walk()
    assert live() == hashes(FIVE) | {of(one)["order_hash"] for one in (50, 51)}
    server.listings["more"] = [of(51)]
    assert (walk().ended, BookWalk.objects.get().empty_since) == (1, None)


def test_pages_that_come_round_again_are_noticed_also_by_who_was_killed_between_them(
    server: StandIn, walk: Callable[..., BookWalk]
) -> None:
    class KilledError(Exception):
        """Stands for the end of the process."""

    def die(found: BookWalk) -> None:
        raise KilledError

    server.is_repeating = True
    server.listings["apes"] = FIVE[:3]
    for _ in range(2):
        with pytest.raises(KilledError):
            walk(tell=die)
    with pytest.raises(SourceError, match="repeats its pages"):
        walk(tell=die)


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


def test_an_order_that_cannot_be_written_costs_no_other_its_place(
    server: StandIn, walk: Callable[..., BookWalk], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = factset.write

    def refuse_one(facts: Any) -> Any:
        for one in facts.of(AskFacts):
            if one.order_hash == FIVE[1]["order_hash"]:
                raise factset.RefusedError([(one, "It is of no use.")], [])
        return write(facts)

    monkeypatch.setattr(factset, "write", refuse_one)
    walk()
    assert live() == hashes([FIVE[0], *FIVE[2:]])
