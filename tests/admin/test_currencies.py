"""What an operator says of a currency that is in use: every filter, order and value follows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admin.conftest import Operator
from tests.builders import APES, START, ask, load_lines, nft, rate, transfer
from tests.conftest import Api
from tests.files.lines import dumped
from tokens.models import Ask, Chain, Currency, CurrencyToken
from transfers.models import Transfer

pytestmark = pytest.mark.django_db
GOLD = "0x" + "90" * 20
"""The contract of a token."""


def a_market() -> None:
    """Asks in two currencies that know nothing of each other, one in ether, and a sale in gold."""
    report = load_lines(
        [
            rate("ETH", "2000"),
            rate("AUX", "20"),
            rate("GLD", "10"),
            *(nft(token_id) for token_id in ("1", "2", "3", "4")),
            ask("1", price="3", currency="GLD"),
            ask("2", price="2", currency="AUX"),
            ask("3", price="1", currency="ETH"),
            transfer("4", nftValue={"tokenAddress": GOLD, "amount": "3000000"}),
        ]
    )
    assert report.faults == []


def found(api: Api, price_filter: str) -> list[str]:
    """The token ids that a price filter finds, cheapest first."""
    page = api.nfts(contractAddress=APES, priceFilter=price_filter, sortBy="lowestAsk")
    return [one["tokenId"] for one in page["data"]]


def relate_in_admin(operator: Operator, symbol: str, **named: str) -> None:
    row = Currency.objects.get(symbol=symbol)
    form: dict[str, Any] = {
        name: Currency.objects.get(symbol=named[name]).pk if name in named else ""
        for name in ("alias_of", "wraps")
    }
    response = operator.client.post(f"/admin/tokens/currency/{row.pk}/change/", form)
    assert response.status_code == 302, response.content.decode()


def relate_by_line(operator: Operator, symbol: str, **named: str) -> None:
    keys = {"alias_of": "aliasOf", "wraps": "wraps"}
    line = {"record": "currency", "currency": symbol, **{key: named.get(name) for name, key in keys.items()}}
    assert load_lines([line]).faults == []


BY = pytest.mark.parametrize("relate", [relate_in_admin, relate_by_line])


@BY
def test_asks_in_a_currency_that_becomes_an_alias_are_found_under_both_names(
    operator: Operator, api: Api, relate: Any
) -> None:
    a_market()
    relate(operator, "AUX", alias_of="GLD")
    for name in ("aux", "gld"):
        assert found(api, f"{name},,") == ["2", "1"]
        assert found(api, f"{name},2.5,3") == ["1"]
    assert found(api, "usd,15,25") == ["2"]  # at the rate of the one currency that both are now
    assert found(api, "eth,,") == ["3"]
    assert load_lines([ask("4", price="1", currency="AUX")]).faults == []
    assert found(api, "gld,,") == ["4", "2", "1"]


@BY
def test_asks_in_a_currency_that_wraps_another_are_found_under_the_others_name(
    operator: Operator, api: Api, relate: Any
) -> None:
    a_market()
    relate(operator, "GLD", wraps="ETH")
    assert found(api, "eth,,") == ["3", "1"]
    assert found(api, "gld,,") == ["1"]
    assert found(api, "usd,5000,7000") == ["1"]
    relate(operator, "GLD")
    assert found(api, "eth,,") == ["3"]
    assert found(api, "usd,29,31") == ["1"]


@BY
def test_what_wraps_a_currency_that_becomes_an_alias_wraps_what_that_stands_for(
    operator: Operator, api: Api, relate: Any
) -> None:
    a_market()
    relate(operator, "AUX", wraps="GLD")
    assert load_lines([rate("NEW", "7"), ask("4", price="9", currency="NEW")]).faults == []
    relate(operator, "GLD", alias_of="NEW")
    assert found(api, "new,,") == found(api, "gld,,") == ["2", "1", "4"]
    assert found(api, "aux,,") == ["2"]


@BY
def test_a_currency_is_itself_again_for_asks_that_come_after(
    operator: Operator, api: Api, relate: Any
) -> None:
    a_market()
    relate(operator, "AUX", alias_of="GLD")
    relate(operator, "AUX")
    assert load_lines([ask("4", price="1", currency="AUX")]).faults == []
    assert (found(api, "aux,,"), found(api, "gld,,")) == (["4"], ["2", "1"])


def test_ether_stands_for_nothing_else(operator: Operator, api: Api) -> None:
    a_market()
    row, gold = Currency.objects.get(symbol="ETH"), Currency.objects.get(symbol="GLD")
    page = operator.client.post(
        f"/admin/tokens/currency/{row.pk}/change/", {"alias_of": gold.pk, "wraps": ""}
    )
    assert "Values are told in ETH" in page.content.decode()
    fault = load_lines([{"record": "currency", "currency": "eth", "aliasOf": "GLD"}]).faults[0]
    assert fault.reason == "Values are told in ETH: it stands for itself."
    assert found(api, "eth,,") == ["3"]


def test_values_of_transfers_follow_what_is_said_of_the_tokens_that_they_were_paid_in(
    operator: Operator,
) -> None:
    a_market()
    chain, gold = Chain.objects.get(slug="ethereum"), Currency.objects.get(symbol="GLD")

    def usd() -> float | None:
        value = Transfer.objects.get().usd_value
        return None if value is None else float(value)

    assert load_lines([rate("GLD", "10", at=START), rate("AUX", "20", at=START)]).faults == []
    assert usd() is None
    token = {"chain": chain.pk, "address": GOLD, "currency": gold.pk, "decimals": 6}
    assert operator.client.post("/admin/tokens/currencytoken/add/", token).status_code == 302
    assert usd() == 30
    row = CurrencyToken.objects.get(address=GOLD)
    address = f"/admin/tokens/currencytoken/{row.pk}"
    assert operator.client.post(f"{address}/change/", {**token, "decimals": 5}).status_code == 302
    assert usd() == 300
    relate_in_admin(operator, "GLD", alias_of="AUX")
    assert usd() == 600
    assert operator.client.post(f"{address}/delete/", {"post": "yes"}).status_code == 302
    assert usd() is None


@pytest.mark.parametrize(
    "lines",
    [
        [("GLD", "aliasOf", "AUX"), ("AUX", "aliasOf", "GLD")],
        [("GLD", "aliasOf", "AUX"), ("AUX", "aliasOf", "NEW")],
        [("AUX", "aliasOf", "NEW"), ("GLD", "aliasOf", "AUX"), ("NEW", "wraps", "ETH")],
        [("GLD", "wraps", "ETH"), ("GLD", "aliasOf", "AUX"), ("AUX", "wraps", "GLD")],
        [("GLD", "wraps", "AUX"), ("AUX", "wraps", "GLD"), ("GLD", "aliasOf", None)],
        [("AUX", "aliasOf", "GLD"), ("GLD", "wraps", "AUX"), ("AUX", "wraps", "GLD")],
    ],
)
@pytest.mark.parametrize("batch_lines", [1, 100])
def test_contradicting_lines_come_to_the_same_however_often_they_are_loaded(
    lines: list[tuple[str, str, str | None]], batch_lines: int
) -> None:
    a_market()
    stated = [{"record": "currency", "currency": symbol, key: other} for symbol, key, other in lines]
    assert load_lines(stated, batch_lines=batch_lines).faults == []
    first = dumped()
    assert load_lines(stated, batch_lines=batch_lines).faults == []
    assert dumped() == first
    assert not Ask.objects.exclude(currency__alias_of=None).exists()
