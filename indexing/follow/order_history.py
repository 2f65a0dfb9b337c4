"""Reads what was said of orders before indexing began: an ask that is open may be years old.

Needs no receipts, and headers only of blocks in which something was said. A window a transaction, so that a run that is
killed goes on where it was; what is read twice changes nothing.
"""

from __future__ import annotations

import logging
import time

from django.db.models import Min

from core.db.writing import writing
from indexing.follow import order_logs
from indexing.follow.window_width import LogWindows
from indexing.judge.markets.reading import Registry
from indexing.models import IndexedChain, IndexedContract
from indexing.node.agreement import InconsistentAnswersError, check_hashes
from indexing.node.logs import Unreadable
from indexing.node.source import Source
from indexing.write import undecoded
from indexing.write.checkpoints import EVERY
from indexing.write.order_books import Found, OrderBooks
from indexing.write.window import Window
from tokens.store.chains import ChainRow
from transfers.ledger import factset

logger = logging.getLogger(__name__)

TOLD_EVERY = 10.0
"""Seconds between lines of the log that tell of progress."""


def begin(chain: ChainRow, first: int) -> None:
    """Have order events read from a block on up to where indexing has come, unless they were from there on already."""
    with writing():
        row = IndexedChain.objects.get(chain_id=chain.id)
        if row.orders_first is not None and row.orders_first <= first:
            return
        reached = IndexedContract.objects.filter(chain_id=chain.id).aggregate(block=Min("next_block"))
        row.orders_first = row.orders_next = first
        row.orders_end = max(reached["block"] or 0, row.orders_end or 0)
        row.save(update_fields=["orders_first", "orders_next", "orders_end"])


def read(
    chain: ChainRow, source: Source, registry: Registry, contracts: tuple[str, ...], seconds: float | None
) -> bool:
    """Read on, for some seconds at most (``None``: to the end); return whether this came to the end of it.

    Raises what reading from a node raises.
    """
    row = IndexedChain.objects.get(chain_id=chain.id)
    if row.orders_next is None or row.orders_end is None or row.orders_next >= row.orders_end:
        return False
    started = time.monotonic()
    books = OrderBooks(chain, source.ask)
    of = None if EVERY in contracts else contracts
    told = started
    windows = LogWindows(row.orders_next, row.orders_end - 1)
    for first, last in windows:
        asked = time.monotonic()
        window = _window(source, first, last, registry, of)
        windows.record(window.asked_logs, time.monotonic() - asked, None)
        is_last = last + 1 >= row.orders_end
        _write(chain, window, books, is_last=is_last)
        now = time.monotonic()
        if is_last or now - told >= TOLD_EVERY:
            told = now
            logger.info("%s: orders of block %d of %d", chain.slug, last, row.orders_end - 1)
        if not is_last and seconds is not None and now - started > seconds:
            return False
    return True


def _window(
    source: Source, first: int, last: int, registry: Registry, contracts: tuple[str, ...] | None
) -> Window:
    amiss: list[Unreadable] = []
    logs = order_logs.ask(source, first, last, registry, amiss)
    source.bear(amiss)
    numbers = sorted({log.block_number for log in logs} | {last})
    headers = {}
    for number, one in zip(numbers, source.headers(numbers), strict=True):
        if one is None:
            raise InconsistentAnswersError(f"The node has logs of block {number}, and no such block.")
        headers[number] = one
    check_hashes(logs, headers)
    source.forget_unreadable()
    said = order_logs.read(
        logs, {number: one.timestamp for number, one in headers.items()}, registry, contracts, {}
    )
    return Window(
        first=first,
        last=last,
        parent_hash="",
        headers=[headers[last]],
        readings=(),
        unreadable=amiss,
        asked_logs=len(logs),
        orders=said.placed,
        order_faults=said.undecoded,
    )


def _write(chain: ChainRow, window: Window, books: OrderBooks, *, is_last: bool) -> None:
    """Write a window; behind the last what pools hold, whose transfers were written before these were known."""
    found = books.found(window)
    if is_last:  # a run that is killed in between reads this window again
        with writing():
            factset.write_orders(chain, found.placed)
        found = Found(books.held(window), found.undecoded)
    with writing():
        factset.write_orders(chain, found.placed)
        undecoded.write(chain.id, window, found.undecoded)
        IndexedChain.objects.filter(chain_id=chain.id).update(orders_next=window.last + 1)
    books.written(window)
