"""Prices that change with time: those of the request's second, sorted as of a tick (decisions, section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import ask, rate
from tests.conftest import Api
from tests.operations.promises import NOW, given, ids
from tokens.models import Ask
from tokens.prices.lines import Line
from tokens.store import ticks

pytestmark = pytest.mark.django_db
FALLS: dict[str, Any] = {"endPrice": "1", "priceFrom": NOW, "priceUntil": NOW + 100}
END, LATE = (100, "1", "3"), (1_000_000, "1", "3")
RISES: dict[str, Any] = {"endPrice": "3", "priceFrom": NOW + 50, "priceUntil": NOW + 100}


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    """The ask of 1 falls from 2 to 1 within 100 seconds, that of 2 rises from 1.5 to 3 in the second half of them."""
    with time_machine.travel(NOW, tick=False):
        given(
            rate("ETH", "2000"),
            ask("1", price="2", **FALLS),
            ask("2", price="1.5", **RISES),
            ask("3", price="1.75"),
        )
        yield


def book(api: Api, token: str) -> list[str]:
    return api.nfts(tokenId=token)["data"][0]["orderbook"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("later", "falling", "rising"),
    [
        (0, "2", "1.5"),
        (1, "1.99", "1.5"),
        (50, "1.5", "1.5"),
        (51, "1.49", "1.53"),
        (99, "1.01", "2.97"),
        END,
        LATE,
    ],
)
def test_a_record_shows_the_price_of_the_second(api: Api, later: int, falling: str, rising: str) -> None:
    with time_machine.travel(NOW + later, tick=False):
        assert book(api, "1") == [f"opensea,ETH,{falling}"]
        assert book(api, "2") == [f"opensea,ETH,{rising}"]


@pytest.mark.parametrize("tick", [False, True])
def test_a_price_filter_goes_by_the_price_of_the_second_in_every_order(api: Api, tick: bool) -> None:
    """At 60 seconds they cost 1.4, 1.8 and 1.75; as of the last tick 2, 1.5 and 1.75."""
    with time_machine.travel(NOW + 60, tick=False):
        if tick:
            ticks.tick(NOW + 60)
        for order in ("", "lowestAsk", "highestAsk", "tokenId", "rarity"):
            assert set(ids(api.nfts(priceFilter="eth,,1.4", sortBy=order))) == {"1"}
            assert set(ids(api.nfts(priceFilter="eth,,1.399", sortBy=order))) == set()
            assert set(ids(api.nfts(priceFilter="eth,1.75,1.8", sortBy=order))) == {"2", "3"}
            assert set(ids(api.nfts(priceFilter="eth,2,", sortBy=order))) == set()
            assert set(ids(api.nfts(priceFilter="usd,3600,3600", sortBy=order))) == {"2"}


def test_the_lowest_ask_is_the_one_that_is_lowest_at_this_second(api: Api) -> None:
    """Of an NFT with a fixed ask at 1.5, one that fell below the bounds takes it out of them."""
    given(ask("1", price="1.5", order="0xaa"))
    with time_machine.travel(NOW + 60, tick=False):
        for order in ("", "lowestAsk", "highestAsk"):
            assert ids(api.nfts(priceFilter="eth,1.45,1.6", sortBy=order)) == []
            assert ids(api.nfts(priceFilter="eth,1.3,1.45", sortBy=order)) == ["1"]


def test_an_order_follows_with_the_tick_that_changes_only_what_differs(api: Api) -> None:
    with time_machine.travel(NOW + 60, tick=False):
        assert ids(api.nfts(sortBy="lowestAsk")) == ["2", "3", "1"], "as of the last tick"
        call_command("tick_asks", verbosity=0)
        assert ids(api.nfts(sortBy="lowestAsk")) == ["1", "3", "2"]
        assert ids(api.nfts(sortBy="highestAsk")) == ["1", "3", "2"]
        assert ticks.tick(NOW + 60) == 0
    assert ticks.tick(NOW + 61) == 2


def test_a_price_never_leaves_its_ends_and_is_ticked_no_more_once_it_is_there() -> None:
    assert ticks.tick(NOW + 10_000) == 2
    assert list(Ask.objects.order_by("id").values_list("price", flat=True)) == [1, 3, Decimal("1.75")]
    with CaptureQueriesContext(connection) as queries:
        assert ticks.tick(NOW + 20_000) == 0
    assert len(queries) == 1


def test_an_ask_that_is_not_active_is_not_ticked() -> None:
    given(ask("1", price="2", order=Ask.objects.earliest("id").order_hash, status="cancelled", **FALLS))
    assert ticks.tick(NOW + 60) == 1


@pytest.mark.parametrize(("later", "token", "age"), [(0, "1", 1), (0, "2", 30), (49, "2", 2), (100, "2", 30)])
def test_an_answer_is_kept_no_longer_than_its_prices_hold(
    api: Api, settings: Any, later: int, token: str, age: int
) -> None:
    settings.API_MAX_AGE = 30
    with time_machine.travel(NOW + later, tick=False):
        response = api.get("/api/v1/nfts/by-token", {"tokenId": token})
    assert response["Cache-Control"] == f"public, max-age={age}"


def test_pages_where_no_price_changes_take_no_query_more(api: Api) -> None:
    def count(**query: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            api.nfts(**query)
        return len(queries)

    api.nfts(priceFilter="eth,1,2")
    many = count(priceFilter="eth,1,2")
    ticks.tick(NOW + 100)
    with time_machine.travel(NOW + 101, tick=False):
        assert count(priceFilter="eth,1,2") <= many


@pytest.mark.parametrize(
    ("line", "moment", "price"),
    [
        (Line(10, 0, 0, 3), 1, 7),  # 6.67: what a buyer pays is rounded up, as Seaport does
        (Line(0, 10, 0, 3), 1, 4),
        (Line(10, 0, 0, 3), 2, 4),
        (Line(10, 0, 5, 8), 5, 10),
        (Line(10, 0, 5, 8), 8, 0),
        (Line(10, 0, 8, 5), 6, 10),
        (Line(7, 7, 0, 9), 4, 7),
        (Line(2**256 - 1, 1, 0, 2), 1, 2**255),
    ],
)
def test_a_line_is_rounded_up_and_stays_at_its_ends(line: Line, moment: int, price: int) -> None:
    assert line.at(moment) == price
