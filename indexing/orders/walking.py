"""Walks a contract's order book at its source into the tables: a page a transaction, and at the end what is gone.

A walk that is killed goes on where it was. One that came to its end without a fault, at a source that shows all that it
offers, ends the asks of the source that it did not show and that were last seen before it began; an ask that a log
opened stays, since the chain's word wins over a source's.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from core.batches import batched
from core.db import locks
from core.db.writing import writing
from indexing.models import BookWalk, IndexedContract
from indexing.orders.asking import LostWalkError, SourceError
from indexing.orders.seaport import Book, RefusedOrderError, Shown
from indexing.orders.sources import Source
from indexing.write.judging import markets_of
from tokens.models import Ask
from tokens.store.chains import ChainRow
from tokens.store.facts import UNSET, AskFacts
from transfers.ledger import factset
from transfers.ledger.factset import FactSet
from transfers.ledger.orders import currencies_at

logger = logging.getLogger(__name__)

WALKER_LOCK = 730_512_188
"""First key of the advisory locks of walkers on PostgreSQL; the second one is made of source and chain."""
STALE = 86_400
"""Seconds after which a walk that was left is begun anew: its cursor is of another day's book."""
ENDED_AT_ONCE = 1_000
_ANEW = frozenset({400, 404, 410, 422})
"""Answers by which a cursor, or what it is of, shows itself to be no more."""
_EVERY = ""


class AlreadyWalkedError(Exception):
    """Another process walks this source's books of this chain."""


def only_walker(source: str, chain: ChainRow) -> AbstractContextManager[None]:
    """Hold the lock of a source and chain for the length of a block, which raises :class:`AlreadyWalkedError`."""
    second = zlib.crc32(f"{source} {chain.id}".encode()) >> 1
    fault = AlreadyWalkedError(f"Another process reads {chain.slug}'s asks of {source} into this database.")
    return locks.alone(f"asks-{source}-{chain.slug}", (WALKER_LOCK, second), fault)


class _Known(NamedTuple):
    """What is stored of an order."""

    market: str
    stated_amount: int | None


