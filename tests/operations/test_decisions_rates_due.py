"""Rates dated ahead: they count from their second on, though nothing is loaded then (decisions, section 4)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import example
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from core.db.keys import uint_key
from tests.builders import START, ask, rate
from tests.conftest import Api
from tests.operations.promises import NOW, given, ids, pages
from tokens.models import Ask, Currency
from tokens.prices.currency_worths import DueRates, due_rates
from tokens.prices.pricing import Worth

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    """One ETH is worth 2,000 USDC, and 60 seconds from now a USDC will be worth 3,000 USD."""
    with time_machine.travel(NOW, tick=False):
        given(
            rate("ETH", "2000", START),
            rate("USDC", "1", START),
            rate("USDC", "3000", NOW + 60),
            ask("1", price="1"),
            ask("2", currency="USDC", price="1"),
            ask("3", currency="USDC", price="0.5"),
            ask("3", price="5", order="0xaa"),
        )
        yield


def test_an_order_by_asks_turns_at_the_second_of_the_rate(api: Api) -> None:
    assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "2", "1"]
    with time_machine.travel(NOW + 59, tick=False):
        assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "2", "1"]
    with time_machine.travel(NOW + 60, tick=False):
        assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "1", "2"], "0.75, 1 and 1.5 ETH"
        assert ids(api.nfts(sortBy="highestAsk")) == ["1", "2", "3"]


def test_pages_go_on_where_they_were_at_rates_that_have_come_due(api: Api) -> None:
    with time_machine.travel(NOW + 60, tick=False):
        assert [ids(page) for page in pages(api, sortBy="lowestAsk", limit="1")] == [["3"], ["1"], ["2"]]


def test_the_orderbook_of_a_record_turns_too(api: Api) -> None:
    def book() -> list[str]:
        return api.nfts(tokenId="3")["data"][0]["orderbook"]  # type: ignore[no-any-return]

    with time_machine.travel(NOW + 59, tick=False):
        given(ask("3", price="0.5", order="0xbb"))
        assert [entry.partition(",")[2] for entry in book()] == ["USDC,0.5", "ETH,0.5", "ETH,5"]
    with time_machine.travel(NOW + 60, tick=False):
        assert [entry.partition(",")[2] for entry in book()] == ["ETH,0.5", "USDC,0.5", "ETH,5"]


def test_a_price_in_usd_is_the_one_of_the_moment(api: Api) -> None:
    assert ids(api.nfts(priceFilter="usd,1,1")) == ["2"]
    with time_machine.travel(NOW + 60, tick=False):
        assert ids(api.nfts(priceFilter="usd,3000,3000")) == ["2"]
        assert ids(api.nfts(priceFilter="usd,1,1")) == []


def test_the_next_load_writes_the_keys_and_nothing_is_due_any_more(api: Api) -> None:
    with time_machine.travel(NOW + 60, tick=False):
        assert due_rates(NOW + 60).worths
        given(rate("GROAT", "1", START))
        assert due_rates(NOW + 60).worths == {}
        assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "1", "2"]
        assert not Currency.objects.filter(next_rate_at__isnull=False).exists()


def test_a_rate_that_is_withdrawn_before_its_time_never_counts(api: Api) -> None:
    given(rate("USDC", None, NOW + 60))  # type: ignore[arg-type]
    with time_machine.travel(NOW + 60, tick=False):
        assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "2", "1"]


def test_while_nothing_is_due_a_request_pays_one_query_to_know_it(api: Api) -> None:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert due_rates(NOW).usd is None
    assert len(captured) == 1


RATES = st.none() | st.sampled_from([0, 1, 3, 7, 10**18, 3 * 10**17, 10**40 + 1]) | st.integers(0, 10**60)


@hypothesis_given(
    st.sampled_from([0, 1, 5, 15, 10**18, 10**77, 10**98]) | st.integers(0, 10**99 - 1), RATES, RATES
)
@example(1, 1, 2 * 10**12)  # 0.5 of the last place
@example(3, 1, 2 * 10**12)  # 1.5
def test_the_database_computes_the_key_that_python_does(price: int, usd: int | None, eth: int | None) -> None:
    """Rounding, ties, zeros, joke prices beyond the largest key."""
    worth = Worth(usd, eth)
    row = Ask.objects.select_related("currency").get(nft__token_key=uint_key(2))
    Ask.objects.filter(pk=row.pk).update(price_key="stale")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tokens_ask SET price = %s WHERE id = %s", [uint_key(price), row.pk])
    due_rates(NOW + 60)  # makes the function known to SQLite
    due = DueRates({}, {row.currency_id: worth})
    found = Ask.objects.filter(pk=row.pk).annotate(key=due.price_key()).values_list("key", flat=True)
    assert list(found) == [worth.price_key(price)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {due.price_key_sql()} FROM tokens_ask WHERE id = {row.pk}")
        assert cursor.fetchone() == (worth.price_key(price),)


def test_of_several_rates_to_come_the_first_counts_from_its_own_second_on(api: Api) -> None:
    given(rate("USDC", "1000", NOW + 120))
    with time_machine.travel(NOW + 60, tick=False):
        assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "1", "2"], "0.75, 1 and 1.5 ETH"
