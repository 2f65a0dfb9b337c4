"""Relations of currencies in any order: what hangs on them follows, and a dump carries what they have come to."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import drawn
from tests.builders import ask, load_lines, rate, transfer
from tests.conftest import Api
from tests.deriving.tables import rolled_back
from tests.files.lines import derived, dumped
from tokens.models import Ask, Currency, CurrencyToken, Rate
from tokens.models.well_known import ALIASES, WRAPPED

pytestmark = pytest.mark.django_db
SYMBOLS = ("AUX", "ETH", "GLD", "MATIC", "POL", "WETH", "WMATIC", "WPOL", "ZED")
TOKENS = ("0x" + "90" * 20, "0x" + "0" * 40)


class Said(NamedTuple):
    """A line of a currency; keys that it does not hold are absent."""

    symbol: str
    relations: dict[str, str | None]

    def line(self) -> dict[str, Any]:
        """The line itself."""
        return {"record": "currency", "currency": self.symbol, **self.relations}


class Model:
    """What each currency stands for and wraps, by brute force: the last word counts, and nothing stands for two."""

    def __init__(self) -> None:
        self.alias, self.wraps = dict(ALIASES), dict(WRAPPED)

    def say(self, said: Said) -> None:
        """Take a line."""
        symbol, alias_of, wraps = said.symbol, said.relations.get("aliasOf"), said.relations.get("wraps")
        if "aliasOf" in said.relations:
            self.alias.pop(symbol, None)
        if "wraps" in said.relations:
            self.wraps.pop(symbol, None)
        if alias_of is None and wraps is None:
            return
        target = alias_of or wraps
        assert target is not None
        if self.alias.get(target) == symbol:
            del self.alias[target]
        target = self.alias.get(target, target)
        self.alias.pop(symbol, None)
        self.wraps.pop(symbol, None)
        if self.wraps.get(target) == symbol:
            del self.wraps[target]
        wrapped = self.wraps.get(target, target)
        self.wraps = {one: wrapped if of == symbol else of for one, of in self.wraps.items()}
        if wraps is not None:
            self.wraps[symbol] = wrapped
        else:
            self.alias = {one: target if of == symbol else of for one, of in self.alias.items()}
            self.alias[symbol] = target

    def named(self, symbol: str) -> set[str]:
        """The currencies whose asks a filter of this symbol finds."""
        one = self.alias.get(symbol, symbol)
        return {one, *(wrapping for wrapping, of in self.wraps.items() if of == one)}


relations = st.one_of(
    st.builds(lambda one: {"aliasOf": one}, st.sampled_from([None, *SYMBOLS])),
    st.builds(lambda one: {"wraps": one}, st.sampled_from([None, *SYMBOLS])),
    st.builds(lambda one: {"aliasOf": one, "wraps": None}, st.sampled_from([None, *SYMBOLS])),
    st.builds(lambda one: {"aliasOf": None, "wraps": one}, st.sampled_from([None, *SYMBOLS])),
)
lines = st.builds(Said, st.sampled_from([one for one in SYMBOLS if one != "ETH"]), relations).filter(
    lambda said: said.symbol not in said.relations.values()
)


def a_market() -> list[dict[str, Any]]:
    """An ask in each currency, some of which have rates, and sales in two tokens."""
    return [
        *(rate(*one) for one in (("ETH", "2000"), ("GLD", "10"), ("POL", "0.5"), ("ZED", "3"), ("WPOL", "0.4"))),
        rate("AUX", "7", at=1_500_000_000),
        *(ask(str(number), price="2", currency=symbol) for number, symbol in enumerate(SYMBOLS)),
        transfer("20", nftValue={"tokenAddress": TOKENS[0], "amount": "3000000"}),
        transfer("21", block=2, nftValue={"tokenAddress": TOKENS[1], "amount": "3000000"}),
        {
            "record": "currencyToken", "chain": "ethereum", "contractAddress": TOKENS[0], "currency": "GLD",
            "decimals": 6,
        },
    ]  # fmt: skip


def state() -> tuple[dict[str, str], dict[str, str], list[Any], list[Any]]:
    """What stands for and wraps what, the asks, and all else that hangs on it."""
    rows = list(Currency.objects.values_list("symbol", "alias_of__symbol", "wraps__symbol"))
    asks = Ask.objects.order_by("id").values_list("nft__token_key", "currency__symbol", "price_key", "sole")
    rates = Rate.objects.values_list("currency__symbol", "timestamp", "usd")
    tokens = CurrencyToken.objects.values_list("chain__slug", "address", "currency__symbol", "decimals")
    return (
        {symbol: alias_of for symbol, alias_of, _ in rows if alias_of},
        {symbol: wraps for symbol, _, wraps in rows if wraps},
        list(asks),
        [sorted(rates), sorted(tokens), derived()["values"]],
    )


@drawn.examples(8)
@example(said=[Said("MATIC", {"aliasOf": None}), Said("AUX", {"aliasOf": "MATIC"})], together=False)
@example(said=[Said("WMATIC", {"aliasOf": None}), Said("AUX", {"wraps": "WMATIC"})], together=False)
@example(said=[Said("WPOL", {"wraps": None}), Said("GLD", {"wraps": "WPOL"})], together=False)
@example(said=[Said("WMATIC", {"wraps": "GLD"}), Said("POL", {"aliasOf": "WMATIC"})], together=True)
@given(said=st.lists(lines, max_size=6), together=st.booleans())
def test_all_follows_what_is_said_of_currencies_and_a_dump_carries_it(
    said: list[Said], together: bool, api: Api
) -> None:
    model = Model()
    held = {symbol: model.alias.get(symbol, symbol) for symbol in SYMBOLS}
    for one in said:
        model.say(one)
        if not together:
            held = {symbol: model.alias.get(now, now) for symbol, now in held.items()}
    if together:  # only what the last line leaves counts
        held = {symbol: model.alias.get(now, now) for symbol, now in held.items()}
    with rolled_back():
        stated = [one.line() for one in said]
        for batch in [a_market(), *([stated] if together else [[line] for line in stated])]:
            assert load_lines(batch).faults == []
        found, first = state(), dumped()
        assert found[:2] == (model.alias, model.wraps)
        assert not set(model.wraps.values()) & (model.wraps.keys() | model.alias.keys())
        assert [row[1] for row in found[2]] == [held[symbol] for symbol in SYMBOLS]
        for symbol in SYMBOLS:
            page = api.nfts(priceFilter=f"{symbol.lower()},,", limit=30)
            wanted = {str(number) for number, one in enumerate(SYMBOLS) if held[one] in model.named(symbol)}
            assert {one["tokenId"] for one in page["data"]} == wanted, symbol
    with rolled_back():
        assert load_lines(first.splitlines()).faults == []
        assert dumped() == first
        assert state() == found