class Walker:
    """Walks books of one source and chain; whoever runs it holds the lock of both."""

    def __init__(
        self,
        source: Source,
        chain: ChainRow,
        tell: Callable[[BookWalk], None] = lambda walk: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``tell`` is called after each page, ``clock`` gives Unix seconds."""
        self._source = source
        self._chain = chain
        self._tell = tell
        self._clock = clock
        self._book = Book(source.name, chain.slug, markets_of(chain), currencies_at(chain.id))

    def walk(self, contract: str, named: Iterable[str] = ()) -> BookWalk:
        """Walk a contract's book to its end, from where the last walk was left; return what came of it.

        ``named``: collections beside those that the source names for the contract; they are remembered. Raises
        :class:`SourceError` for what then is kept as the walk's fault too; the next walk goes on from there, or begins
        anew where that is no use.
        """
        walk, _ = BookWalk.objects.get_or_create(
            chain_id=self._chain.id, source=self._source.name, address=contract
        )
        try:
            self._begin(walk, named)
            cursors: set[tuple[str, str]] = set()
            while walk.collections:
                self._page(walk, cursors)
            self._end(walk)
        except SourceError as fault:
            walk.refresh_from_db()
            walk.fault, walk.fault_at = str(fault), self._now()
            if isinstance(fault, LostWalkError) or fault.status in _ANEW:
                walk.began_at = None
            walk.save()
            raise
        return walk

    def _now(self) -> int:
        return int(self._clock())

    def _begin(self, walk: BookWalk, named: Iterable[str]) -> None:
        walk.named = list(dict.fromkeys([*walk.named, *named]))
        if walk.began_at is None or self._now() - walk.began_at >= STALE:
            began_at = self._now()
            found = dict.fromkeys([*self._source.collections(walk.address), *walk.named])
            walk.began_at, walk.collections, walk.cursor = began_at, list(found), ""
            walk.pages = walk.shown = walk.refused = walk.differing = 0
        walk.save()

    def _page(self, walk: BookWalk, cursors: set[tuple[str, str]]) -> None:
        place = walk.collections[0], walk.cursor
        if place in cursors:
            raise LostWalkError(f"{self._source.name} repeats its pages")
        cursors.add(place)
        page = self._source.page(place[0], walk.cursor or None)
        if page.cursor is None:
            walk.collections, walk.cursor = walk.collections[1:], ""
        else:
            walk.cursor = page.cursor
        walk.pages += 1
        read = [one for order in page.orders if (one := self._read(order, walk)) is not None]
        walk.shown += sum(isinstance(one, Shown) for one in read)
        walk.differing += sum(isinstance(one, Shown) and one.stated not in (None, one.total) for one in read)
        known = self._known(one.facts.order_hash if isinstance(one, Shown) else one for one in read)
        is_indexed = self._is_indexed(walk.address)
        facts = [fact for one in read if (fact := self._fact(one, known, is_indexed=is_indexed)) is not None]
        with writing():
            _write(facts)
            walk.save()
        self._tell(walk)

    def _read(self, order: Any, walk: BookWalk) -> Shown | str | None:
        """Return an order of the contract; one that is refused as the hash that is stated, if any."""
        try:
            shown = self._source.read(order, self._book, self._now())
        except RefusedOrderError as fault:
            walk.refused += 1
            told = order.get("order_hash", order.get("id")) if isinstance(order, dict) else None
            name = told.lower() if isinstance(told, str) and len(told) <= 100 and told.isascii() else None
            logger.info("An order of %s is refused: it %s.", self._source.name, fault)
            return name
        return shown if shown.facts.address == walk.address else None

    def _known(self, hashes: Iterable[str]) -> dict[str, _Known]:
        rows = Ask.objects.filter(chain_id=self._chain.id, order_hash__in=list(set(hashes)))
        return {
            order_hash: _Known(market, amount)
            for order_hash, market, amount in rows.values_list("order_hash", "market__slug", "stated_amount")
        }

    def _is_indexed(self, contract: str) -> bool:
        rows = IndexedContract.objects.filter(chain_id=self._chain.id, address__in=[_EVERY, contract])
        return rows.exists()

    def _fact(self, one: Shown | str, known: dict[str, _Known], *, is_indexed: bool) -> AskFacts | None:
        """Return what a shown order states; of a refused one only that it was seen, where it is known."""
        if isinstance(one, str):
            stored = known.get(one)
            return stored and AskFacts(self._chain.slug, stored.market, one, seen_at=self._now())
        stored = known.get(one.facts.order_hash)
        # What fills have taken since is known by the chain, where it is indexed; the source may be behind.
        amount = None if stored is None else stored.stated_amount
        if amount is not None and (is_indexed or amount == one.facts.amount):
            one.facts.amount = UNSET
        return one.facts

    def _end(self, walk: BookWalk) -> None:
        """End what the walk did not show, and the walk."""
        if self._source.is_complete:
            if not walk.shown and walk.last_shown:
                raise LostWalkError(
                    f"{self._source.name} shows nothing where it showed {walk.last_shown:,} orders"
                )
            gone = self._gone(walk)
            for part in batched(gone, ENDED_AT_ONCE):
                with writing():
                    _write(part)
            walk.ended, walk.read_at, walk.last_shown = len(gone), walk.began_at, walk.shown
        walk.began_at, walk.completed_at = None, self._now()
        walk.fault, walk.fault_at = "", None
        walk.save()

    def _gone(self, walk: BookWalk) -> list[AskFacts]:
        rows = Ask.objects.filter(
            chain_id=self._chain.id,
            contract__address=walk.address,
            source=self._source.name,
            stated_status=Ask.Status.OPEN,
            seen_at__lt=walk.began_at,
            gone_at=None,
            opened_block=None,
        )
        now = self._now()
        return [
            AskFacts(self._chain.slug, market, order_hash, gone_at=now)
            for market, order_hash in rows.values_list("market__slug", "order_hash")
        ]


def _write(found: Sequence[AskFacts]) -> None:
    if found:
        facts = FactSet()
        for one in found:
            facts.take(one)
        factset.write(facts)
