"""A page takes at most 12 queries, whatever is stored, asked for, and however much of it."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from indexing.models import IndexedContract
from tests.builders import APES, ask, contract, nft, rate, transfer
from tests.conftest import Api
from tests.operations.counting import MOST, queries_of
from tests.operations.everything import CHAINS, FILTERS, ORDERS, everything
from tests.operations.promises import COLLECTION, EDITIONS, MINT, NOW, OTHER_MINT, given, refused
from tokens.engine import postings
from tokens.engine import scope_lists as lists
from tokens.models import Chain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
ONE_VALUE = {
    **FILTERS,
    "tokenId": "1",
    "traits": "Hat-1",
    "excludedTraits": "Fur-1",
    "marketplaces": "opensea",
    "excludedTokenIds": "40",
}


def test_the_widest_query_of_nfts_and_each_one_filter_narrower(api: Api) -> None:
    given(*everything())
    chain = Chain.objects.get(slug="ethereum")
    IndexedContract.objects.create(chain=chain, address="", first_block=0, next_block=50, reached_at=NOW)
    for order in ORDERS:
        fixed = {"sortBy": order, "includeLastTransfer": "true", "limit": "3"}
        assert api.nfts(**FILTERS, **fixed)["data"], "a query that finds nothing would prove nothing"
        assert queries_of(api, **FILTERS, **fixed, chain="ethereum") <= MOST
        for left_out in (None, *FILTERS):
            asked = {name: value for name, value in FILTERS.items() if name != left_out}
            assert queries_of(api, **asked, **fixed) <= MOST, (order, left_out)


def test_rates_that_have_come_due_since_the_last_load_take_none_more(api: Api) -> None:
    given(*everything(), rate("USDC", "2", NOW + 60))
    with time_machine.travel(NOW + 60, tick=False):
        for order in ORDERS:
            fixed = {"sortBy": order, "includeLastTransfer": "true", "limit": "3"}
            assert queries_of(api, **FILTERS, **fixed) <= MOST, order
            assert queries_of(api, **fixed) <= MOST, order


def test_each_filter_of_nfts_alone(api: Api) -> None:
    given(*everything())
    for order in ORDERS:
        fixed = {"sortBy": order, "includeLastTransfer": "true", "limit": "3"}
        alone = [{name: value} for name, value in FILTERS.items()]
        rare = [{"contractAddress": COLLECTION}, {"tokenId": f"{MINT},{OTHER_MINT},1"}, {"chain": "solana"}]
        for asked in ({}, *alone, *rare):
            assert queries_of(api, **asked, **fixed) <= MOST, (order, asked)


@pytest.mark.parametrize("order", ["lowestAsk", "highestAsk"])
@pytest.mark.parametrize("more", [{}, {"tokenId": "1,16,31,50"}, {"marketplaces": "blur"}])
def test_a_rare_trait_of_a_named_contract_whose_asks_end_on_the_page(
    api: Api, order: str, more: dict[str, str]
) -> None:
    """Most steps of all: a name, traits, what few NFTs match, by asks and behind them, and all parts of a record."""
    given(*everything(), nft("50", traits=[("Hat", 1)]), transfer("50", block=50, markets=["blur"]))
    asked = {"contractAddress": "apes.eth", "traits": "Hat-1", "sortBy": order, "includeLastTransfer": "true"}
    listed = ["orderbook" in record for record in api.nfts(**asked, **more)["data"]]
    assert (listed[0], listed[-1]) == (True, False)
    assert queries_of(api, **asked, **more) <= MOST


@pytest.mark.parametrize("small", [0, 3])
@pytest.mark.parametrize("order", ["lowestAsk", "highestAsk"])
@pytest.mark.parametrize(
    "more", [{}, {"priceFilter": "eth,0,100"}, {"marketplaces": "blur"}, {"chain": "polygon"}]
)
def test_common_traits_of_a_named_contract(
    api: Api, order: str, more: dict[str, str], small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many NFTs have them that it is first looked whether any have both."""
    for module in (postings, lists):
        monkeypatch.setattr(module, "SMALL", small)
    given(*everything(), *(nft(str(number), traits=[("Hat", 1), ("Level", 1)]) for number in range(50, 60)))
    asked = {"contractAddress": "apes.eth", "sortBy": order, "includeLastTransfer": "true", **more}
    for traits in ("Hat-1", "Hat-1,Level-1", "Hat-1,Level-2"):
        assert queries_of(api, **asked, traits=traits) <= MOST, traits


def test_transfers(api: Api) -> None:
    given(*everything())
    everywhere = [{"contractAddress": address} for address in ("apes.eth", APES, EDITIONS, COLLECTION, MINT)]
    narrower = [
        {"contractAddress": "apes.eth", "tokenId": "1"},
        {"contractAddress": "apes.eth", "tokenId": "1", "chain": "polygon"},
        {"contractAddress": MINT, "tokenId": MINT, "chain": "solana"},
    ]
    for order in ORDERS:
        for asked in (*everywhere, *narrower):
            assert queries_of(api, "transfers", **asked, sortBy=order, limit=3) <= MOST, (order, asked)


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_longer_page_takes_no_more(api: Api, operation: str) -> None:
    given(*everything())
    for order in ORDERS:
        asked: dict[str, Any] = {"contractAddress": APES, "sortBy": order}
        if operation == "nfts":
            asked["includeLastTransfer"] = "true"
        short, long = (queries_of(api, operation, **asked, limit=limit) for limit in (1, 30))
        # A page on which the asks end goes on with what has none, by one more query; one that the transfers of the
        # first few NFTs do not fill reads those of more.
        assert long <= short + order.endswith("Ask") + (operation == "transfers" and order != ""), order


