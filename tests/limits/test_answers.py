"""Every answer of an operation says what is left, and what is over the limit is refused with when to come again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from core.rest.facts import Cost
from core.rest.shares import one_of_few
from tests.builders import APES, nft
from tests.conftest import Api
from tests.limits.conftest import MakeKey
from tests.operations.promises import given
from tokens.engine import bounds

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("address", [NFTS, TRANSFERS])
OF_APES = {"contractAddress": APES}
Limit = Callable[[str], None]


def told(answer: Any) -> tuple[int, int]:
    """The limit and what is left, of an answer that says both and when there is more."""
    assert 1 <= int(answer["RateLimit-Reset"]) <= 60
    return int(answer["RateLimit-Limit"]), int(answer["RateLimit-Remaining"])


def test_nothing_is_limited_or_told_unless_the_operator_says_so(api: Api) -> None:
    for _ in range(50):
        answer = api.get(NFTS)
    assert answer.status_code == 200
    assert not any(name.lower().startswith("ratelimit") for name in answer.headers)


@BOTH
def test_a_page_a_304_an_error_and_a_head_take_one_and_a_page_for_people_five(
    api: Api, address: str, limit: Limit
) -> None:
    given(nft("1"))
    limit("100/minute")
    page = api.get(address, OF_APES)
    same = api.get(address, OF_APES, if_none_match=page["ETag"])
    wrong = api.get(address, OF_APES | {"limit": "31"})
    head = api.client.head(address, OF_APES)
    people = api.get(address, OF_APES, accept="text/html")
    wrong_for_people = api.get(address, "limit=31", accept="text/html")
    options = api.client.options(address)
    answers = [page, same, wrong, head, people, wrong_for_people, options]
    assert [answer.status_code for answer in answers] == [200, 304, 400, 200, 200, 400, 200]
    assert [told(answer) for answer in answers] == [(100, left) for left in (99, 98, 97, 96, 91, 86, 85)]
    form = api.get(address, "_form=1", accept="text/html")
    assert (form.status_code, told(form)) == (302, (100, 84)), "the page that it leads to takes the rest"


@BOTH
def test_what_no_view_has_seen_takes_nothing_and_tells_all_the_same(
    api: Api, address: str, limit: Limit
) -> None:
    limit("100/minute")
    api.get(address, OF_APES)
    answers = [
        api.get("/api/v1/nothing"),
        api.client.post(address),
        api.get(address, accept="image/png"),
        api.get(address, "format=xml"),
        api.get(address, cookie="c" * 9_000),
        api.client.options(address, headers={"Access-Control-Request-Method": "GET"}),
        api.client.get(address, headers={"host": "elsewhere.example"}),
    ]
    assert [answer.status_code for answer in answers] == [404, 405, 406, 400, 431, 204, 400]
    assert [told(answer) for answer in answers] == [(100, 99)] * 7


@BOTH
def test_while_the_database_is_away_the_503_tells_too(
    api: Api, address: str, limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError("could not connect")

    limit("100/minute")
    monkeypatch.setattr(connection, "cursor", refuse)
    answer = api.get(address, OF_APES)
    assert (answer.status_code, answer["Retry-After"], told(answer)) == (503, "5", (100, 99))


@BOTH
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_over_the_limit_is_a_429_that_says_when_there_is_more(
    api: Api, address: str, accept: str, limit: Limit, clock: time_machine.Traveller
) -> None:
    def ask() -> Any:
        return api.get(address, OF_APES, accept=accept)

    limit("10/minute" if accept == "text/html" else "2/minute")
    assert [ask().status_code for _ in range(2)] == [200, 200]
    with CaptureQueriesContext(connection) as queries:
        refused = ask()
    assert (refused.status_code, told(refused)) == (429, (10 if accept == "text/html" else 2, 0))
    assert len(queries) == 0, "what is refused costs nothing"
    assert len(refused.content) < 2_000, "nor does it draw the form"
    wait = int(refused["Retry-After"])
    assert refused["Retry-After"] == refused["RateLimit-Reset"]
    assert "no-store" in refused["Cache-Control"]
    if accept == "application/json":
        body = refused.json()
        assert body["type"] == "client_error"
        (error,) = body["errors"]
        assert (error["code"], error["attr"]) == ("throttled", None)
    assert f"Try again in {wait} seconds" in refused.content.decode()
    clock.shift(wait - 1)
    assert ask().status_code == 429
    clock.shift(1)
    assert ask().status_code == 200


def test_both_operations_take_of_one_allowance(api: Api, limit: Limit) -> None:
    limit("3/minute")
    statuses = [api.get(address, OF_APES).status_code for address in (NFTS, TRANSFERS, NFTS, TRANSFERS)]
    assert statuses == [200, 200, 200, 429]


def test_the_description_takes_of_it_too_and_health_does_not(api: Api, limit: Limit) -> None:
    """To describe the service takes it longer than a page."""
    limit("10/minute")
    assert told(api.get("/api/v1/schema")) == (10, 5)
    for address in ("/healthz", "/readyz", "/metrics", "/"):
        for _ in range(3):
            answer = api.get(address)
            assert (answer.status_code, "RateLimit-Limit" in answer) == (200, False)
    assert told(api.get("/api/v1/schema")) == (10, 0)
    assert api.get("/api/v1/schema").status_code == 429


def test_addresses_are_counted_apart_as_proxies_tell_them_and_ipv6_by_network(
    api: Api, limit: Limit, settings: LazySettings
) -> None:
    limit("1/minute")
    settings.FORWARDED_ALLOW_IPS = ["10.0.0.0/8"]

    def status(peer: str, forwarded: str = "") -> int:
        headers = {"X-Forwarded-For": forwarded} if forwarded else {}
        found: int = api.client.get(NFTS, OF_APES, REMOTE_ADDR=peer, headers=headers).status_code
        return found

    assert [status("192.0.2.1"), status("192.0.2.2"), status("192.0.2.1")] == [200, 200, 429]
    assert status("192.0.2.2", "203.0.113.9") == 429, "what a stranger says of himself is not believed"
    assert [status("10.0.0.9", "203.0.113.1"), status("10.0.0.9", "203.0.113.2")] == [200, 200]
    assert status("10.0.0.8", "203.0.113.1") == 429, "through another proxy"
    assert status("2001:db8:1:2::1") == 200
    assert status("2001:db8:1:2:ffff::9") == 429, "the same network"
    assert status("2001:db8:1:3::1") == 200


def test_an_expensive_page_takes_twenty_and_one_like_any_other_one(
    api: Api, limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(nft("1", traits=[("Hat", "Red")]), nft("2"))
    limit("50/minute")
    dear = {"excludedTraits": "Hat-Red"}
    assert told(api.get(NFTS, dear)) == (50, 49), "few have it"
    monkeypatch.setattr(bounds, "CHEAP", 0)
    assert told(api.get(NFTS, dear)) == (50, 49 - Cost.EXPENSIVE)
    assert told(api.get(NFTS, {"traits": "Hat-Red"})) == (50, 28)
    assert told(api.get(NFTS, dear)) == (50, 8)
    walked: list[object] = []
    monkeypatch.setattr("tokens.engine.walk.walk", lambda *_: walked.append(1))
    refused = api.get(NFTS, dear)
    assert (refused.status_code, told(refused), walked) == (429, (50, 7), []), "before anything is walked"
    assert int(refused["Retry-After"]) > 0


def test_a_query_that_is_refused_as_too_expensive_takes_one(
    api: Api, limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(nft("1", traits=[("Hat", "Red")]))
    limit("50/minute")
    for name in ("LOOKED_UP", "MOST_MERGED", "SMALL"):
        monkeypatch.setattr(bounds, name, 0)
    refused = api.get(NFTS, {"excludedTraits": "Hat-Red"})
    assert (refused.status_code, told(refused)) == (400, (50, 49))


def test_expensive_pages_without_a_thread_are_told_apart_from_those_over_the_limit(
    api: Api, limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(nft("1", traits=[("Hat", "Red")]), nft("2"))
    limit("50/minute")
    monkeypatch.setattr(bounds, "CHEAP", 0)
    with one_of_few():
        busy = api.get(NFTS, {"excludedTraits": "Hat-Red"})
    assert (busy.status_code, busy["Retry-After"], told(busy)) == (503, "1", (50, 49))


def test_limits_add_no_query_and_a_key_adds_one(api: Api, limit: Limit, make_key: MakeKey) -> None:
    given(nft("1"), nft("2"))
    token = make_key()

    def queries(**headers: str) -> int:
        with CaptureQueriesContext(connection) as found:
            assert api.get(NFTS, OF_APES, **headers).status_code == 200
        return len(found)

    unlimited = queries()
    limit("100/minute")
    assert queries() == unlimited
    for _ in range(3):
        assert queries(x_api_key=token) == unlimited + 1
