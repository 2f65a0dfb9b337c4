"""Books that are kept current: in turn, within the limits that a source tells of, and whatever goes wrong with one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from indexing.models import BookSource, BookWalk
from indexing.orders import following, queue
from indexing.orders.asking import Asker
from indexing.orders.following import Follower
from indexing.orders.sources import OpenSea
from indexing.orders.walking import Walker, only_walker
from tests.builders import load_lines, transfer
from tests.net.played import Answer, Clock
from tests.orders.made_up import APES, AT, item, listing, parameters
from tests.orders.stand_in import KEY, StandIn
from tests.orders.test_walks import FIVE, ethereum, hashes, live, of
from tokens.models import Ask

pytestmark = pytest.mark.django_db
CATS, DOGS = "0x" + "ca" * 20, "0x" + "d0" * 20
CAT, DOG = (listing(parameters(offer=[item(2, one, 1, 1)])) for one in (CATS, DOGS))


@pytest.fixture
def clock() -> Clock:
    """A clock that only sleeping moves."""
    clock = Clock()
    clock.now = AT
    return clock


@pytest.fixture
def server() -> Iterator[StandIn]:
    """OpenSea with five apes, a cat and a dog listed."""
    with StandIn(apes=list(FIVE), cats=[CAT], dogs=[DOG]) as one:
        one.slugs |= {CATS: "cats", DOGS: "dogs"}
        one.per_page = 3
        yield one


class Reader:
    """A follower over the stand-in, with what it told."""

    def __init__(self, server: StandIn, clock: Clock, *among: str) -> None:
        self.server, self.clock = server, clock
        self.told: list[tuple[str, str]] = []
        self.source = OpenSea(
            Asker(server.url, headers={"X-API-KEY": KEY}, sleep=clock.sleep, clock=clock), "ethereum"
        )
        walker = Walker(self.source, ethereum(), clock=clock)
        self.follower = Follower(
            walker, among=among, tell=lambda *one: self.told.append((one[0].address, one[1]))
        )

    def work(self) -> list[str]:
        """Do all that is due; return what the source was asked for, without what is the same of all."""
        self.server.asked.clear()
        while self.follower.step():
            pass
        return [one.removeprefix("/api/v2/").partition("?")[0] for one in self.server.asked]

    def walked(self) -> list[str]:
        """Do all that is due; return which books were walked to their ends, in order."""
        self.told.clear()
        self.work()
        return [address for address, _ in self.told]


@pytest.fixture
def reader(server: StandIn, clock: Clock) -> Reader:
    """Reads all that is known."""
    return Reader(server, clock)


def book(address: str, **fields: Any) -> BookWalk:
    """A book of OpenSea's."""
    return BookWalk.objects.create(chain_id=ethereum().id, source="opensea", address=address, **fields)


def state(address: str = APES) -> tuple[str, int, int]:
    """State, attempts and when a book is due."""
    one = BookWalk.objects.get(address=address)
    return one.state, one.attempts, one.next_at


def test_a_book_that_is_added_while_it_runs_is_read_and_again_once_it_is_due(
    reader: Reader, clock: Clock
) -> None:
    assert reader.walked() == []
    book(APES)
    assert reader.walked() == [APES]
    assert state() == ("waiting", 0, AT + queue.EVERY)
    assert live() == hashes(FIVE)
    assert reader.walked() == []
    clock.now += queue.EVERY
    assert reader.walked() == [APES]


def test_what_an_operator_asks_for_comes_first_then_what_sells_then_the_one_that_waits_longest(
    reader: Reader, clock: Clock
) -> None:
    load_lines([transfer("1", DOGS, transferType="sale", timestamp=AT - 100)])
    apes, cats, dogs = (queue.add(ethereum().id, "opensea", one, [], AT) for one in (APES, CATS, DOGS))
    BookWalk.objects.filter(pk=apes.pk).update(next_at=AT - 5)
    BookWalk.objects.filter(pk=cats.pk).update(next_at=AT - 9)
    assert reader.walked() == [DOGS, CATS, APES]
    clock.now += queue.EVERY
    queue.request([apes.pk], int(clock.now))
    assert reader.walked()[:2] == [APES, DOGS]
    assert dogs.sales == 1


def test_what_never_sells_is_not_left_for_more_than_a_day(reader: Reader) -> None:
    book(APES, sales=50)
    book(CATS, next_at=AT - queue.DAY - 1)
    assert reader.walked() == [CATS, APES]


