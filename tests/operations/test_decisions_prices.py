"""The filters by price and marketplace, and which asks count as live."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine

from tests.builders import ALICE, APES, BOB, ask, contract, nft, rate, transfer
from tests.conftest import Api
from tests.operations.promises import EDITIONS, NOW, given, ids, only, refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_a_marketplace_counts_for_transfers_and_for_live_asks(api: Api) -> None:
    given(
        transfer("1", markets=["blur"]),
        ask("2", market="blur"),
        ask("3", market="blur", validUntil=NOW),
        nft("4", markets=["Blur"]),
        ask("5", market="opensea"),
    )
    assert sorted(ids(api.nfts(marketplaces="Blur"))) == ["1", "2", "4"]
    assert sorted(ids(api.nfts(marketplaces="blur,OPENSEA"))) == ["1", "2", "4", "5"]


def test_a_marketplace_narrows_the_asks_that_a_price_filter_looks_at(api: Api) -> None:
    given(
        ask("1", market="opensea", price="1"),
        ask("1", market="blur", price="3"),
        ask("2", market="blur", price="1"),
    )
    assert ids(api.nfts(marketplaces="blur", priceFilter="eth,,2")) == ["2"]
    assert ids(api.nfts(marketplaces="opensea", priceFilter="eth,,2")) == ["1"]


def test_a_marketplace_narrows_the_asks_that_an_order_looks_at(api: Api) -> None:
    given(
        ask("1", market="opensea", price="1"),
        ask("1", market="blur", price="3"),
        ask("2", market="blur", price="2"),
        transfer("3", markets=["blur"]),
    )
    assert ids(api.nfts(marketplaces="blur", sortBy="lowestAsk")) == ["2", "1", "3"]
    assert ids(api.nfts(sortBy="lowestAsk"))[0] == "1"


def test_a_marketplace_never_narrows_the_order_book(api: Api) -> None:
    given(ask("1", market="opensea", price="1"), ask("1", market="blur", price="3"))
    assert only(api.nfts(marketplaces="blur"))["orderbook"] == ["opensea,ETH,1", "blur,ETH,3"]


def test_the_lowest_ask_decides_and_bounds_are_inclusive(api: Api) -> None:
    given(
        ask("1", price="0.5"),
        ask("1", price="9"),
        ask("2", price="2"),
        ask("3", price="2.000000000000000001"),
    )
    assert sorted(ids(api.nfts(priceFilter="eth,0.5,2"))) == ["1", "2"]
    assert ids(api.nfts(priceFilter="eth,9,9")) == [], "9 is not the lowest ask of 1"
    assert sorted(ids(api.nfts(priceFilter="ETH,2,"))) == ["2", "3"]
    assert ids(api.nfts(priceFilter="eth,,0.5")) == ["1"]


def test_wrapped_ether_counts_as_ether_and_not_the_other_way(api: Api) -> None:
    given(
        ask("1", currency="WETH", price="1"), ask("2", currency="ETH", price="1"), ask("3", currency="USDC")
    )
    assert sorted(ids(api.nfts(priceFilter="eth,0,"))) == ["1", "2"]
    assert ids(api.nfts(priceFilter="weth,0,")) == ["1"]


def test_both_bounds_may_be_blank(api: Api) -> None:
    given(ask("1", currency="USDC", price="0"), ask("2"), nft("3"))
    assert ids(api.nfts(priceFilter="usdc,,")) == ["1"]


def test_an_alias_names_the_same_currency(api: Api) -> None:
    given(ask("1", currency="MATIC", price="7"), ask("2", currency="pol", price="8"))
    assert sorted(ids(api.nfts(priceFilter="matic,,"))) == ["1", "2"]
    assert sorted(ids(api.nfts(priceFilter="POL,7,8"))) == ["1", "2"]
    assert only(api.nfts(tokenId="1"))["orderbook"] == ["opensea,POL,7"]


@pytest.mark.parametrize(
    "currency", ["ETH", "WETH", "USDC", "USDT", "DAI", "POL", "MATIC", "SOL", "APE", "usd", "Eth"]
)
def test_the_usual_currencies_are_known_before_any_ask(api: Api, currency: str) -> None:
    assert api.nfts(priceFilter=f"{currency},,") == {"data": []}


def test_a_currency_that_an_ask_or_a_rate_brought_is_known(api: Api) -> None:
    assert refused(api, priceFilter="doubloon,,") == [("priceFilter", "invalid_choice")]
    given(ask("1", currency="doubloon"), rate("groat", "4"))
    assert ids(api.nfts(priceFilter="DOUBLOON,1,1")) == ["1"]
    assert ids(api.nfts(priceFilter="groat,,")) == []


def test_usd_compares_the_value_of_the_lowest_ask_of_all_currencies(api: Api) -> None:
    given(
        rate("ETH", "2000"),
        rate("USDC", "1"),
        ask("1", price="1"),
        ask("1", currency="USDC", price="1500.5"),
        ask("2", currency="DOUBLOON", price="1"),
    )
    assert ids(api.nfts(priceFilter="usd,1500.5,1500.5")) == ["1"]
    assert ids(api.nfts(priceFilter="usd,1501,")) == []
    assert ids(api.nfts(priceFilter="usd,,")) == ["1"], "no rate, no value in USD"


def test_a_price_filter_only_selects_and_the_order_looks_at_all_currencies(api: Api) -> None:
    given(
        rate("ETH", "2000"),
        rate("USDC", "1"),
        ask("1", price="2"),
        ask("1", currency="USDC", price="100"),
        ask("2", price="1"),
    )
    assert ids(api.nfts(priceFilter="eth,1,2", sortBy="lowestAsk")) == ["1", "2"]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("eth", "invalid"),
        ("eth,1", "invalid"),
        ("eth,1,2,3", "invalid"),
        ("eth,2,1", "invalid"),
        ("eth,-1,", "invalid"),
        ("eth,1e3,", "invalid"),
        ("eth,.5,", "invalid"),
        (",1,2", "invalid"),
        ("nope,1,2", "invalid_choice"),
    ],
)
def test_a_price_filter_that_is_none_is_refused(api: Api, bad: str, code: str) -> None:
    assert refused(api, priceFilter=bad) == [("priceFilter", code)]


@pytest.mark.parametrize(
    ("fields", "live"),
    [
        ({}, True),
        ({"status": "open"}, True),
        ({"status": "filled"}, False),
        ({"status": "cancelled"}, False),
        ({"validFrom": NOW}, True),
        ({"validFrom": NOW + 1}, False),
        ({"validUntil": NOW + 1}, True),
        ({"validUntil": NOW}, False),
    ],
)
def test_an_ask_is_live_within_its_time_until_it_is_settled(
    api: Api, fields: dict[str, Any], live: bool
) -> None:
    given(ask("1", **fields))
    assert (ids(api.nfts(priceFilter="eth,,")) == ["1"]) is live
    assert ("orderbook" in only(api.nfts())) is live
    assert (ids(api.nfts(marketplaces="opensea")) == ["1"]) is live


def test_an_ask_that_ended_a_second_ago_never_counts(api: Api, clock: time_machine.Traveller) -> None:
    given(ask("1", validFrom=NOW + 5, validUntil=NOW + 10))
    seen = []
    for _ in range(13):
        seen.append(bool(api.nfts(priceFilter="eth,,")["data"]))
        clock.shift(1)
    assert seen == [False] * 5 + [True] * 5 + [False] * 3


def test_an_erc721_has_only_its_owners_asks(api: Api) -> None:
    given(
        contract(),
        transfer("1", receiver=ALICE),
        ask("1", maker=BOB, price="1"),
        ask("1", maker=ALICE, price="2"),
    )
    assert only(api.nfts())["orderbook"] == ["opensea,ETH,2"]
    given(transfer("1", block=2, sender=ALICE, receiver=BOB))
    assert only(api.nfts())["orderbook"] == ["opensea,ETH,1"]
    assert ids(api.nfts(priceFilter="eth,2,2")) == []


def test_an_ask_without_a_maker_or_of_another_standard_or_owner_unknown_counts(api: Api) -> None:
    given(contract(), transfer("1", receiver=ALICE), ask("1"))
    given(
        contract(EDITIONS, standard="ERC1155"),
        transfer("2", EDITIONS, block=2),
        ask("2", EDITIONS, maker=BOB),
    )
    given(ask("3", APES, maker=BOB))
    assert sorted(ids(api.nfts(priceFilter="eth,,"))) == ["1", "2", "3"]
