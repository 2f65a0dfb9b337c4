"""The orderbook of NFT records: live asks as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.db.each import rows_for_each
from core.db.keys import uint_from_key, unscaled
from tokens.models.ask import FOREVER
from tokens.prices.currency_worths import NOTHING_DUE, DueRates
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
_NAMED = """
    SELECT walks.nft_id, walks.key, walks.id, market.slug, currency.symbol, walks.price, walks.valid_until,
        walks.start_price, walks.end_price, walks.price_from, walks.price_until
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


def orderbooks(nft_ids: Sequence[int], now: int, due: DueRates = NOTHING_DUE) -> Orderbooks:
    """Return the live asks of NFTs at ``now``, each as ``<marketplace>,<CURRENCY>,<price>``.

    The price is a plain decimal without trailing zeros, in whole units of the currency; one that changes with time is
    that of ``now``, while its place among others is that of the last tick.
    """
    books = Orderbooks()
    walk = _WALK.replace("{price_key}", due.price_key_sql()).replace("{most}", str(MAX_ASKS))
    ends: list[int] = []
    for row in sorted(rows_for_each(walk, nft_ids, _NAMED, now=now), key=lambda row: row[1:3]):
        nft_id, _, _, market, currency, stored, valid_until, *ends_and_moments = row
        price, line = uint_from_key(stored), line_of(*ends_and_moments)
        if line is not None:
            price = line.at(now)
            ends += line.changes_after(now)
        if valid_until < FOREVER:
            ends.append(valid_until)
        books.asks[nft_id].append(f"{market},{currency},{unscaled(price):f}")
    books.first_end = min(ends, default=None)
    return books
