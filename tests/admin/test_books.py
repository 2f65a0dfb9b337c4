"""Order books in the admin: what each contract's book is like, and what an operator can have done about it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from indexing.admin import books
from indexing.models import BookSource, BookWalk
from tests.admin.conftest import Operator
from tests.admin.everything import send
from tests.builders import ALICE, APES, BOB, ask, load_lines
from tokens.models import Chain

pytestmark = pytest.mark.django_db
NOW = 1_700_000_000
TABLE = "indexing/bookwalk"


@pytest.fixture(autouse=True)
def still() -> object:
    """The clock stands."""
    with time_machine.travel(NOW, tick=False):
        yield


def book(address: str = APES, **fields: Any) -> BookWalk:
    """A book of OpenSea's."""
    return BookWalk.objects.create(
        chain=Chain.objects.get(slug="ethereum"), source="opensea", address=address, **fields
    )


def shown(operator: Operator, address: str) -> str:
    """The text of a page, in one line."""
    return re.sub(r"\s+", " ", unescape(strip_tags(operator.page(address))))


def told(number: int, **fields: Any) -> Any:
    """An ask of which OpenSea told."""
    return ask(str(number), source="opensea", seenAt=5, maker=ALICE, **fields)


def test_a_book_says_how_it_stands_and_why_its_asks_are_live_or_not(operator: Operator) -> None:
    load_lines(
        [
            told(1),
            told(2),
            told(3, taker=BOB),
            told(4, status="cancelled"),
            told(5, goneAt=9),
            told(6, validUntil=NOW - 1),
            ask("7"),
        ]
    )
    walk = book(
        read_at=NOW - 90,
        state="failed",
        attempts=2,
        next_at=NOW + 60,
        fault="HTTP 503",
        last_shown=6,
        last_shown_of={"apes": 6},
        sales=4,
    )
    page = shown(operator, f"{TABLE}/{walk.pk}/change/")
    for said in (
        "failed: something went wrong; it is tried again, later each time",
        "2023-11-14 22:11:50",
        "apes: 6",
        "HTTP 503",
        "Live: 2",
        "Not live: it is for one buyer alone: 1",
        "Not live: it was cancelled: 1",
        "Not live: its source shows it no more: 1",
        "Not live: its time is over: 1",
    ):
        assert said in page, said
    assert "HTTP 503" in shown(operator, f"{TABLE}/")


def test_asks_are_counted_up_to_a_limit_by_few_queries(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "COUNTED", 3)
    walk = book()
    load_lines([told(1)])
    operator.page(f"{TABLE}/{walk.pk}/change/")
    with CaptureQueriesContext(connection) as few:
        operator.page(f"{TABLE}/{walk.pk}/change/")
    load_lines([told(number) for number in range(9)])
    with CaptureQueriesContext(connection) as many:
        page = shown(operator, f"{TABLE}/{walk.pk}/change/")
    assert len(many) == len(few) <= 10
    assert "more than 3" in page


def test_a_list_takes_no_more_queries_for_more_books(operator: Operator) -> None:
    counts = []
    for numbers in (range(2), range(2, 60)):
        for number in numbers:
            book("0x" + f"{number:040x}")
        operator.page(f"{TABLE}/")
        with CaptureQueriesContext(connection) as queries:
            operator.page(f"{TABLE}/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6


def test_a_book_that_is_added_is_read_before_all_others(operator: Operator) -> None:
    chain = Chain.objects.get(slug="ethereum").pk
    address = APES.upper().replace("0X", "0x")
    send(
        operator,
        f"/admin/{TABLE}/add/",
        chain=chain,
        source="opensea",
        address=f" {address} ",
        named="a, b,, a",
    )
    found = BookWalk.objects.get()
    assert (found.address, found.named, found.requested_at, found.next_at) == (APES, ["a", "b"], NOW, NOW)
    assert operator.found(TABLE, APES) == [found.pk]


WRONG = {
    "no address": {"address": "apes"},
    "no source of ours": {"source": "blur"},
    "a slug without end": {"named": "a" * 300},
    "known already": {"address": BOB},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_what_is_no_book_is_not_added(change: dict[str, str], operator: Operator) -> None:
    book(BOB)
    form = {"chain": Chain.objects.get(slug="ethereum").pk, "source": "opensea", "address": APES, "named": ""}
    response = operator.client.post(f"/admin/{TABLE}/add/", form | change)
    assert response.status_code == 200
    assert BookWalk.objects.count() == 1


def test_saving_a_book_changes_nothing_that_the_reader_writes(operator: Operator) -> None:
    walk = book(cursor="abc", pages=7, state="walking", began_at=NOW - 5)
    send(
        operator, f"/admin/{TABLE}/{walk.pk}/change/", named="kittens", cursor="x", state="stopped", pages="1"
    )
    found = BookWalk.objects.get()
    assert (found.named, found.cursor, found.pages, found.state) == (["kittens"], "abc", 7, "walking")


def test_the_button_reads_again_what_failed_or_was_stopped_at_once(operator: Operator) -> None:
    failed = book(state="failed", attempts=9, next_at=NOW + 9_999)
    stopped = book(BOB, state="stopped")
    text = operator.act(TABLE, "walk_again", failed.pk, stopped.pk)
    assert "2 book(s) will be read next." in text
    for walk in BookWalk.objects.all():
        assert (walk.state, walk.attempts, walk.next_at, walk.requested_at) == ("waiting", 0, NOW, NOW)
    operator.act(TABLE, "stop", failed.pk)
    assert BookWalk.objects.get(pk=failed.pk).state == "stopped"
    assert "Asked for it to be read again." in shown(operator, "admin/logentry/")


def test_a_source_says_whether_a_reader_is_at_work_and_how_far_the_limit_is_used(operator: Operator) -> None:
    BookSource.objects.create(
        chain=Chain.objects.get(slug="ethereum"),
        source="opensea",
        beat_at=NOW - 3,
        pages_total=1_700,
        faults_total=2,
        limit_most=600,
        limit_left=450,
        limit_resets_at=NOW + 60,
    )
    page = shown(operator, "indexing/booksource/")
    for said in ("2023-11-14 22:13:17", "150 of 600 requests (25%), anew at 2023-11-14 22:14:20 UTC", "1700"):
        assert said in page, said