def test_a_request_goes_before_a_walk_that_is_under_way_which_then_goes_on(
    reader: Reader, server: StandIn
) -> None:
    book(APES)
    assert reader.follower.step()
    cats = book(CATS, next_at=AT + 50)
    queue.request([cats.pk], AT)
    assert reader.walked() == [CATS, APES]
    assert sum("/collection/apes/" in one for one in server.asked) == 1, "its first page was read before"


def test_a_request_while_the_book_is_read_has_it_read_once_more(reader: Reader, clock: Clock) -> None:
    apes = book(APES)
    assert reader.follower.step()
    clock.now += 1
    queue.request([apes.pk], int(clock.now))
    assert reader.walked() == [APES, APES]
    assert BookWalk.objects.get().requested_at is None


def test_a_book_that_fails_waits_longer_each_time_and_keeps_no_other_from_being_read(
    reader: Reader, server: StandIn, clock: Clock
) -> None:
    book(APES)
    book(CATS)
    del server.slugs[APES]
    assert sorted(reader.walked()) == sorted([APES, CATS])
    assert state() == ("failed", 1, AT + 60)
    assert "HTTP 404" in BookWalk.objects.get(address=APES).fault
    assert state(CATS)[0] == "waiting"
    clock.now += 60
    assert reader.walked() == [APES]
    assert state() == ("failed", 2, AT + 60 + 120)
    server.slugs[APES] = "apes"
    queue.request([BookWalk.objects.get(address=APES).pk], int(clock.now))
    assert state() == ("waiting", 0, int(clock.now))
    assert reader.walked() == [APES]
    assert BookWalk.objects.get(address=APES).fault == ""


