"""Writing rates, and bringing the sort keys of asks into line with the newest ones."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from core.db import bulk
from core.db.keys import scaled, uint_from_key, uint_key
from tokens.models import Ask, Currency, Rate
from tokens.prices.currency_worths import currency_rows, current_worths, keyed_worths
from tokens.prices.pricing import Worth
from tokens.store.facts import RateFacts
from tokens.store.registers import currency_ids

MAX_AGE = 48 * 3600
"""Seconds that a rate may be older than the transfer it values."""

CHUNK = 5000
"""Asks keyed at once."""


class Window(NamedTuple):
    """Seconds, both inclusive, in which a transfer may be valued at a rate that has changed."""

    currency_id: int
    start: int
    end: int


def write(facts: Sequence[RateFacts]) -> tuple[Window, ...]:
    """Write rates, the later line of one currency and second winning; no ``usd`` deletes the rate.

    Unknown currencies are registered. Returns the windows in which values may have changed, to be given to
    ``transfers.ledger.values.fill``; empty when nothing changed. Called within ``writing()``.
    """
    if not facts:
        return ()
    ids = currency_ids(one.currency for one in facts)
    wanted = {
        (ids[one.currency], one.timestamp): None if one.usd is None else uint_key(scaled(one.usd))
        for one in facts
    }
    columns = ("currency_id", "timestamp", "usd")
    rows = bulk.rows_by(Rate, ("currency_id", "timestamp"), list(wanted), columns)
    stored = {row[:2]: row[2] for row in rows}
    changed = [key for key, usd in wanted.items() if stored.get(key) != usd]
    new = [(*key, wanted[key]) for key in changed if key not in stored]
    bulk.copy_rows(Rate, columns, new)
    differing = [(*key, wanted[key]) for key in changed if key in stored and wanted[key] is not None]
    bulk.update_rows(Rate, columns, differing, key=2)
    bulk.delete_rows(Rate, columns[:2], [key for key in changed if wanted[key] is None])
    return _windows(changed)


def rekey() -> int:
    """Key the asks of every currency whose newest rate has changed what it is worth; return how many asks changed.

    Does nothing when nothing changed; called within ``writing()``, so that readers see all asks keyed at the same
    rates. Rates that are still to come are noted.
    """
    now = int(time.time())
    currencies = currency_rows(now)
    keyed, current = keyed_worths(currencies), current_worths(currencies)
    changed = 0
    for currency_id, worth in current.items():
        if not worth.same_key(keyed[currency_id]):
            changed += _rekey_currency(currency_id, worth)
    differing = [
        (currency_id, None if worth.rate is None else uint_key(worth.rate))
        for currency_id, worth in current.items()
        if worth.rate != keyed[currency_id].rate
    ]
    bulk.update_rows(Currency, ("id", "keyed_usd"), differing)
    _note_coming_rates(now)
    return changed


def key_anew(currency_id: int) -> None:
    """Key all open asks of a currency of which it has changed what it wraps, or that has got those of another.

    What their keys were made with cannot be told any more, so none is taken for right. Called within ``writing()``;
    :func:`rekey` must follow.
    """
    _rekey_currency(currency_id, current_worths(currency_rows(int(time.time())))[currency_id])


def _note_coming_rates(now: int) -> None:
    """Note when each currency's next rate comes due: from then on ``tokens.prices.currency_worths`` looks for it."""
    coming = (
        f"SELECT min(rate.timestamp) FROM {Rate._meta.db_table} rate "
        "WHERE rate.currency_id = currency.id AND rate.timestamp > %s"
    )
    table = Currency._meta.db_table
    rows = bulk.fetch(f"SELECT id, next_rate_at, ({coming}) FROM {table} currency", [now])
    bulk.update_rows(Currency, ("id", "next_rate_at"), [(row[0], row[2]) for row in rows if row[1] != row[2]])


def _rekey_currency(currency_id: int, worth: Worth) -> int:
    """Key the asks of a currency that are stated to be open: one that has ended may come back with a reorganisation."""
    after, changed = 0, 0
    while True:
        rows = bulk.fetch(
            f"SELECT id, price, price_key FROM {Ask._meta.db_table} "
            "WHERE currency_id = %s AND stated_status = 'open' AND id > %s ORDER BY id LIMIT %s",
            [currency_id, after, CHUNK],
        )
        keys = [(row[0], worth.price_key(uint_from_key(row[1])), row[2]) for row in rows]
        differing = [(row_id, key) for row_id, key, before in keys if key != before]
        bulk.update_rows(Ask, ("id", "price_key"), differing)
        changed += len(differing)
        if len(rows) < CHUNK:
            return changed
        after = rows[-1][0]


def _windows(changed: Sequence[tuple[int, int]]) -> tuple[Window, ...]:
    """Return from when to when each changed rate is the newest one of its currency."""
    if not changed:
        return ()
    given, parameters = moments_table(changed)
    following = (
        f"SELECT min(rate.timestamp) FROM {Rate._meta.db_table} rate "
        "WHERE rate.currency_id = given.currency_id AND rate.timestamp > given.moment"
    )
    rows = bulk.fetch(f"SELECT given.currency_id, given.moment, ({following}) FROM {given}", parameters)
    return tuple(
        sorted(
            Window(
                currency_id, moment, moment + MAX_AGE if later is None else min(moment + MAX_AGE, later - 1)
            )
            for currency_id, moment, later in rows
        )
    )


def moments_table(moments: Iterable[tuple[int, int]]) -> tuple[str, list[Any]]:
    """Return the SQL of a table ``given(currency_id, moment)`` of any number of rows, and its parameters."""
    pairs = list(moments)
    if connection.vendor == "postgresql":
        columns = [bulk.array_text([pair[place] for pair in pairs]) for place in (0, 1)]
        return "unnest(%s::bigint[], %s::bigint[]) given(currency_id, moment)", columns
    path = "json_extract(value, '$[0]') AS currency_id, json_extract(value, '$[1]') AS moment"
    return f"(SELECT {path} FROM json_each(%s)) given", [json.dumps(pairs)]
