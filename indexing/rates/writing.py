"""Writes rates in parts, each one transaction with all that follows from it: a run that is killed loses nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from core.batches import batched
from core.db import bulk
from core.db.writing import writing
from tokens.models import Rate
from tokens.store.facts import RateFacts
from tokens.store.rates import MAX_AGE
from tokens.store.registers import currency_ids
from transfers.ledger.factset import write_rates
from transfers.models import Transfer

AT_ONCE = 200
"""Rates written together: all transfers that they value are written with them, while no one else can write."""


def write(facts: Iterable[RateFacts]) -> Iterator[int]:
    """Write rates as they come, and yield how many each part had; values of transfers and sort keys of asks follow.

    Repeatable: what is there already changes nothing. Of one currency and second the last wins.
    """
    for part in batched(facts, AT_ONCE):
        with writing():
            bulk.keyed_plans()
            write_rates(part)
        yield len(part)


def begin_at(currency: str) -> int:
    """Return from when on rates of a currency are missing, in Unix seconds.

    That is its newest rate that is not dated ahead. Where it has none: 48 hours before the first transfer at a price,
    since no older rate can value it; or, where nothing has a price, before now.
    """
    now = int(time.time())
    with writing():
        currency_id = currency_ids([currency])[currency]
    stored = Rate.objects.filter(currency_id=currency_id, timestamp__lte=now).order_by("-timestamp")
    newest: int | None = stored.values_list("timestamp", flat=True).first()
    if newest is not None:
        return newest
    priced = Transfer.objects.filter(nft_value_amount__isnull=False).order_by("timestamp")
    first: int | None = priced.values_list("timestamp", flat=True).first()
    return max((now if first is None else min(first, now)) - MAX_AGE, 0)