def test_a_defect_of_the_service_on_one_book_is_that_book_s_fault_alone(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = OpenSea.read

    def fail(self: OpenSea, order: Any, *rest: Any) -> Any:
        if order is CAT or order["order_hash"] == CAT["order_hash"]:
            raise ZeroDivisionError
        return read(self, order, *rest)

    monkeypatch.setattr(OpenSea, "read", fail)
    book(CATS)
    book(APES)
    reader.work()
    assert state(CATS) == ("failed", 1, AT + 60)
    assert BookWalk.objects.get(address=CATS).fault == following.DEFECT
    assert state()[0] == "waiting"


def test_a_database_that_is_away_is_no_fault_of_a_book(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("gone")

    book(CATS)
    monkeypatch.setattr(Walker, "step", away)
    with pytest.raises(OperationalError):
        reader.work()
    assert state(CATS) == ("waiting", 0, 0)


def test_a_book_that_is_stopped_is_left_also_in_the_middle_until_somebody_asks_for_it(
    reader: Reader, clock: Clock
) -> None:
    apes = book(APES)
    assert reader.follower.step()
    assert state()[0] == "walking"
    queue.stop([apes.pk])
    clock.now += 9_999
    assert reader.work() == []
    queue.request([apes.pk], int(clock.now))
    assert reader.walked() == [APES, APES], "what was begun, and what was asked for"


def test_a_reader_of_some_books_leaves_the_others(server: StandIn, clock: Clock) -> None:
    book(APES)
    book(CATS)
    assert Reader(server, clock, CATS).walked() == [CATS]


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
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    server.listings["apes"].append(of(9))
    server.events = [listed(of(9)), listed(FIVE[0])]
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
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    server.listings["apes"][0] = of(0, status="CANCELLED")
    server.events = [listed(FIVE[0]) | {"order_type": "cancel"}, listed(FIVE[1]) | {"order_type": "cancel"}]
    for looks in (2, 0):
        clock.now += following.CHANGES_EVERY
        assert len(followed.work()) == 1 + looks
        assert live() == hashes(FIVE[1:]), "the other one still stands by the source's own word"


def test_an_order_of_which_the_source_cannot_tell_yet_is_asked_for_again_and_a_refused_one_is_not(
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    bundle = listing(parameters(offer=[item(2, APES, 8, 1), item(2, APES, 9, 1)]))
    server.events = [listed(of(9)), listed(bundle)]
    server.listings["hidden"] = [bundle]
    for looks in (2, 1):
        clock.now += following.CHANGES_EVERY
        assert len(followed.work()) == 1 + looks
    server.listings["apes"].append(of(9))
    clock.now += following.CHANGES_EVERY
    followed.work()
    assert live() == hashes([*FIVE, of(9)])


def test_what_is_listed_while_a_book_is_walked_is_not_gone_since_no_page_shows_it(
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    clock.now += following.CHANGES_EVERY
    server.events = [listed(of(9))]
    server.listings["elsewhere"] = [of(9)]
    queue.request([BookWalk.objects.get().pk], int(clock.now))
    assert followed.walked() == [APES]
    assert of(9)["order_hash"] in live()
    assert BookWalk.objects.get().ended == 0


def test_where_much_is_new_some_of_it_is_looked_at_and_the_book_is_walked(
    followed: Reader, server: StandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST_LOOKS", 2)
    more = [of(token) for token in range(10, 16)]
    server.listings["apes"] += more
    server.events = [listed(one) for one in more]
    clock.now += following.CHANGES_EVERY
    assert sum("/protocol/" in one for one in followed.work()) == 2
    assert live() == hashes([*FIVE, *more])


def test_changes_that_cannot_be_read_leave_the_book_to_its_walks(
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    server.script.append(Answer({"errors": ["No"]}, 403))
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
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    """3,600 seconds of one book are 90 looks; of 100 requests, half are kept at most."""
    server.limit = limited(100, 50, 3_600)
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
    server.limit = limited(100, 99, 3_600)
    apes.refresh_from_db()
    apes.next_at = int(clock.now)
    apes.save()
    assert "listings/collection/apes/all" in followed.work()


def test_looks_for_changes_are_spread_over_what_is_left_until_the_limit_s_end(
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    server.limit = limited(100, 10, 1_000)
    clock.now += following.CHANGES_EVERY
    assert followed.work() == ["events/collection/apes"]
    clock.now += 89
    assert followed.work() == []
    clock.now += 3
    assert followed.work() == ["events/collection/apes"]


def test_nothing_is_asked_while_the_limit_is_used_up_and_it_says_that_it_lives(
    followed: Reader, server: StandIn, clock: Clock
) -> None:
    server.limit = limited(100, 0, 1_000)
    clock.now += following.CHANGES_EVERY
    followed.work()
    server.limit = limited(100, 99, 3_600)
    for _ in range(2):
        clock.now += 100
        assert followed.work() == []
        assert BookSource.objects.get().beat_at == int(clock.now)
    clock.now += 801
    assert followed.work() == ["events/collection/apes"]


@pytest.fixture
def opensea(server: StandIn, settings: Any) -> StandIn:
    """The stand-in as the settings name it."""
    settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = server.url, KEY
    return server


def test_the_command_follows_what_is_named_and_ends_when_it_is_told_to(
    opensea: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    book(CATS)
    step = Follower.step
    steps: list[bool] = []

    def stop_when_idle(self: Follower) -> bool:
        steps.append(step(self))
        if not steps[-1]:
            raise following.StoppedError
        return True

    monkeypatch.setattr(Follower, "step", stop_when_idle)
    with pytest.raises(SystemExit):
        call_command("sync_asks", "--follow", "--contract", APES)
    told = capsys.readouterr()
    assert f"{APES}: 5 asks on 2 pages" in told.out
    assert "Stopped." in told.err
    assert state(CATS) == ("waiting", 0, 0), "it keeps to what is named"
    with pytest.raises(SystemExit):
        call_command("sync_asks", "--follow")
    assert f"{CATS}: 1 asks" in capsys.readouterr().out


def test_what_is_named_to_a_second_command_is_read_first_by_who_is_at_it(
    opensea: StandIn, reader: Reader
) -> None:
    book(APES, sales=9)
    with (
        only_walker("opensea", ethereum()),
        pytest.raises(CommandError, match=r"Another process reads .* It reads what is named first"),
    ):
        call_command("sync_asks", "--contract", CATS, "--collection", "kittens")
    opensea.listings["kittens"] = []
    assert reader.walked() == [CATS, APES]
    assert BookWalk.objects.get(address=CATS).named == ["kittens"]


def test_a_run_without_names_leaves_what_was_stopped_and_one_that_names_it_does_not(opensea: StandIn) -> None:
    queue.stop([book(CATS).pk])
    book(APES)
    call_command("sync_asks", "-v0")
    assert set(Ask.objects.values_list("order_hash", flat=True)) == hashes(FIVE)
    call_command("sync_asks", "-v0", "--contract", CATS)
    assert live() == hashes([*FIVE, CAT])
    assert state(CATS)[0] == "waiting"
