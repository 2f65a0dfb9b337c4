"""Books that are kept current: in turn, within the limits that a source tells of, and whatever goes wrong with one."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from indexing.models import BookWalk
from indexing.orders import following, queue
from indexing.orders.following import Follower
from indexing.orders.sources import OpenSea
from indexing.orders.walking import Walker, only_walker
from tests.builders import load_lines, transfer
from tests.net.played import Clock
from tests.orders.apes import FIVE, ethereum, hashes, live
from tests.orders.made_up import APES, AT
from tests.orders.reading import CAT, CATS, DOGS, Reader, book, state
from tests.orders.stand_in import KEY, StandIn
from tokens.models import Ask

pytestmark = pytest.mark.django_db


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
    reader: Reader, zoo: StandIn
) -> None:
    book(APES)
    assert reader.follower.step()
    cats = book(CATS, next_at=AT + 50)
    queue.request([cats.pk], AT)
    assert reader.walked() == [CATS, APES]
    assert sum("/collection/apes/" in one for one in zoo.asked) == 1, "its first page was read before"


def test_a_request_while_the_book_is_read_has_it_read_once_more(reader: Reader, clock: Clock) -> None:
    apes = book(APES)
    assert reader.follower.step()
    clock.now += 1
    queue.request([apes.pk], int(clock.now))
    assert reader.walked() == [APES, APES]
    assert BookWalk.objects.get().requested_at is None


def test_a_book_that_fails_waits_longer_each_time_and_keeps_no_other_from_being_read(
    reader: Reader, zoo: StandIn, clock: Clock
) -> None:
    book(APES)
    book(CATS)
    del zoo.slugs[APES]
    assert sorted(reader.walked()) == sorted([APES, CATS])
    assert state() == ("failed", 1, AT + 60)
    assert "HTTP 404" in BookWalk.objects.get(address=APES).fault
    assert state(CATS)[0] == "waiting"
    clock.now += 60
    assert reader.walked() == [APES]
    assert state() == ("failed", 2, AT + 60 + 120)
    zoo.slugs[APES] = "apes"
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


def test_a_reader_of_some_books_leaves_the_others(zoo: StandIn, clock: Clock) -> None:
    book(APES)
    book(CATS)
    assert Reader(zoo, clock, CATS).walked() == [CATS]


@pytest.fixture
def opensea(zoo: StandIn, settings: Any) -> StandIn:
    """The stand-in as the settings name it."""
    settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = zoo.url, KEY
    return zoo


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
