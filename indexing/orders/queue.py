"""Which order book is read next, and what becomes of it, in the rows that operators see.

First comes what an operator asked for, then what has waited too long, then what was begun, then what sells, then what
has waited longest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from django.db.models import Case, F, Q, QuerySet, Value, When

from core.db import leases
from core.db.writing import writing
from indexing.models import BookSource, BookWalk
from transfers.models import Transfer

if TYPE_CHECKING:
    from indexing.orders.asking import Limit

DAY = 86_400
EVERY = 600
"""Seconds from the end of a whole walk until the book is due again."""
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 6 * 3600.0
"""Seconds that a book waits after its first fault; twice as long after each further one, at most so long."""
_SALES_AMONG, _SALES_WITHIN = 100, 7 * DAY
"""Newest transfers of a contract that are looked at, and how many seconds ago a sale still counts."""
State = BookWalk.State


def add(chain_id: int, source: str, address: str, named: Iterable[str], now: int) -> BookWalk:
    """Return a contract's book at a source, made if it is not known; ``named`` are remembered as collections of it."""
    walk, is_new = BookWalk.objects.get_or_create(chain_id=chain_id, source=source, address=address)
    both = list(dict.fromkeys([*walk.named, *named]))
    if is_new or both != walk.named:
        walk.named, walk.sales = both, _sales(walk, now)
        walk.save(update_fields=["named", "sales"])
    return walk


def request(ids: Collection[int], now: int) -> int:
    """Have books be read before all others, also those that failed or were stopped; return how many they are."""
    rows = BookWalk.objects.filter(id__in=ids)
    rows.exclude(state=State.WALKING).update(state=State.WAITING)
    return rows.update(requested_at=now, next_at=now, attempts=0)


def resume(ids: Collection[int]) -> None:
    """Have books that were stopped be read again."""
    BookWalk.objects.filter(id__in=ids, state=State.STOPPED).update(state=State.WAITING)


def stop(ids: Collection[int]) -> int:
    """Have books not be read any more; return how many they are."""
    return BookWalk.objects.filter(id__in=ids).update(state=State.STOPPED, requested_at=None)


def books(chain_id: int, source: str, among: Collection[str] = ()) -> QuerySet[BookWalk]:
    """Return the books that are to be read: of ``among`` (contracts), or all of a source and chain."""
    rows = BookWalk.objects.filter(chain_id=chain_id, source=source).exclude(state=State.STOPPED)
    return rows.filter(address__in=among) if among else rows


def in_turn(rows: QuerySet[BookWalk], now: int) -> QuerySet[BookWalk]:
    """Return books in the order in which they are read."""
    has_waited = Case(When(next_at__lt=now - DAY, next_at__gt=0, then=Value(0)), default=Value(1))
    is_begun = Case(When(began_at__isnull=False, then=Value(0)), default=Value(1))
    return rows.order_by(
        F("requested_at").asc(nulls_last=True), has_waited, is_begun, "-sales", "next_at", "id"
    )


def due(rows: QuerySet[BookWalk], now: int) -> BookWalk | None:
    """Return the book that is to be read now."""
    return in_turn(rows.filter(next_at__lte=now), now).first()


def fail(walk: BookWalk, fault: str, now: int) -> None:
    """Keep what went wrong with a book, and when it is tried again."""
    walk.attempts += 1
    pause = leases.pause(walk.attempts, first=FIRST_PAUSE, times=2, longest=LONGEST_PAUSE, luck=0.5)
    walk.fault, walk.fault_at, walk.next_at = fault, now, now + int(pause.total_seconds())
    with writing():
        walk.save(update_fields=["attempts", "fault", "fault_at", "next_at"])
        _become(walk, State.FAILED)
        tell(walk.chain_id, walk.source, now, faults=1)


def note(walk: BookWalk, fault: str, now: int) -> None:
    """Keep what went wrong beside a walk."""
    BookWalk.objects.filter(pk=walk.pk).update(fault=fault, fault_at=now)
    tell(walk.chain_id, walk.source, now, faults=1)


def begin(walk: BookWalk) -> None:
    """Note that a book is being read."""
    if walk.state != State.WALKING:
        _become(walk, State.WALKING)


def finish(walk: BookWalk, began_at: int, next_at: int) -> None:
    """Note that a book was read from a moment on, and when it is due again; saves no other field."""
    walk.attempts, walk.next_at, walk.fault, walk.fault_at = 0, next_at, "", None
    walk.sales = _sales(walk, began_at)
    BookWalk.objects.filter(pk=walk.pk, requested_at__lte=began_at).update(requested_at=None)
    is_asked = BookWalk.objects.filter(pk=walk.pk, requested_at__isnull=False).exists()
    walk.next_at = began_at if is_asked else next_at
    walk.save(update_fields=["attempts", "next_at", "fault", "fault_at", "sales"])
    _become(walk, State.WAITING)


def tell(
    chain_id: int, source: str, now: int, *, limit: Limit | None = None, pages: int = 0, faults: int = 0
) -> None:
    """Note that a reader is at work, and what the source says of its limits."""
    row, _ = BookSource.objects.get_or_create(chain_id=chain_id, source=source)
    told = {} if limit is None or limit.most is None else _limits(limit)
    BookSource.objects.filter(pk=row.pk).update(
        beat_at=now, pages_total=F("pages_total") + pages, faults_total=F("faults_total") + faults, **told
    )


def _limits(limit: Limit) -> dict[str, int | None]:
    resets_at = None if limit.resets_at is None else int(limit.resets_at)
    return {"limit_most": limit.most, "limit_left": limit.left, "limit_resets_at": resets_at}


def _become(walk: BookWalk, state: BookWalk.State) -> None:
    """Set the state, unless an operator has stopped it meanwhile."""
    if BookWalk.objects.filter(pk=walk.pk).filter(~Q(state=State.STOPPED)).update(state=state):
        walk.state = state


def _sales(walk: BookWalk, now: int) -> int:
    """Return how many of a contract's newest transfers are sales of the last days."""
    rows = Transfer.objects.filter(contract__chain_id=walk.chain_id, contract__address=walk.address)
    newest = rows.order_by("recent_key", "id").values_list("transfer_type", "timestamp")[:_SALES_AMONG]
    return sum(kind == Transfer.Type.SALE and at > now - _SALES_WITHIN for kind, at in newest)
