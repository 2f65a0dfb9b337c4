"""The lowest live ask of collections, of this very moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.db.keys import scaled, uint_key, unscaled
from core.db.reading import fetched
from core.rest.cards import plain_number
from tokens.models import Ask
from tokens.prices.lines import line_of

LOOKED_AT = 200
"""Active asks of a collection among which the lowest live one is looked for, from the cheapest on: those before it are
not open yet, or ended and were not taken off yet."""
_ONE = """
    SELECT * FROM (
        SELECT id, contract_id FROM (
            SELECT id, contract_id, price_key, nft_id, valid_from, valid_until FROM tokens_ask
            WHERE contract_id = %s AND active ORDER BY price_key, nft_id LIMIT {most}
        ) cheapest
        WHERE valid_from <= %s AND valid_until > %s ORDER BY price_key, nft_id LIMIT 1
    ) one
"""


class Floor(NamedTuple):
    """A lowest ask: its price in whole units, and where it is."""

    price: str
    market: str

    @property
    def brief(self) -> str:
        """The price with six digits at most."""
        amount, _, currency = self.price.partition(" ")
        digits = f"{float(amount.replace(',', '')):.6g}"
        return f"{plain_number(float(digits))} {currency}"


def floors(contract_ids: Sequence[int], now: int) -> dict[int, Floor]:
    """Return the lowest live asks of collections that have any, by two queries. ``now`` is in Unix seconds."""
    if not contract_ids:
        return {}
    text = " UNION ALL ".join([_ONE.replace("{most}", str(LOOKED_AT))] * len(contract_ids))
    found = fetched(text, [value for one in contract_ids for value in (one, now, now)])
    asks = Ask.objects.select_related("currency", "market").in_bulk([row_id for row_id, _ in found])
    return {
        contract_id: Floor(f"{price_of(asks[row_id], now)} {asks[row_id].currency}", str(asks[row_id].market))
        for row_id, contract_id in found
    }


def price_of(ask: Ask, now: int) -> str:
    """Return the price of an ask at a moment as a plain decimal, grouped by thousands."""
    start, end = (None if one is None else uint_key(scaled(one)) for one in (ask.start_price, ask.end_price))
    line = line_of(start, end, ask.price_from, ask.price_until)
    return f"{unscaled(scaled(ask.price) if line is None else line.at(now)):,f}"