def test_more_values_take_no_more(api: Api) -> None:
    given(*everything())
    for order in ("", "lowestAsk", "tokenId-desc", "rarity"):
        fixed = {"sortBy": order, "includeLastTransfer": "true", "limit": "1"}
        for name, value in ONE_VALUE.items():
            one, many = (queries_of(api, **fixed, **{name: values}) for values in (value, FILTERS[name]))
            # With very many marketplaces it is first looked up, once, whether few NFTs trade on them.
            assert many <= one + (name == "marketplaces"), (order, name)
        assert queries_of(api, **fixed, **FILTERS) <= queries_of(api, **fixed, **ONE_VALUE)


def test_hundreds_of_marketplaces_are_no_more(api: Api) -> None:
    """`marketplaces` has no limit of its own: as many as a query string holds, on every chain."""
    markets = [f"m{number}" for number in range(300)]
    given(
        *everything(),
        *(ask("1", market=market, price="3") for market in markets),
        *(
            transfer("5", APES, on=slug, block=300 + place, markets=markets[::9])
            for place, slug in enumerate(CHAINS)
        ),
    )
    for order in ("", "lowestAsk"):
        asked = {
            "marketplaces": ",".join(markets),
            "sortBy": order,
            "includeLastTransfer": "true",
            "limit": 5,
        }
        for more in ({}, {"contractAddress": APES}, {"excludeMarkedNfts": "1", "priceFilter": "eth,,"}):
            assert api.nfts(**asked, **more)["data"]
            assert queries_of(api, **asked, **more) <= MOST


def test_many_rated_currencies_are_no_more(api: Api) -> None:
    """A price in USD looks at asks in every currency that has a rate, on every chain."""
    currencies = [f"COIN{number}" for number in range(60)]
    given(
        *everything(),
        *(contract(APES, on=slug) for slug in CHAINS),
        *(rate(currency, "2") for currency in currencies),
        *(ask(str(number), currency=currency, price="3") for number, currency in enumerate(currencies)),
    )
    for order in ("", "lowestAsk", "tokenId-desc"):
        asked = {"priceFilter": "usd,6,6", "sortBy": order, "limit": 30}
        for more in ({}, {"contractAddress": APES}, {"marketplaces": "opensea"}):
            assert len(api.nfts(**asked, **more)["data"]) == 30
            assert queries_of(api, **asked, **more) <= MOST


def test_a_refused_query_takes_next_to_none(api: Api) -> None:
    given(*everything())
    with CaptureQueriesContext(connection) as queries:
        assert refused(api, "limit=99&tokenId=x&chain=nope&priceFilter=nope,,&contractAddress=no.eth")
    assert len(queries) <= 3


MOST_OF_A_PAGE = MOST + 8
"""Of the browsable API: those of the answer, then what is beside its records, the options of its form, the facets."""


def queries_of_a_page(api: Api, operation: str, **parameters: Any) -> int:
    """How many queries the HTML of a page takes."""
    with CaptureQueriesContext(connection) as queries:
        response = api.get(f"{api.base}/{operation}/by-token", parameters, accept="text/html")
    assert response.status_code == 200, response.content
    return len(queries)


def test_pages_for_people_take_eight_more_and_json_none(api: Api) -> None:
    given(*everything())
    fixed = {"includeLastTransfer": "true", "limit": "3"}
    assert queries_of_a_page(api, "nfts", **FILTERS, **fixed, sortBy="lowestAsk") <= MOST_OF_A_PAGE
    asked: list[dict[str, str]] = [
        {},
        {"contractAddress": COLLECTION},
        {"contractAddress": APES},
        {"contractAddress": APES, "chain": "ethereum"},
        {"contractAddress": APES, "chain": "ethereum", "traits": "Hat-1", "sortBy": "lowestAsk"},
        {"contractAddress": APES, "chain": "ethereum", "traits": "Hat-Nope"},
        {"contractAddress": APES, "chain": "ethereum", "_facet": "Hat", "_find": "1"},
    ]
    for one in asked:
        plain = {name: value for name, value in one.items() if not name.startswith("_")}
        more = queries_of_a_page(api, "nfts", **one, **fixed) - queries_of(api, **plain, **fixed)
        assert more <= 8, (one, more)
    for one in ({"contractAddress": APES}, {"contractAddress": APES, "tokenId": "1", "sortBy": "lowestAsk"}):
        more = queries_of_a_page(api, "transfers", **one) - queries_of(api, "transfers", **one)
        assert more <= 4, (one, more)
