"""A book at a stand-in for OpenSea that changes, limits, fails and lies, read into the tables all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import ValidationError

from indexing.models import BookWalk
from indexing.orders.asking import Asker
from indexing.orders.sources import Named, OpenSea
from indexing.orders.walking import Walker
from tests.net.played import Clock
from tests.orders import described, lies
from tests.orders.made_up import APES, AT, BUYER, SEAPORT_16, item, listing, money, parameters
from tests.orders.stand_in import KEY
from tests.orders.vendor import BUSY, Vendor
from tokens.models import Ask
from tokens.store import chains

pytestmark = pytest.mark.django_db
BOOK = 25


def of(token_id: int, **changes: Any) -> dict[str, Any]:
    """An ask for an ape, as the API's document has it: with a counter that is an integer."""
    return listing(parameters(offer=[item(2, APES, token_id, 1)], counter=0), order_created_at=AT) | changes


@pytest.fixture
def clock() -> Clock:
    """Seconds that pass by sleeping alone."""
    clock = Clock()
    clock.now = AT
    return clock


@pytest.fixture
def vendor(clock: Clock) -> Iterator[Vendor]:
    """OpenSea with 25 apes, ten on a page, and twenty requests an hour."""
    with Vendor({APES: "apes"}, most=20, clock=clock) as one:
        one.per_page = 10
        one.put("apes", *map(of, range(BOOK)))
        yield one


@pytest.fixture
def source(vendor: Vendor, clock: Clock) -> OpenSea:
    """Who asks it."""
    return OpenSea(Asker(vendor.url, headers={"X-API-KEY": KEY}, sleep=clock.sleep, clock=clock), "ethereum")


@pytest.fixture
def walk(source: OpenSea, clock: Clock) -> Callable[[], BookWalk]:
    """Walks the apes, a minute after the last time."""

    def once() -> BookWalk:
        clock.now += 60
        return Walker(source, chains.known()["ethereum"], clock=clock).walk(APES)

    return once


def live() -> set[str]:
    """The hashes of live asks."""
    return set(Ask.objects.filter(active=True).values_list("order_hash", flat=True))


def hashes(*listings: dict[str, Any]) -> set[str]:
    """Of listings."""
    return {one["order_hash"] for one in listings}


ALL = hashes(*map(of, range(BOOK)))


def test_every_answer_and_every_request_is_as_opensea_describes_them(
    vendor: Vendor, source: OpenSea, walk: Callable[[], BookWalk], clock: Clock
) -> None:
    many = parameters(offer=[item(3, APES, 7, 10)], consideration=[money(100, 50)], counter=2**128)
    private = parameters(consideration=[money(5), item(2, APES, 7, 1) | {"recipient": BUYER}], counter=0)
    vendor.put("apes", listing(many), listing(private), of(3, status="INACTIVE"))
    vendor.moods.extend([BUSY, vendor.limited(3)])
    walk()
    assert len(list(source.changes("apes", AT))) == BOOK
    assert source.one(Named(of(3)["order_hash"], SEAPORT_16)) is not None
    assert source.one(Named("0x" + "0" * 64, SEAPORT_16)) is None
    for address in ("/api/v2/listings/collection/nobody/all", "/api/v2/listings/collection/apes/all?next=x"):
        vendor.answer(address)
    for address, answer in vendor.exchanges:
        described.check(address, answer.status, answer.body)
    assert {answer.status for _, answer in vendor.exchanges} == {200, 400, 404, 429, 503}
    with pytest.raises(ValidationError):
        described.check("/api/v2/listings/collection/apes/all", 200, {"listings": [of(1, price="1")]})
    with pytest.raises(AssertionError, match="knows no page"):
        described.check("/api/v2/listings/collection/apes/all?page=2", 200, {"listings": []})


