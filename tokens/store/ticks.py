"""Ticks: the stored prices and sort keys of asks whose price changes, brought to the moment."""

from __future__ import annotations

from collections.abc import Sequence

from core.batches import batched
from core.db import bulk
from core.db.keys import uint_key
from core.db.writing import writing
from tokens.models import Ask
from tokens.prices.currency_worths import currency_rows, keyed_worths
from tokens.prices.lines import is_changing, line_of

EVERY = 60
"""Seconds between ticks: so much the order of asks, and their place among others, may lag behind their prices."""

CHUNK = 5_000
"""Asks that are brought to the moment in one transaction."""

_COLUMNS = (
    "id",
    "currency_id",
    "price",
    "price_key",
    "start_price",
    "end_price",
    "price_from",
    "price_until",
)


def tick(now: int) -> int:
    """Bring the stored prices of the active asks whose price changes to a moment (Unix seconds).

    Returns how many have got another one. Reads those alone that have not come to their end yet. May be interrupted
    and repeated at any moment, also beside the service.
    """
    ids = (
        Ask.objects.filter(is_changing(now))
        .order_by("contract_id", "price_from")
        .values_list("id", flat=True)
    )
    changed = 0
    for chunk in batched(list(ids), CHUNK):
        with writing():
            changed += _bring(chunk, now)
    return changed


def _bring(ids: Sequence[int], now: int) -> int:
    worths = keyed_worths(currency_rows(now))
    differing = []
    for row_id, currency_id, price, key, *ends_and_moments in bulk.rows_by(
        Ask, ("id",), [(one,) for one in ids], _COLUMNS
    ):
        line = line_of(*ends_and_moments)
        if line is not None:
            exact = line.at(now)
            found = (uint_key(exact), worths[currency_id].price_key(exact))
            if found != (price, key):
                differing.append((row_id, *found))
    bulk.update_rows(Ask, ("id", "price", "price_key"), differing)
    return len(differing)
