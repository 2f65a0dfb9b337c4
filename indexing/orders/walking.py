"""Walks a contract's order book at its source into the tables: a page a transaction, and at the end what is gone.

A walk that is killed goes on where it was. What a page shows is written where it is new; that the rest was seen, only
the walk's own rows tell, until it ends (``pages``).

A walk that came to its end without a fault, at a source that shows all that it offers, ends the asks of the source that
it did not show and of which nothing new was told since it began; an ask that a log opened stays, since the chain's word
wins over a source's.
"""

from __future__ import annotations

import logging
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, NamedTuple

from core.batches import batched
from core.chains import MINT
from core.db import locks
from core.db.writing import writing
from indexing.models import BookWalk
from indexing.orders import pages, queue
from indexing.orders.asking import LostWalkError, SourceError
from indexing.orders.keeping import keep, write
from indexing.orders.seaport import Book, RefusedOrderError, Shown
from indexing.orders.sources import Named, Source
from indexing.write.judging import markets_of
from tokens.models import Ask, Nft
from tokens.store.chains import ChainRow
from tokens.store.facts import AskFacts
from transfers.ledger.order_asks import currencies_at

logger = logging.getLogger(__name__)

WALKER_LOCK = 730_512_188
"""First key of the advisory locks of walkers on PostgreSQL; the second one is made of source and chain."""
STALE = 86_400
"""Seconds after which a walk that was left is begun anew: its cursor is of another day's book."""
EMPTY = 86_400
"""Seconds for which a source has to show nothing of a collection, where it had shown orders, until it is believed."""
ENDED_AT_ONCE = 1_000
MOST_ASKED = 50
"""Live asks that a walk did not show which are asked for by themselves: where there are several pages, orders may have
moved from one to the other while they were read."""
_ANEW = frozenset({400, 404, 410, 422})
"""Answers by which a cursor, or what it is of, shows itself to be no more."""
_PROGRESS = ("collections", "cursor", "pages", "shown", "shown_of", "refused", "refusals", "differing")
_NAMED = re.compile(r"0x[0-9a-f]+|[0-9][0-9,]*")
"""What reasons quote of an order: without it they are a few dozen."""
MOST_REASONS = 50


class AlreadyWalkedError(Exception):
    """Another process walks this source's books of this chain."""


def only_walker(source: str, chain: ChainRow) -> AbstractContextManager[None]:
    """Hold the lock of a source and chain for the length of a block, which raises :class:`AlreadyWalkedError`."""
    second = zlib.crc32(f"{source} {chain.id}".encode()) >> 1
    fault = AlreadyWalkedError(f"Another process reads {chain.slug}'s asks of {source} into this database.")
    return locks.alone(f"asks-{source}-{chain.slug}", (WALKER_LOCK, second), fault)


class _Read(NamedTuple):
    """What was read of a page."""

    shown: list[Shown]
    """Orders of the contract."""
    refused: list[str]
    """The hashes that were stated of orders that are not taken."""
    reasons: Counter[str]
    """How many were refused for each reason, also without a hash."""


