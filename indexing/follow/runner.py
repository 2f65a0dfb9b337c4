"""Indexes a chain: from the checkpoint to the head, window by window, and on with the head if it shall follow."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db import connection

from core.db.ahead import Gate, ahead, interpreter_for_batches
from core.db.texts import storable
from core.net.rpc.errors import LaggingNodeError, NodeError, WrongChainError
from indexing.contracts.contracts import Contracts
from indexing.follow import order_history, reorganisations
from indexing.follow.lock import AlreadyIndexedError, is_held, only_indexer
from indexing.follow.pace import Pace
from indexing.follow.window_width import LogWindows
from indexing.follow.windows import WindowReader
from indexing.node.agreement import InconsistentAnswersError, LogNumberingError
from indexing.node.source import Source, UnreadableLogsError
from indexing.node.transactions import Header, MalformedAnswerError
from indexing.write import checkpoints, checks, doubts, judging
from indexing.write.apply import Prepared, apply, prepare
from indexing.write.balances import Balances
from indexing.write.checkpoints import EVERY, ReorganisedError, Span
from indexing.write.order_books import OrderBooks
from tokens.store import ticks
from tokens.store.chains import ChainRow
from tokens.store.facts import ContractFacts

logger = logging.getLogger(__name__)

PATIENCE = 20
"""Times in a row, without a window in between, that answers may contradict each other before indexing gives up."""

MARKETS_EVERY = 10.0
"""Seconds between looks at which markets there are: an operator may have added some."""

UNSETTLED = (
    InconsistentAnswersError,
    LaggingNodeError,
    MalformedAnswerError,
    ReorganisedError,
    UnreadableLogsError,
)
"""What passes when a node has caught up with itself, or with its chain."""

LASTING = (NodeError, LogNumberingError, reorganisations.DeepReorganisationError)
"""What only waiting or another node helps against: the end of a run, but for one that follows."""

LONGEST_PAUSE = 60.0
"""Seconds between attempts at most while the node cannot be read."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to index. ``contracts`` are addresses in lower case, or :data:`EVERY`.

    ``to_block`` is the last one; ``confirmations`` blocks below the head are left alone; ``keep_blocks`` hashes are
    kept for reorganisations; ``poll`` is the pause at the head in seconds.
    """

    chain: ChainRow
    contracts: tuple[str, ...]
    to_block: int | None = None
    follow: bool = False
    confirmations: int = 0
    keep_blocks: int = 256
    poll: float = 3.0


class Progress(NamedTuple):
    """Where indexing is: the next block, the last one to be reached, and what was done in this run."""

    next_block: int
    target: int
    blocks: int
    logs: int
    transfers: int


@dataclass(slots=True)
class _Counts:
    blocks: int = 0
    logs: int = 0
    transfers: int = 0
    unreadable: int = 0
    read: float = field(default_factory=time.monotonic)


class Indexer:
    """Indexes one chain from one source. ``tell`` is called after every window, ``sleep`` wherever there is to wait."""

    def __init__(
        self,
        task: Task,
        source: Source,
        tell: Callable[[Progress], None] = lambda progress: None,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.task = task
        self.source = source
        self._named = [one for one in task.contracts if one != EVERY]
        self.contracts = self._contracts()
        self.judge = judging.of_chain(task.chain)
        self.balances = Balances(task.chain, source.ask)
        self.books = OrderBooks(task.chain, source.ask)
        self.counts = _Counts()
        self._unsure = False
        self._ticked = 0.0
        self._was_told = False
        self._failures = 0
        """Attempts in a row that brought nothing."""
        self.pace = Pace()
        self._tell = tell
        self._sleep = sleep

    def run(self) -> None:
        """Index up to the head, or to ``to_block``; with ``follow`` go on until the process ends.

        The contracts must have checkpoints (:func:`indexing.write.checkpoints.begin`). Without ``follow`` a run ends
        before the head where the node stays behind what is indexed. Raises ``AlreadyIndexedError``, ``OvertakenError``
        and, at the start, ``WrongChainError``; without ``follow`` also ``NodeError``, ``LogNumberingError`` and
        ``DeepReorganisationError``, and what of :data:`UNSETTLED` does not pass. With it, whatever a node says or does
        not is noted, and indexing goes on when it can.
        """
        with only_indexer(self.task.chain), interpreter_for_batches():
            while True:
                try:
                    if self._step():
                        return
                    self._failures = 0
                except UNSETTLED as fault:
                    self._failures += 1
                    self._fault(fault)
                    if self._failures > PATIENCE and not self.task.follow:
                        raise
                except reorganisations.BehindError as fault:
                    self._failures += 1
                    self._fault(fault)
                    if not self.task.follow:
                        return
                except LASTING as fault:
                    self._failures += 1
                    self._fault(fault)
                    if not self.task.follow or (isinstance(fault, WrongChainError) and not self._was_told):
                        raise
                if self._failures:
                    self._sleep(min(0.1 * 2 ** min(self._failures, 20), LONGEST_PAUSE))

    def _contracts(self) -> Contracts:
        return Contracts(
            self.source.ask,
            self.source.chain_id,
            stored=doubts.stored(self.task.chain, self._named),
            named=self._named,
        )

    def _step(self) -> bool:
        """Index what there is; return whether all is done."""
        task = self.task
        head = self.source.head()
        self._was_told = True
        self._tell_pace(head_number=head, head_seen_at=int(time.time()))
        head, rewound = reorganisations.follow(task.chain, self.source, head, self._sleep)
        if rewound is not None:
            self.books = OrderBooks(task.chain, self.source.ask)
            logger.warning("%s was reorganised: all after block %d is read again", task.chain.slug, rewound)
            self.contracts = self._contracts()  # some may be others now
            self._unsure = True
        # An operator may have added a market; bids may have been read of blocks that were never written.
        self.judge = judging.of_chain(task.chain, None if self._unsure else self.judge)
        self._unsure = False
        target = head - task.confirmations
        target = target if task.to_block is None else min(target, task.to_block)
        while (span := checkpoints.next_span(task.chain, self.task.contracts, target)) is not None:
            self._index(span, head, target)
        seconds = task.poll if task.follow else None
        # What it finds of listings, later sales are judged by.
        self._unsure |= order_history.read(
            task.chain, self.source, self.judge.registry, task.contracts, seconds
        )
        self.contracts.doubt(doubts.note_empty(task.chain, self._named, target, self.source.ask))
        if checks.is_any_due(task.chain, int(time.time())) and (header := self._newest()) is not None:
            self.books.check(header, all_of_them=not task.follow)
        if not task.follow or (task.to_block is not None and target >= task.to_block):
            return True
        self._tick()
        self._sleep(task.poll)
        return False

    def _tick(self) -> None:
        """Bring prices that go with time to the moment, where the last time was a while ago."""
        if time.monotonic() - self._ticked < ticks.EVERY:
            return
        self._ticked = time.monotonic()
        ticks.tick(int(time.time()))
        header = self._newest()
        if header is not None:
            self.books.quote_again(header)

    def _newest(self) -> Header | None:
        """Return the newest indexed block, as the node has it."""
        number = checkpoints.newest(self.task.chain)
        return None if number is None else self.source.headers([number])[0]

    def _index(self, span: Span, head: int, target: int) -> None:
        """Index some blocks, the next window being read from the node while one is written."""
        gate = Gate()
        parent = checkpoints.stored_hash(self.task.chain, span.first - 1) if span.first else None
        windows = ahead(self._windows(span, head, gate), gate)
        with closing(windows), connection.execute_wrapper(gate.around_statement):
            for prepared in windows:
                window = prepared.window
                if parent is not None and window.parent_hash != parent:
                    raise ReorganisedError(f"Block {window.first} does not follow what is indexed.")
                again = self._write(span, prepared)
                gate.open()
                self._failures = 0
                parent = window.headers[-1].hash
                self._note(prepared, target)
                if again:  # from before this window on, of contracts that turned out to hold NFTs
                    self.task = replace(self.task, contracts=tuple(sorted({*self.task.contracts, *again})))
                    return

    def _windows(self, span: Span, head: int, gate: Gate) -> Iterator[Prepared]:
        addresses = None if EVERY in span.contracts else list(span.contracts)
        reader = WindowReader(self.source, self.contracts, addresses, head - self.task.keep_blocks)
        windows = LogWindows(span.first, span.last)
        for first, last in windows:
            started = time.monotonic()
            window = reader.read(first, last, self.judge.registry)
            # One log may move thousands of NFTs, and these are what takes memory.
            size = max(window.asked_logs, len(window.moves))
            windows.record(size, time.monotonic() - started, window.widest)
            gate()
            yield prepare(window, self.judge, self.source.ask)

    def _write(self, span: Span, prepared: Prepared) -> list[str]:
        if not is_held(self.task.chain):
            raise AlreadyIndexedError(
                f"The lock on {self.task.chain.slug} went with its database connection."
            )
        again = apply(
            self.task.chain,
            prepared,
            span.contracts,
            openings=self.balances.openings(prepared.window, span.began),
            orders=self.books.found(prepared.window),
            keep_blocks=self.task.keep_blocks,
        )
        self.books.written(prepared.window)
        self.contracts.described(
            (one.address for one in prepared.facts.of(ContractFacts)), prepared.window.cleared
        )
        return again

    def _note(self, prepared: Prepared, target: int) -> None:
        window, counts = prepared.window, self.counts
        counts.blocks += window.last - window.first + 1
        counts.logs += window.asked_logs
        counts.transfers += len(window.moves)
        self._tell_pace()
        if time.monotonic() - counts.read >= MARKETS_EVERY:
            counts.read = time.monotonic()
            self.judge.registry = judging.markets_of(self.task.chain)
        if window.unreadable:
            counts.unreadable += len(window.unreadable)
            self._fault(
                f"{len(window.unreadable)} logs that are none, the first: {window.unreadable[0].reason}"
            )
        self._tell(Progress(window.last + 1, target, counts.blocks, counts.logs, counts.transfers))

    def _tell_pace(self, **values: object) -> None:
        """Note how fast it goes, blocks and logs a second; at the head it sinks to the chain's pace."""
        blocks, logs = self.pace.rates(self.counts.blocks, self.counts.logs)
        checkpoints.tell(self.task.chain, blocks_per_second=blocks, logs_per_second=logs, **values)

    def _fault(self, fault: Exception | str) -> None:
        self._unsure = True
        text = storable(str(fault)[:1_000])
        logger.warning("%s: %s", self.task.chain.slug, text)
        checkpoints.tell(self.task.chain, fault=text, fault_at=int(time.time()))
