"""What is asked of a book's API, how its limits are waited out, and that its key is shown to nobody."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indexing.orders.asking import ATTEMPTS, Asker, SourceError
from indexing.orders.sources import Named, OpenSea, Page, Reservoir, ReservoirFile
from tests.net.played import Answer, Clock
from tests.orders.made_up import APES, AT, SEAPORT_16, in_reservoirs_shape, listing, parameters
from tests.orders.stand_in import KEY, StandIn

FIVE = [listing(parameters(salt=salt)) for salt in range(5)]


@pytest.fixture
def clock() -> Clock:
    """Seconds that pass by sleeping alone."""
    return Clock()


@pytest.fixture
def server() -> Iterator[StandIn]:
    """OpenSea with five apes listed."""
    with StandIn(apes=FIVE) as one:
        yield one


def asker(server: StandIn, clock: Clock, key: str = KEY) -> Asker:
    """Who asks it."""
    return Asker(server.url, headers={"X-API-KEY": key}, sleep=clock.sleep, clock=clock)


def test_a_contract_is_walked_by_the_slug_that_opensea_names_page_by_page(
    server: StandIn, clock: Clock
) -> None:
    source = OpenSea(asker(server, clock), "ethereum")
    assert source.collections(APES) == ["apes"]
    found: list[Any] = []
    cursor: str | None = None
    while not found or cursor is not None:
        page = source.page("apes", cursor)
        cursor = page.cursor
        found += page.orders
    assert found == FIVE
    assert server.asked == [
        f"/api/v2/chain/ethereum/contract/{APES}",
        "/api/v2/listings/collection/apes/all?limit=200",
        "/api/v2/listings/collection/apes/all?limit=200&next=2",
        "/api/v2/listings/collection/apes/all?limit=200&next=4",
    ]


def test_a_chain_is_asked_for_by_opensea_s_name(server: StandIn, clock: Clock) -> None:
    for chain in ("polygon", "apechain"):
        OpenSea(asker(server, clock), chain).collections(APES)
    assert [path.split("/")[4] for path in server.asked] == ["polygon", "ape_chain"]


def test_an_order_is_found_by_its_hash_and_none_where_there_is_none(server: StandIn, clock: Clock) -> None:
    source = OpenSea(asker(server, clock), "ethereum")
    assert source.one(Named(FIVE[3]["order_hash"], SEAPORT_16)) == FIVE[3]
    assert source.one(Named("0x" + "0" * 64, SEAPORT_16)) is None


def test_changes_are_the_listings_that_the_events_name(server: StandIn, clock: Clock) -> None:
    named = [{"order_hash": one["order_hash"], "protocol_address": SEAPORT_16} for one in FIVE[:3]]
    server.events = [*named, {"order_hash": None}, {}]
    found = list(OpenSea(asker(server, clock), "ethereum").changes("apes", AT))
    assert found == [Named(one["order_hash"], SEAPORT_16) for one in FIVE[:3]]
    assert server.asked[0] == f"/api/v2/events/collection/apes?event_type=listing&after={AT}&limit=200"


LIMITED: dict[str, tuple[dict[str, str], list[float]]] = {
    "as long as it asks": ({"Retry-After": "7"}, [7.0]),
    "to the reset, in seconds": ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800"}, [1800.0]),
    "a while where it tells nothing": ({}, [2.0]),
    "a while where it tells nonsense": ({"Retry-After": "soon", "X-RateLimit-Reset": "-5"}, [2.0]),
}


@pytest.mark.parametrize(("headers", "slept"), LIMITED.values(), ids=LIMITED)
def test_a_limit_is_waited_out(
    headers: dict[str, str], slept: list[float], server: StandIn, clock: Clock
) -> None:
    server.script.append(Answer(b"", 429, headers))
    assert OpenSea(asker(server, clock), "ethereum").page("apes", None).orders == FIVE[:2]
    assert clock.slept == slept


def test_who_has_none_left_waits_before_the_next_request(server: StandIn, clock: Clock) -> None:
    clock.now = AT
    headers = {"X-RateLimit-Limit": "600", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(AT + 90)}
    server.script.append(Answer({"listings": []}, 200, headers))
    one = asker(server, clock)
    source = OpenSea(one, "ethereum")
    assert source.page("apes", None) == Page([], None)
    assert (clock.slept, one.limit.most, one.limit.left) == ([], 600, 0)
    source.page("apes", None)
    assert clock.slept == [90]


def test_a_limit_that_never_ends_is_a_fault(server: StandIn, clock: Clock) -> None:
    server.script.extend([Answer(b"", 429, {"Retry-After": "60"})] * 80)
    with pytest.raises(SourceError, match="HTTP 429, for longer than is waited"):
        OpenSea(asker(server, clock), "ethereum").page("apes", None)
    assert sum(clock.slept) == 3960


def test_what_may_pass_is_tried_again_and_what_will_not_is_not(server: StandIn, clock: Clock) -> None:
    source = OpenSea(asker(server, clock), "ethereum")
    server.script.extend([Answer(b"", 503)] * (ATTEMPTS - 1))
    assert source.page("apes", None).orders == FIVE[:2]
    assert clock.slept == [2, 4, 8, 16]
    server.script.extend([Answer(b"", 503)] * ATTEMPTS)
    with pytest.raises(SourceError, match="HTTP 503"):
        source.page("apes", None)
    server.asked.clear()
    with pytest.raises(SourceError, match="HTTP 404"):
        source.page("nobody", None)
    assert len(server.asked) == 1


WRONG: dict[str, tuple[Any, str]] = {
    "no JSON": (b"<html>", "the answer is no JSON"),
    "no object": ([], "the answer has no list of `listings`"),
    "no list": ({"listings": {}}, "the answer has no list of `listings`"),
    "a cursor that is none": ({"listings": [], "next": 5}, "the answer has no usable `next`"),
    "an endless cursor": ({"listings": [], "next": "x" * 5000}, "the answer has no usable `next`"),
}


@pytest.mark.parametrize(("body", "why"), WRONG.values(), ids=WRONG)
def test_an_answer_of_another_shape_is_a_fault(body: Any, why: str, server: StandIn, clock: Clock) -> None:
    server.script.append(Answer(body))
    with pytest.raises(SourceError, match=why):
        OpenSea(asker(server, clock), "ethereum").page("apes", None)


@pytest.mark.parametrize("slug", ["", None, 5, "x" * 300])
def test_a_contract_without_a_slug_is_a_fault(slug: Any, server: StandIn, clock: Clock) -> None:
    server.slugs[APES] = slug
    with pytest.raises(SourceError, match="names no collection"):
        OpenSea(asker(server, clock), "ethereum").collections(APES)


def test_neither_messages_nor_logs_show_the_key(
    server: StandIn, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(SourceError) as refused:
        OpenSea(asker(server, clock, KEY + "-wrong"), "ethereum").page("apes", None)
    assert refused.value.status == 401
    OpenSea(asker(server, clock), "ethereum").page("apes", None)
    server.script.append(Answer(KEY.encode(), 500))
    assert KEY not in str(refused.value) + caplog.text


def test_an_indexer_in_reservoirs_shape_is_walked_by_the_contract(clock: Clock) -> None:
    asks = [in_reservoirs_shape(parameters(salt=salt)) for salt in range(3)]
    with StandIn(asks=asks) as server:
        source = Reservoir(asker(server, clock))
        first = source.page(source.collections(APES)[0], None)
        assert first == Page(asks[:2], "2")
        assert source.page(APES, first.cursor) == Page(asks[2:], None)
        assert source.one(Named(asks[0]["id"], SEAPORT_16)) == asks[0]
    assert server.asked[1] == (
        f"/orders/asks/v5?contracts={APES}&status=active&includeRawData=true&limit=1000&continuation=2"
    )


@pytest.mark.parametrize("by_line", [False, True])
def test_a_file_of_answers_is_walked_alike(by_line: bool, tmp_path: Path) -> None:
    asks = [in_reservoirs_shape(parameters(salt=salt)) for salt in range(401)]
    parts = [asks[:300], asks[300:]] if by_line else [asks]
    path = tmp_path / "asks.json"
    path.write_text("\n".join(json.dumps({"orders": part, "continuation": "x"}) for part in parts))
    source = ReservoirFile(path)
    first = source.page(APES, None)
    second = source.page(APES, first.cursor)
    assert source.page(APES, second.cursor) == Page(asks[400:], None)
    assert [*first.orders, *second.orders] == asks[:400]
    assert source.one(Named(asks[7]["id"], SEAPORT_16)) == asks[7]


def test_a_file_that_is_none_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "asks.json"
    with pytest.raises(SourceError, match="Cannot read"):
        ReservoirFile(path)
    path.write_text("{")
    with pytest.raises(SourceError, match="is no JSON"):
        ReservoirFile(path)