class Walker:
    """Walks books of one source and chain; whoever runs it holds the lock of both."""

    def __init__(
        self,
        source: Source,
        chain: ChainRow,
        tell: Callable[[BookWalk], None] = lambda walk: None,
        clock: Callable[[], float] = time.time,
        every: int = queue.EVERY,
    ) -> None:
        """``tell`` is called after each page, ``clock`` gives Unix seconds; ``every``: seconds between two walks."""
        self.source = source
        self.chain = chain
        self._tell = tell
        self._clock = clock
        self._every = every
        self._book = Book(source.name, chain.slug, markets_of(chain), currencies_at(chain.id))

    def walk(self, contract: str, named: Iterable[str] = ()) -> BookWalk:
        """Walk a contract's book to its end, from where the last walk was left; return what came of it.

        ``named``: collections beside those that the source names for the contract; they are remembered. Raises
        :class:`SourceError` for what then is kept as the walk's fault too; the next walk goes on from there, or begins
        anew where that is no use.
        """
        walk = queue.add(self.chain.id, self.source.name, contract, named, self.now())
        while not self.step(walk):
            pass
        return walk

    def step(self, walk: BookWalk) -> bool:
        """Read a page of a book, or after the last one end what is gone; return whether the walk is over.

        Raises :class:`SourceError` as :meth:`walk`.
        """
        walk.refresh_from_db()
        try:
            if walk.began_at is None or self.now() - walk.began_at >= STALE:
                self._begin(walk)
            if walk.collections:
                self._page(walk)
                return False
            self._end(walk)
        except SourceError as fault:
            self.fail(walk, fault)
            raise
        return True

    def fail(self, walk: BookWalk, fault: SourceError) -> None:
        """Keep what went wrong; where going on is no use the next walk begins anew."""
        walk.refresh_from_db()
        if isinstance(fault, LostWalkError) or fault.status in _ANEW:
            walk.began_at = None
            walk.save(update_fields=["began_at"])
        queue.fail(walk, str(fault), self.now())

    def take(self, orders: Iterable[Any], walk: BookWalk) -> int:
        """Write orders of a book that came by themselves; return how many of them are new or changed."""
        read = self._read(orders, walk)
        with writing():
            _, count = keep(self.chain, self.source.name, read.shown, read.refused)
        return count

    def now(self) -> int:
        """Return the moment, in Unix seconds."""
        return int(self._clock())

    def _begin(self, walk: BookWalk) -> None:
        began_at = self.now()
        found = dict.fromkeys([*self._collections(walk), *walk.named])
        self._book = self._book._replace(
            registry=markets_of(self.chain), currencies=currencies_at(self.chain.id)
        )
        walk.began_at, walk.collections, walk.cursor = began_at, list(found), ""
        walk.pages = walk.shown = walk.refused = walk.differing = 0
        walk.refusals = {}
        walk.shown_of = dict.fromkeys(found, 0)
        with writing():
            pages.forget(walk)
            walk.save(update_fields=["began_at", *_PROGRESS])
            queue.begin(walk)

    def _collections(self, walk: BookWalk) -> list[str]:
        try:
            return self.source.collections(walk.address)
        except SourceError as fault:
            if fault.status in _ANEW and walk.named:  # it does not know the contract, and an operator does
                return []
            raise

    def _page(self, walk: BookWalk) -> None:
        collection, place = walk.collections[0], pages.place_of(walk)
        if pages.is_read(walk, place):
            raise LostWalkError(f"{self.source.name} repeats its pages")
        page = self.source.page(collection, walk.cursor or None)
        if page.cursor is None:
            walk.collections, walk.cursor = walk.collections[1:], ""
        else:
            walk.cursor = page.cursor
        read = self._read(page.orders, walk)
        walk.pages += 1
        walk.refused += read.reasons.total()
        walk.refusals = dict((Counter(walk.refusals) + read.reasons).most_common(MOST_REASONS))
        walk.shown += len(read.shown)
        walk.shown_of[collection] = walk.shown_of.get(collection, 0) + len(read.shown)
        walk.differing += sum(one.stated not in (None, one.total) for one in read.shown)
        with writing():
            ids, _ = keep(self.chain, self.source.name, read.shown, read.refused)
            pages.keep(walk, place, ids)
            walk.save(update_fields=_PROGRESS)
            queue.begin(walk)
            queue.tell(self.chain.id, self.source.name, self.now(), limit=self.source.limit, pages=1)
        self._tell(walk)

    def _read(self, orders: Iterable[Any], walk: BookWalk) -> _Read:
        read, refused, reasons = [], [], Counter[str]()
        for order in orders:
            try:
                shown = self.source.read(order, self._book, self.now())
            except RefusedOrderError as fault:
                reasons[_NAMED.sub("…", str(fault))] += 1
                told = order.get("order_hash", order.get("id")) if isinstance(order, dict) else None
                if isinstance(told, str) and len(told) <= 100 and told.isascii():
                    refused.append(told.lower())
                logger.debug("An order of %s is refused: it %s.", self.source.name, fault)
                continue
            read.append(shown)
        return _Read(self._of_contract(read, walk), refused, reasons)

    def _of_contract(self, read: Sequence[Shown], walk: BookWalk) -> list[Shown]:
        """Return the orders of the contract, which a collection may have others beside.

        Where NFTs are identified by mints an order does not name their collection: then it is the one of the book,
        unless it is known to be another.
        """
        if self.chain.kind != MINT:
            return [one for one in read if one.facts.address == walk.address]
        keys = {one.facts.token_key for one in read}
        known = Nft.objects.filter(chain_id=self.chain.id, token_key__in=list(keys))
        elsewhere = known.exclude(contract__address__in=["", walk.address])
        foreign = set(elsewhere.values_list("token_key", flat=True))
        found = [one for one in read if one.facts.token_key not in foreign]
        for one in found:
            one.facts.address = walk.address
        return found

    def _end(self, walk: BookWalk) -> None:
        """End what the walk did not show, and the walk."""
        assert walk.began_at is not None
        now = self.now()
        fields = ["began_at", "completed_at", "changes_at"]
        if self.source.is_complete:
            self._check_empty(walk, now)
            gone = self._gone(walk)
            for part in batched(gone, ENDED_AT_ONCE):
                rows = Ask.objects.filter(id__in=part).values_list("market__slug", "order_hash")
                with writing():
                    write([AskFacts(self.chain.slug, *one, gone_at=now) for one in rows])
            walk.ended, walk.read_at, walk.empty_since = len(gone), walk.began_at, None
            walk.last_shown, walk.last_shown_of = walk.shown, walk.shown_of
            fields += ["ended", "read_at", "empty_since", "last_shown", "last_shown_of"]
        began_at, walk.began_at, walk.completed_at = walk.began_at, None, now
        walk.changes_at = max(walk.changes_at or 0, began_at)
        with writing():
            pages.forget(walk)
            walk.save(update_fields=fields)
            queue.finish(walk, began_at, now + self._every)

    def _check_empty(self, walk: BookWalk, now: int) -> None:
        """Refuse a walk that found a collection empty that was not, until it has been found so for a day."""
        empty = [one for one, count in walk.shown_of.items() if not count and walk.last_shown_of.get(one)]
        if not empty:
            return
        if walk.empty_since is None:
            walk.empty_since = now
            walk.save(update_fields=["empty_since"])
        if now - walk.empty_since < EMPTY:
            count = sum(walk.last_shown_of[one] for one in empty)
            raise LostWalkError(f"{self.source.name} shows nothing where it showed {count:,} orders")

    def _gone(self, walk: BookWalk) -> list[int]:
        """Return the ids of the asks that the source offers no more."""
        gone = pages.missing(walk)
        if walk.pages <= len(walk.shown_of):  # what fits on a page was shown at one moment
            return list(gone)
        kept = {
            row_id for row_id, named in islice(self._named(gone), MOST_ASKED) if self._is_offered(named, walk)
        }
        if kept and len(gone) > MOST_ASKED:
            raise LostWalkError(f"{self.source.name} leaves out of {len(gone):,} orders some that it offers")
        return [one for one in gone if one not in kept]

    def _named(self, ids: Iterable[int]) -> Iterator[tuple[int, Named]]:
        """Yield those of some asks that are live and can be asked for by themselves."""
        now = self.now()
        live = Ask.objects.filter(active=True, valid_from__lte=now, valid_until__gt=now)
        for part in batched(ids, MOST_ASKED):
            rows = live.filter(id__in=part, exchange__isnull=False).order_by("id")
            for row_id, order_hash, exchange in rows.values_list("id", "order_hash", "exchange"):
                yield row_id, Named(order_hash, exchange or "")

    def _is_offered(self, named: Named, walk: BookWalk) -> bool:
        """Tell whether a source still offers an order that its pages did not show."""
        order = self.source.one(named)
        if order is None:
            return False
        try:
            shown = self.source.read(order, self._book, self.now())
        except RefusedOrderError:
            return True
        return shown.facts.gone_at is None and shown.facts.address == walk.address
