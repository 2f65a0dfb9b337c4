"""A source that fails, repeats itself or lies: what was believed of a book stands, and nothing is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from indexing.models import BookWalk
from indexing.orders import walking
from indexing.orders.asking import SourceError
from tests.net.played import Answer, Clock
from tests.orders.apes import FIVE, FOREIGN, hashes, live, of
from tests.orders.made_up import APES, item, listing, money, parameters
from tests.orders.stand_in import StandIn
from tokens.models import Ask
from tokens.store.facts import AskFacts
from transfers.ledger import factset

pytestmark = pytest.mark.django_db


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
