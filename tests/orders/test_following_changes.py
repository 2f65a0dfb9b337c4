"""What changes between two walks, and the limits that a source tells of."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.models import BookSource, BookWalk
from indexing.orders import following, queue
from tests.net.played import Answer, Clock
from tests.orders.apes import FIVE, hashes, live, of
from tests.orders.made_up import APES, AT, item, listing, parameters
from tests.orders.reading import Reader, book
from tests.orders.stand_in import StandIn

pytestmark = pytest.mark.django_db


def listed(order: dict[str, Any]) -> dict[str, Any]:
    """What the Events API says of a new listing."""
    return {
        "event_type": "order",
        "order_hash": order["order_hash"],
        "protocol_address": order["protocol_address"],
    }


@pytest.fixture
def followed(reader: Reader, clock: Clock) -> Reader:
    """A reader that has read the apes once, whose next walk is far."""
    book(APES)
    reader.work()
    BookWalk.objects.update(next_at=AT + 10 * queue.DAY)
    return reader


def test_what_is_listed_between_two_walks_is_there_within_a_minute_for_two_requests(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    zoo.listings["apes"].append(of(9))
    zoo.events = [listed(of(9)), listed(FIVE[0])]
    assert followed.work() == []
    clock.now += following.CHANGES_EVERY
    exchange = of(9)["protocol_address"]
    assert followed.work() == [
        "events/collection/apes",
        f"orders/chain/ethereum/protocol/{exchange}/{of(9)['order_hash']}",
    ], "the other one is known"
    assert live() == hashes([*FIVE, of(9)])
    clock.now += following.CHANGES_EVERY
    assert followed.work() == ["events/collection/apes"]


def test_what_is_called_off_between_two_walks_is_gone_within_a_minute_where_events_say_so(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    zoo.listings["apes"][0] = of(0, status="CANCELLED")
    zoo.events = [listed(FIVE[0]) | {"order_type": "cancel"}, listed(FIVE[1]) | {"order_type": "cancel"}]
    for looks in (2, 0):
        clock.now += following.CHANGES_EVERY
        assert len(followed.work()) == 1 + looks
        assert live() == hashes(FIVE[1:]), "the other one still stands by the source's own word"


def test_an_order_of_which_the_source_cannot_tell_yet_is_asked_for_again_and_a_refused_one_is_not(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    bundle = listing(parameters(offer=[item(2, APES, 8, 1), item(2, APES, 9, 1)]))
    zoo.events = [listed(of(9)), listed(bundle)]
    zoo.listings["hidden"] = [bundle]
    for looks in (2, 1):
        clock.now += following.CHANGES_EVERY
        assert len(followed.work()) == 1 + looks
    zoo.listings["apes"].append(of(9))
    clock.now += following.CHANGES_EVERY
    followed.work()
    assert live() == hashes([*FIVE, of(9)])


def test_what_is_listed_while_a_book_is_walked_is_not_gone_since_no_page_shows_it(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    clock.now += following.CHANGES_EVERY
    zoo.events = [listed(of(9))]
    zoo.listings["elsewhere"] = [of(9)]
    queue.request([BookWalk.objects.get().pk], int(clock.now))
    assert followed.walked() == [APES]
    assert of(9)["order_hash"] in live()
    assert BookWalk.objects.get().ended == 0


def test_where_much_is_new_some_of_it_is_looked_at_and_the_book_is_walked(
    followed: Reader, zoo: StandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST_LOOKS", 2)
    more = [of(token) for token in range(10, 16)]
    zoo.listings["apes"] += more
    zoo.events = [listed(one) for one in more]
    clock.now += following.CHANGES_EVERY
    assert sum("/protocol/" in one for one in followed.work()) == 2
    assert live() == hashes([*FIVE, *more])


def test_changes_that_cannot_be_read_leave_the_book_to_its_walks(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    zoo.script.append(Answer({"errors": ["No"]}, 403))
    clock.now += following.CHANGES_EVERY
    assert followed.work() == ["events/collection/apes"]
    found = BookWalk.objects.get()
    assert (found.state, found.attempts, "HTTP 403" in found.fault) == ("waiting", 0, True)
    clock.now += following.CHANGES_EVERY
    assert followed.work() == []
    clock.now += following.PAUSE
    assert followed.work() == ["events/collection/apes"]


def limited(most: int, left: int, seconds: int) -> dict[str, str]:
    """Headers that tell of a limit."""
    return {
        f"X-RateLimit-{name}": str(value)
        for name, value in (("Limit", most), ("Remaining", left), ("Reset", seconds))
    }


def test_requests_that_changes_will_take_are_kept_and_walks_wait_for_the_limit_s_end(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    """3,600 seconds of one book are 90 looks; of 100 requests, half are kept at most."""
    zoo.limit = limited(100, 50, 3_600)
    clock.now += following.CHANGES_EVERY
    followed.work()
    apes = BookWalk.objects.get()
    apes.next_at = int(clock.now)
    apes.save()
    assert followed.work() == [], "it is due, and waits"
    told = BookSource.objects.get()
    assert (told.limit_most, told.limit_left) == (100, 50)
    queue.request([apes.pk], int(clock.now))
    assert "listings/collection/apes/all" in followed.work(), "an operator need not wait"
    clock.now += 3_700
    zoo.limit = limited(100, 99, 3_600)
    apes.refresh_from_db()
    apes.next_at = int(clock.now)
    apes.save()
    assert "listings/collection/apes/all" in followed.work()


def test_looks_for_changes_are_spread_over_what_is_left_until_the_limit_s_end(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    zoo.limit = limited(100, 10, 1_000)
    clock.now += following.CHANGES_EVERY
    assert followed.work() == ["events/collection/apes"]
    clock.now += 89
    assert followed.work() == []
    clock.now += 3
    assert followed.work() == ["events/collection/apes"]


def test_nothing_is_asked_while_the_limit_is_used_up_and_it_says_that_it_lives(
    followed: Reader, zoo: StandIn, clock: Clock
) -> None:
    zoo.limit = limited(100, 0, 1_000)
    clock.now += following.CHANGES_EVERY
    followed.work()
    zoo.limit = limited(100, 99, 3_600)
    for _ in range(2):
        clock.now += 100
        assert followed.work() == []
        assert BookSource.objects.get().beat_at == int(clock.now)
    clock.now += 801
    assert followed.work() == ["events/collection/apes"]
