"""The orderbook of NFT records: live asks as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.db.keys import uint_from_key, unscaled
from tokens.models.ask import FOREVER
from tokens.prices.currency_worths import DueRates
from tokens.prices.lines import line_of

MAX_ASKS = 50
"""Asks that a record lists, the cheapest ones."""

_WALK = """
    SELECT nft_id, {price_key} AS key, id, market_id, currency_id, price, valid_until,
        start_price, end_price, price_from, price_until
    FROM tokens_ask
    WHERE nft_id = %(id)s AND active AND valid_from <= %(now)s AND valid_until > %(now)s
    ORDER BY key, id LIMIT {most}
"""
COLUMNS = """
    SELECT 1, walks.nft_id, walks.key, market.slug, currency.symbol, walks.price, walks.start_price, walks.end_price,
        walks.id, walks.valid_until, walks.price_from, walks.price_until
    FROM {walks} walks
    JOIN tokens_market market ON market.id = walks.market_id
    JOIN tokens_currency currency ON currency.id = walks.currency_id
"""


@dataclass(slots=True)
class Orderbooks:
    """Live asks by NFT id, cheapest first, and when the first of them ends or has another price.

    Unix seconds; ``None``: none does.
    """

    asks: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    first_end: int | None = None


def walk(due: DueRates) -> str:
    """Return the SQL of the live asks of an NFT at a moment (``now``), cheapest first."""
    return _WALK.replace("{price_key}", due.price_key_sql()).replace("{most}", str(MAX_ASKS))


def orderbooks(rows: Iterable[Sequence[Any]], now: int) -> Orderbooks:
    """Return the live asks of NFTs at ``now``, each as ``<marketplace>,<CURRENCY>,<price>``.

    ``rows`` are those of :func:`walk`, as :data:`COLUMNS` selects them. The price is a plain decimal without trailing
    zeros, in whole units of the currency; one that changes with time is that of ``now``, while its place among others
    is that of the last tick.
    """
    books = Orderbooks()
    ends: list[int] = []
    for row in sorted(rows, key=lambda row: (row[2], row[8])):
        _, nft_id, _, market, currency, stored, start_price, end_price, _, valid_until, *moments = row
        price, line = uint_from_key(stored), line_of(start_price, end_price, *moments)
        if line is not None:
            price = line.at(now)
            ends += line.changes_after(now)
        if valid_until < FOREVER:
            ends.append(valid_until)
        books.asks[nft_id].append(f"{market},{currency},{unscaled(price):f}")
    books.first_end = min(ends, default=None)
    return books