def test_limits_faults_and_pages_that_overlap_only_take_longer(
    vendor: Vendor, walk: Callable[[], BookWalk], clock: Clock
) -> None:
    vendor.overlaps, vendor.moods = 3, type(vendor.moods)([BUSY, vendor.limited(5), BUSY])
    found = walk()
    assert (live(), found.pages, found.shown) == (ALL, 4, BOOK + 9)
    assert clock.slept == [2, 5, 4]
    for _ in range(6):
        assert walk().ended == 0
    assert live() == ALL
    assert vendor.refused == 0, "who heeds what the headers say is never refused"
    assert 3000 < max(clock.slept) <= 3600, "and waits for the hour's end where none are left"


def test_what_comes_and_goes_while_one_walks_is_right_after_the_next_walk_and_harms_nothing_else(
    vendor: Vendor, walk: Callable[[], BookWalk]
) -> None:
    walk()
    seen, gone = of(24), of(0)  # the newest is on the first page, the oldest on the last
    new = [of(100), of(101)]

    def turn() -> None:
        vendor.turn = lambda: None
        vendor.put("apes", *new)
        vendor.withdraw(seen["order_hash"])
        vendor.withdraw(gone["order_hash"])

    vendor.turn = turn
    assert walk().ended == 1, "what was passed already was shown"
    assert live() == ALL - hashes(gone)
    assert walk().ended == 1
    assert live() == ALL - hashes(gone, seen) | hashes(*new)
    vendor.say(gone["order_hash"], status="ACTIVE")
    walk()
    assert live() == ALL - hashes(seen) | hashes(*new)


def test_lies_among_a_book_are_refused_and_harm_nothing(
    vendor: Vendor, walk: Callable[[], BookWalk], clock: Clock
) -> None:
    walk()
    before = list(Ask.objects.order_by("id").values("order_hash", "price", "maker", "active", "valid_until"))
    foreign = listing(parameters(offer=[item(2, lies.FOREIGN, 7, 1)], counter=0))
    told = lies.refused(of(7))
    for one in told.values():
        vendor.listings["apes"].append(one)
    odd = of(7) | {"price": None, "remaining_quantity": "x", "asset": 5, "type": {}}
    vendor.listings["apes"] += [foreign, odd]
    clock.now += 3600
    found = walk()
    assert found.refused == len(told) == sum(found.refusals.values())
    assert found.refusals["has not the hash that is stated: what is shown has …"] == 6, "whatever it is"
    after = list(Ask.objects.order_by("id").values("order_hash", "price", "maker", "active", "valid_until"))
    assert after == before
    assert live() == ALL


def test_a_counter_is_one_and_the_same_as_an_integer_and_in_hexadecimal_digits(
    vendor: Vendor, walk: Callable[[], BookWalk]
) -> None:
    counter = 0x3FBC << 112 | 0x35F5
    one, other = (listing(parameters(counter=told), order_created_at=AT) for told in (counter, hex(counter)))
    assert one["order_hash"] == other["order_hash"]
    for told in (one, other):
        vendor.put("apes", told)
        walk()
        assert Ask.objects.get(order_hash=one["order_hash"]).nonce == counter
    assert live() == ALL | hashes(one)


def test_a_page_takes_as_many_statements_whatever_it_holds_and_writes_none_of_what_is_known(
    vendor: Vendor, walk: Callable[[], BookWalk]
) -> None:
    walk()
    counted = []
    for more, size in ((0, 5), (95, 24)):  # five pages of five orders, and five of 24
        vendor.put("apes", *map(of, range(BOOK, BOOK + more)))
        vendor.per_page = size
        new: list[str] = []
        known: list[str] = []
        for statements in (new, known):
            with CaptureQueriesContext(connection) as queries:
                assert walk().pages == 5
            statements += [one["sql"] for one in queries]
        written = [sql for sql in known if sql.startswith(("INSERT", "UPDATE", "DELETE"))]
        assert all(" " + '"indexing_book' in sql for sql in written), "only how far the walk is"
        counted.append(len(known))
    assert counted[0] == counted[1] < 5 * 30
    assert live() == ALL | hashes(*map(of, range(BOOK, BOOK + 95)))
