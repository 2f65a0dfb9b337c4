"""Asks as lines state them, their keys at the newest rates, and which of them are active."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.db.writing import writing
from tests.builders import ALICE, BOB, CAROL, START, ZERO, ask, contract, load_lines, rate, transfer
from tests.conftest import Api
from tokens.models import Ask, Currency, Market, NftMarket
from tokens.models.ask import FOREVER
from tokens.models.market import ANYWHERE
from tokens.prices.pricing import Worth
from tokens.store import rates

pytestmark = pytest.mark.django_db
ORDER = "0x" + "ab" * 32


def keys() -> dict[str, str]:
    """Price keys by currency and price."""
    return {
        f"{one.price.normalize():f} {one.currency.symbol}": one.price_key
        for one in Ask.objects.select_related("currency")
    }


def active() -> list[bool]:
    return list(Ask.objects.order_by("id").values_list("active", flat=True))


def test_an_ask_is_merged_field_by_field() -> None:
    load_lines([ask(price="1.5", order=ORDER, maker=ALICE, amount="4", validFrom=5, validUntil=9)])
    part = {"record": "ask", "chain": "ethereum", "marketplace": "OpenSea", "orderHash": ORDER}
    load_lines([part | {"price": "2", "maker": None, "validUntil": None, "validFrom": None}])
    one = Ask.objects.get()
    assert (one.price, one.maker, one.amount) == (Decimal(2), None, 4)
    assert (one.valid_from, one.valid_until) == (0, FOREVER)


@pytest.mark.parametrize("status", ["filled", "cancelled"])
def test_an_ask_once_filled_or_cancelled_is_not_reopened(status: str) -> None:
    load_lines([ask(order=ORDER, status=status), ask(order=ORDER, status="open")])
    load_lines([ask(order=ORDER, status=None), ask(order=ORDER, price="3")])
    one = Ask.objects.get()
    assert (one.status, one.active, one.price) == (status, False, Decimal(3))


@pytest.mark.parametrize("missing", ["currency", "price", "tokenId"])
def test_an_unknown_ask_that_lacks_something_is_a_bad_line(missing: str) -> None:
    line = ask()
    del line[missing]
    report = load_lines([line])
    assert missing in report.faults[0].reason
    assert not Ask.objects.exists()


def test_unknown_currencies_and_marketplaces_are_registered() -> None:
    load_lines([ask(currency="gold", market="Bazaar"), ask(currency="matic", market="opensea")])
    assert Market.objects.filter(slug="bazaar").exists()
    assert {one.currency.symbol for one in Ask.objects.all()} == {"GOLD", "POL"}


def test_asks_are_keyed_by_their_value_in_ether() -> None:
    load_lines([rate("USDC", "1"), rate("ETH", "2000"), ask(price="1.5"), ask(price="1.5", currency="WETH")])
    load_lines([ask(price="3000", currency="USDC"), ask(price="1", currency="GOLD")])
    found = keys()
    assert found["1.5 ETH"] == found["1.5 WETH"] == found["3000 USDC"] == "0" + "31" + "15" + "0" * 29
    assert found["1 GOLD"] == "1" + "31" + "1" + "0" * 30


def test_a_new_rate_of_ether_moves_the_others_and_not_ether() -> None:
    load_lines([rate("USDC", "1"), rate("ETH", "2000"), ask(price="1"), ask(price="1000", currency="USDC")])
    before = keys()
    load_lines([rate("ETH", "1000", START + 1)])
    after = keys()
    assert after["1 ETH"] == before["1 ETH"] == after["1000 USDC"] > before["1000 USDC"]


def test_the_first_rate_of_ether_and_its_end_key_all_anew() -> None:
    load_lines([ask(price="1"), ask(price="5", currency="USDC"), rate("USDC", "1")])
    assert keys()["5 USDC"] == "0315" + "0" * 30
    assert keys()["1 ETH"].startswith("1")
    load_lines([rate("ETH", "4")])
    assert keys()["1 ETH"] == "0311" + "0" * 30
    assert keys()["5 USDC"] == "031125" + "0" * 28
    load_lines([rate("ETH", None)])  # type: ignore[arg-type]
    assert keys()["5 USDC"] == "0315" + "0" * 30
    assert keys()["1 ETH"].startswith("1")


def test_a_wrapped_currency_has_its_own_rate_only_while_the_native_one_has_none() -> None:
    load_lines([rate("ETH", "1000"), rate("WPOL", "7"), ask(price="1", currency="WPOL")])
    assert keys()["1 WPOL"] == "0287" + "0" * 27
    load_lines([rate("POL", "2")])
    assert keys()["1 WPOL"] == "0282" + "0" * 27


def test_a_rate_dated_after_now_counts_from_when_its_time_has_come() -> None:
    lines = [rate("ETH", "1000"), rate("USDC", "1"), rate("USDC", "2", START + 100)]
    with time_machine.travel(START + 50, tick=False):
        load_lines([*lines, ask(price="1000", currency="USDC")])
        assert keys()["1000 USDC"] == "0311" + "0" * 30
    with time_machine.travel(START + 100, tick=False), writing():
        assert rates.rekey() == 1
        assert rates.rekey() == 0
    assert keys()["1000 USDC"] == "0312" + "0" * 30
    assert Currency.objects.get(symbol="USDC").keyed_usd == 2


def test_a_joke_price_has_a_key_that_sorts_last() -> None:
    worth = Worth(rate=10**47, eth_rate=1)
    assert worth.price_key(10**77) == "0" + "99" + "9" * 99
    assert worth.price_key(1) < worth.price_key(10**77)


@pytest.mark.parametrize("standard", ["ERC721", "ERC1155", "CryptoPunks", None])
def test_an_ask_is_active_only_while_its_maker_holds_the_nft(standard: str | None) -> None:
    lines = [contract(standard=standard), transfer(), ask(maker=ALICE), ask(maker=BOB), ask(market="blur")]
    load_lines(lines)
    assert active() == [True, False, True]
    load_lines([transfer(block=2, sender=ALICE, receiver=BOB)])
    assert active() == [False, True, True]
    load_lines([transfer(block=3, sender=BOB, receiver=ZERO)])
    assert active() == [False, False, True]


def test_each_holder_of_several_units_may_sell_and_nobody_else() -> None:
    lines = [
        contract(standard="ERC1155"),
        transfer(amount="2"),
        transfer(block=2, sender=ALICE, receiver=BOB),
    ]
    load_lines([*lines, ask(maker=ALICE), ask(maker=BOB), ask(maker=CAROL)])
    assert active() == [True, True, False]


def test_an_ask_whose_nft_has_no_known_owner_is_active() -> None:
    load_lines([contract(), ask(maker=BOB)])
    assert active() == [True]


def test_an_ask_without_units_left_is_not_active() -> None:
    load_lines([ask(amount="0"), ask(amount="1", price="2")])
    assert active() == [False, True]


def sole() -> list[bool]:
    return list(Ask.objects.order_by("id").values_list("sole", flat=True))


def test_an_ask_is_sole_while_no_other_of_its_nft_is_active() -> None:
    other = "0x" + "cd" * 32
    load_lines([contract(), transfer(), ask(order=ORDER), ask("2")])
    assert sole() == [True, True]
    load_lines([ask(order=other, price="2", maker=ALICE)])
    assert sole() == [False, True, False]
    load_lines([transfer(block=2, sender=ALICE, receiver=BOB)])
    assert (active(), sole()) == ([True, True, False], [True, True, False]), "its maker has sold"
    load_lines([transfer(block=3, sender=BOB, receiver=ALICE)])
    assert sole() == [False, True, False], "and bought back"
    load_lines([ask(order=ORDER, amount="0")])
    assert (active(), sole()) == ([False, True, True], [False, True, True])
    load_lines([ask(order=other, status="filled"), ask(order=ORDER, amount="1")])
    assert (active(), sole()) == ([True, True, False], [True, True, False])


def test_an_ask_that_moves_to_another_nft_makes_one_sole_and_the_other_not() -> None:
    load_lines([ask("1"), ask("2"), ask("1", order=ORDER)])
    assert sole() == [False, True, False]
    load_lines([ask("2", order=ORDER)])
    assert sole() == [True, False, False]


def test_an_ask_that_has_ended_or_not_begun_is_beside_another_as_any(api: Api) -> None:
    """Sole is what holds at any moment: an ask that has ended may still be active, and one may begin unseen."""
    with time_machine.travel(START, tick=False):
        load_lines([ask(price="1", validUntil=START + 10), ask(price="2"), ask("2", price="1.5")])
    assert sole() == [False, False, True]
    for moment, first in ((START + 9, "1"), (START + 10, "2")):
        with time_machine.travel(moment, tick=False):
            assert api.nfts(sortBy="lowestAsk")["data"][0]["tokenId"] == first


def test_an_ask_puts_its_nft_under_its_marketplace_and_under_all_until_it_ends() -> None:
    def posted() -> dict[str, bool]:
        names = {ANYWHERE: "anywhere", **dict(Market.objects.values_list("id", "slug"))}
        return {
            names[row_id]: traded for row_id, traded in NftMarket.objects.values_list("market_id", "traded")
        }

    with time_machine.travel(START, tick=False):
        load_lines([ask(order=ORDER, validUntil=START + 10), transfer(markets=["blur"])])
        assert posted() == {"opensea": False, "blur": True, "anywhere": False}
        load_lines([ask(order=ORDER, status="cancelled")])
        assert posted() == {"blur": True}
        load_lines([ask(market="x2y2", validUntil=START)])
        assert posted() == {"blur": True}
        load_lines([ask(market="blur")])
        assert posted() == {"blur": True, "anywhere": False}


def test_an_ask_that_moves_to_another_nft_leaves_the_first() -> None:
    load_lines([ask("1", order=ORDER)])
    load_lines([ask("2", order=ORDER)])
    assert set(NftMarket.objects.values_list("nft__token_key", flat=True)) == {"012"}


def test_nothing_is_written_when_asks_come_again() -> None:
    lines: list[Any] = [contract(), rate(), transfer(), ask(maker=BOB), ask(price="2", currency="USDC")]
    load_lines(lines)
    with CaptureQueriesContext(connection) as queries:
        load_lines(lines)
    written = [one["sql"] for one in queries if one["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert written == []
