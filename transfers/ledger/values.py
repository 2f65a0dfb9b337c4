"""What transfers were worth: values in USD and ETH at the newest rate of their time."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key, uint_key
from tokens.models import Currency, CurrencyToken, Rate
from tokens.prices.pricing import eth_value, usd_value
from tokens.store.rates import MAX_AGE, Window, moments_table
from transfers.models import Transfer

CHUNK = 5000
"""Transfers valued at once."""
MAX_SECONDS = 2**62
"""After every time that is stored."""


class Price(NamedTuple):
    """A price as a transfer has it: the token's address, the key of an amount in base units; Unix seconds."""

    chain_id: int
    token: str
    amount: str
    timestamp: int


Value = tuple[str | None, str | None]
"""Values in USD and in ETH as keys, ``None`` where there is no rate."""


class _Token(NamedTuple):
    currency_id: int
    decimals: int
    native_id: int | None
    """The currency that this one is worth at par."""


def value_prices(prices: Iterable[Price]) -> dict[Price, Value]:
    """Return the value of each price at the newest rates at or before its time and at most 48 hours older.

    A wrapped native token has the native one's rate, and its own only where there is none; ETH and what wraps it are
    worth their amount in ETH without any rate. A token that is not a known currency has no value.
    """
    wanted = set(prices)
    tokens = _tokens({(price.chain_id, price.token) for price in wanted})
    ether = Currency.objects.filter(symbol="ETH").values_list("id", flat=True).first() if tokens else None
    moments: set[tuple[int, int]] = set()
    for price in wanted:
        token = tokens.get((price.chain_id, price.token))
        if token is not None:
            named = (token.currency_id, token.native_id, ether)
            moments.update((currency, price.timestamp) for currency in named if currency is not None)
    rates = _rates(moments)
    values: dict[Price, Value] = {}
    for price in wanted:
        token = tokens.get((price.chain_id, price.token))
        values[price] = (None, None) if token is None else _value(price, token, ether, rates)
    return values


def fill(changed: Sequence[Window]) -> None:
    """Value the transfers again whose rate may have changed: those within the windows that ``rates.write`` returned."""
    ether = Currency.objects.filter(symbol="ETH").values_list("id", flat=True).first()
    for currency_id, windows in _by_currency(changed).items():
        if currency_id == ether:  # every value in ETH divides by it
            tokens = None
        else:
            worth = CurrencyToken.objects.filter(currency_id=currency_id)
            worth |= CurrencyToken.objects.filter(currency__wraps_id=currency_id)
            tokens = list(worth.values_list("chain_id", "address"))
        for window in windows:
            for rows in _priced(window, tokens):
                _revalue(rows)


def refill(tokens: Sequence[tuple[int, str]] | None, **_: object) -> None:
    """Value the transfers again that were paid in some contracts (chain and address), or in any.

    A receiver of ``tokens.store.currencies.revalued``. Reads all priced transfers: what changes currencies is rare.
    """
    for rows in _priced(Window(0, 0, MAX_SECONDS), None if tokens is None else list(tokens)):
        _revalue(rows)


def _value(price: Price, token: _Token, ether: int | None, rates: dict[tuple[int, int], int]) -> Value:
    amount, moment = uint_from_key(price.amount), price.timestamp
    own = rates.get((token.currency_id, moment))
    rate = own if token.native_id is None else rates.get((token.native_id, moment), own)
    usd = None if rate is None else usd_value(amount, token.decimals, rate)
    eth = None
    if ether in (token.currency_id, token.native_id):
        eth = eth_value(amount, token.decimals, 1, 1)
    elif rate is not None and ether is not None and (ether, moment) in rates:
        eth = eth_value(amount, token.decimals, rate, rates[ether, moment])
    return None if usd is None else uint_key(usd), None if eth is None else uint_key(eth)


def _tokens(addresses: set[tuple[int, str]]) -> dict[tuple[int, str], _Token]:
    found = bulk.rows_by(
        CurrencyToken,
        ("chain_id", "address"),
        list(addresses),
        ("chain_id", "address", "currency_id", "decimals"),
    )
    natives = dict(
        Currency.objects.filter(id__in={row[2] for row in found}).values_list("id", "wraps_id")
        if found
        else ()
    )
    return {(row[0], row[1]): _Token(row[2], row[3], natives[row[2]]) for row in found}


def _rates(moments: set[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the scaled rate of each (currency, time) that has one not older than ``MAX_AGE``."""
    if not moments:
        return {}
    given, parameters = moments_table(moments)
    newest = (
        f"SELECT usd FROM {Rate._meta.db_table} rate WHERE rate.currency_id = given.currency_id "
        f"AND rate.timestamp <= given.moment AND rate.timestamp >= given.moment - {MAX_AGE} "
        "ORDER BY rate.timestamp DESC LIMIT 1"
    )
    rows = bulk.fetch(f"SELECT given.currency_id, given.moment, ({newest}) FROM {given}", parameters)
    return {(row[0], row[1]): uint_from_key(row[2]) for row in rows if row[2] is not None}


def _by_currency(changed: Sequence[Window]) -> dict[int, list[Window]]:
    """Return the windows by currency, those that meet made one."""
    merged: dict[int, list[Window]] = {}
    for window in sorted(changed):
        windows = merged.setdefault(window.currency_id, [])
        if windows and window.start <= windows[-1].end + 1:
            windows[-1] = windows[-1]._replace(end=max(windows[-1].end, window.end))
        else:
            windows.append(window)
    return merged


_PRICED = ("id", "chain_id", "nft_value_token", "nft_value_amount", "timestamp", "usd_value", "eth_value")


def _priced(window: Window, tokens: list[tuple[int, str]] | None) -> Iterator[list[tuple[Any, ...]]]:
    """Yield, in chunks, the priced transfers of a window; of some tokens only unless ``None``."""
    if tokens == []:
        return
    table = Transfer._meta.db_table
    among = ""
    place: tuple[int, int] = (window.start, 0)
    if tokens is not None:
        among = f"AND (chain_id, nft_value_token) IN (VALUES {', '.join(['(%s, %s)'] * len(tokens))}) "
    given = [value for token in tokens or () for value in token]
    while True:
        rows = bulk.fetch(
            f"SELECT {', '.join(_PRICED)} FROM {table} WHERE nft_value_amount IS NOT NULL "
            f"AND timestamp >= %s AND timestamp <= %s AND (timestamp > %s OR id > %s) {among}"
            "ORDER BY timestamp, id LIMIT %s",
            [place[0], window.end, place[0], place[1], *given, CHUNK],
        )
        if rows:
            yield rows
        if len(rows) < CHUNK:
            return
        place = (rows[-1][4], rows[-1][0])


def _revalue(rows: list[tuple[Any, ...]]) -> None:
    values = value_prices(Price(*row[1:5]) for row in rows if row[2] is not None)
    differing = []
    for row in rows:
        value = values[Price(*row[1:5])] if row[2] is not None else (None, None)
        if value != row[5:]:
            differing.append((row[0], *value))
    bulk.update_rows(Transfer, ("id", "usd_value", "eth_value"), differing)
