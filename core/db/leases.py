"""Work kept in rows: claimed in batches for a while, at least once, by any number of workers.

A row has ``next_attempt_at`` (none: nothing to do), ``attempts`` and ``lease``. To claim it is to move its next attempt
behind the end of the lease and to leave a token: when the worker dies the row is due again by itself, and when it has
been overtaken, by another worker or by a new request, its token no longer stands.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Model, QuerySet

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Lease:
    """Rows that are this worker's until ``until``, by primary key; ``token`` is in their ``lease`` column."""

    token: str
    keys: Sequence[Any]
    until: datetime


def claim(rows: QuerySet[M], count: int, seconds: float, now: datetime) -> Lease:
    """Claim at most ``count`` of the rows that are due, the longest due first, for some seconds.

    Each claim counts as an attempt until its worker says otherwise. Others' claims are passed over, not waited for.
    Where nothing is due no transaction is opened: on SQLite that would be to wait for writers.
    """
    token, until = secrets.token_hex(16), now + timedelta(seconds=seconds)
    due = rows.filter(next_attempt_at__lte=now).order_by("next_attempt_at", "pk")
    if not due.exists():
        return Lease(token, [], until)
    with transaction.atomic():
        keys = list(
            due.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True)[:count]
        )
        rows.model._default_manager.filter(pk__in=keys).update(
            lease=token, next_attempt_at=until, attempts=F("attempts") + 1
        )
    return Lease(token, keys, until)


def held(model: type[M], lease: Lease) -> set[Any]:
    """Return which rows of a lease are still its worker's, and lock them until the caller's transaction ends."""
    rows = model._default_manager.filter(pk__in=lease.keys, lease=lease.token)
    return set(rows.select_for_update().values_list("pk", flat=True))


def pause(attempts: int, *, first: float, times: int, longest: float, luck: float) -> timedelta:
    """Return how long to wait after a number of attempts in a row: ``first`` seconds, then ``times`` as long each.

    ``luck`` (from 0 to 1) keeps those apart that failed together: it makes 75 to 125 % of it.
    """
    seconds = min(first * times ** min(max(attempts, 1) - 1, 20), longest)
    return timedelta(seconds=seconds * (0.75 + luck / 2))
