"""Keeps order books current: what was listed since is asked for each minute, and whole walks are made in turn.

Both stay within the limits that the source tells of: of what is left, as much is kept as asking for changes takes until
it allows more, though never more than half of all.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Iterable

from django.db import DatabaseError
from django.db.models import QuerySet

from indexing.models import BookWalk
from indexing.orders import queue
from indexing.orders.asking import SourceError
from indexing.orders.sources import Named
from indexing.orders.walking import Walker
from tokens.models import Ask

logger = logging.getLogger(__name__)

CHANGES_EVERY = 40
"""Seconds between two looks for what was listed in a book, where the limits allow it."""
OVERLAP = 120
"""Seconds that are asked for again each time: a source may know of a listing before it tells of it."""
FURTHEST = queue.DAY
"""Seconds back for which changes are asked for; who is further behind only walks."""
MOST_LOOKS = 50
"""Orders of a book that are asked for by themselves at once; where more are new the whole book is due."""
PAUSE = 300
"""Seconds until changes of a book are asked for again after a fault."""
BEAT_EVERY = 30
"""Seconds between two signs of life while there is nothing to do."""
DEFECT = "the service itself failed at it; its log has more"


class StoppedError(Exception):
    """Whoever runs the reader wants it to end."""


class Follower:
    """Reads the books of one source and chain for as long as it is asked to; whoever runs it holds the lock of both."""

    def __init__(
        self, walker: Walker, *, among: Collection[str] = (), tell: Callable[[BookWalk, str], None]
    ) -> None:
        """``among``: contracts to keep to; else all that there are, also those that are added meanwhile.

        ``tell`` is called after each whole walk, and for each fault with its text.
        """
        self._walker = walker
        self._source = walker.source
        self._among = among
        self._tell = tell
        self._paused: dict[int, int] = {}
        """Until when no changes are asked for, by book."""
        self._looked: dict[int, set[Named]] = {}
        """The orders that the last changes named and that were looked at, by book."""
        self._beat_at = 0

    def step(self) -> bool:
        """Do one thing that is due; return whether there was any."""
        now = self._walker.now()
        if now - self._beat_at >= BEAT_EVERY:
            self._beat(now)
        if self._source.limit.wait(now):
            return False
        book = self._changed(now)
        if book is not None:
            self._pause(book, self._guarded(book, self._read_changes))
            return True
        book = queue.due(self._books(), now)
        if book is None or (book.requested_at is None and self._is_kept(now)):
            return False
        if self._guarded(book, self._walk) == DEFECT:
            queue.fail(book, DEFECT, now)
        return True

    def _beat(self, now: int) -> None:
        self._beat_at = now
        queue.tell(self._walker.chain.id, self._source.name, now, limit=self._source.limit)

    def _books(self) -> QuerySet[BookWalk]:
        return queue.books(self._walker.chain.id, self._source.name, self._among)

    def _followed(self) -> QuerySet[BookWalk]:
        return self._books().filter(read_at__isnull=False, changes_at__isnull=False)

    def _changed(self, now: int) -> BookWalk | None:
        """Return a book of which it is time to ask what was listed since."""
        if not self._source.has_changes:
            return None
        paused = [row_id for row_id, until in self._paused.items() if until > now]
        rows = self._followed().filter(changes_at__lte=now - self._gap(now), changes_at__gte=now - FURTHEST)
        return rows.exclude(id__in=paused).order_by("changes_at", "id").first()

    def _gap(self, now: int) -> float:
        """Return the seconds between two looks for changes of a book: longer where the limits ask for it."""
        limit = self._source.limit
        if limit.left is None or limit.resets_at is None:
            return CHANGES_EVERY
        between = max(limit.resets_at - now, 0) / max(limit.left, 1)
        return max(CHANGES_EVERY, between * self._followed().count())

    def _is_kept(self, now: int) -> bool:
        """Tell whether all requests that are left are kept for changes."""
        limit = self._source.limit
        if limit.left is None or limit.most is None or (limit.resets_at or 0) <= now:
            return False
        assert limit.resets_at is not None
        rounds = self._source.has_changes * math.ceil((limit.resets_at - now) / CHANGES_EVERY)
        return limit.left <= min(rounds * self._followed().count(), limit.most // 2)

    def _walk(self, book: BookWalk) -> None:
        if self._walker.step(book):
            self._tell(book, "")

    def _read_changes(self, book: BookWalk) -> None:
        assert book.changes_at is not None
        now = self._walker.now()
        since = book.changes_at - OVERLAP
        named = dict.fromkeys(
            one for collection in book.last_shown_of for one in self._source.changes(collection, since)
        )
        new = self._news(book, named)
        looked = self._looked.get(book.pk, set()) & named.keys()
        orders = []
        for one in new[:MOST_LOOKS]:
            order = self._source.one(one)
            if order is not None:  # else it is asked for again
                orders.append(order)
                looked.add(one)
        self._walker.take(orders, book)
        self._looked[book.pk] = looked
        self._beat(now)
        rows = BookWalk.objects.filter(pk=book.pk)
        rows.update(changes_at=now)
        if len(new) > MOST_LOOKS:
            rows.filter(next_at__gt=now).update(next_at=now)

    def _news(self, book: BookWalk, named: Iterable[Named]) -> list[Named]:
        """Return the orders to be looked at: unknown ones, those that were gone, and those with other news."""
        looked = self._looked.get(book.pk, set())
        new = [one for one in named if one not in looked]
        rows = Ask.objects.filter(
            chain_id=book.chain_id,
            order_hash__in=[one.order_hash for one in new],
            source=book.source,
            gone_at=None,
        )
        known = set(rows.values_list("order_hash", flat=True))
        return [one for one in new if not (one.is_listing and one.order_hash in known)]

    def _pause(self, book: BookWalk, fault: str) -> None:
        if fault:
            now = self._walker.now()
            self._paused[book.pk] = now + PAUSE
            queue.note(book, fault, now)

    def _guarded(self, book: BookWalk, work: Callable[[BookWalk], None]) -> str:
        """Work at a book; what goes wrong with it is told and returned, and keeps no other from being read."""
        try:
            work(book)
        except (DatabaseError, StoppedError):
            raise
        except SourceError as error:
            fault = str(error)
        except Exception:  # a defect of ours on one book: the others go on
            logger.exception("The order book %s could not be read", book)
            fault = DEFECT
        else:
            return ""
        self._tell(book, fault)
        return fault
