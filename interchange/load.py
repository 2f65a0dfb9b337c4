"""Loads files of the interchange format in batches, each one transaction: a killed load is finished by the next."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.db import DataError, IntegrityError, connection

from core.db.ahead import Gate, ahead, interpreter_for_batches
from core.db.writing import writing
from core.progress import Progress
from interchange.batch import (
    Batch,
    ChainNames,
    ReadLine,
    RefusedError,
    WaitingError,
    is_joining,
    key_of,
    waiting_for_kind,
    waiting_for_name,
    write,
)
from interchange.jsontext import BadLineError
from interchange.lines import RawLine, Source
from interchange.parked import Entry, Parked
from interchange.unknown import count, told
from tokens.store import chains, marks, rates, takedowns
from transfers.ledger import derive

BATCH_LINES = 10_000
BATCH_CHARACTERS = 8 * 2**20
KEPT_FAULTS = 1_000
"""Faults that a report lists; all are counted."""

_SPOOL_IN_MEMORY = 2**24


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that was not taken."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass
class LoadReport:
    """What a load did: lines taken, by kind of facts, and lines not taken.

    ``unknown``: in how many lines each key stood that is not known; what it says was not taken. ``useless``: lines
    whose document is no metadata; the rest of them was taken.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    fault_count: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    useless: int = 0


class _StrictError(Exception):
    """The first bad line of a strict load."""


def load_files(
    paths: Sequence[str],
    *,
    strict: bool = False,
    on_fault: Callable[[Fault], None] | None = None,
    progress: bool = False,
    batch_lines: int = BATCH_LINES,
) -> LoadReport:
    """Load files (``-`` is standard input) and return what became of their lines.

    A bad line is reported, counted and skipped. ``strict``: the first one ends the load and takes its file back, and a
    line with a key that is not known, or with a document that is no metadata, is one.
    ``progress`` shows a bar on a terminal. Raises ``OSError`` for a file that cannot be opened.
    """
    report = LoadReport()
    for path in paths:
        with closing(Source(path)) as source, interpreter_for_batches():
            loader = _FileLoader(source, report, strict, on_fault, batch_lines)
            try:
                with closing(loader.unborn), closing(loader.parked), writing() if strict else nullcontext():
                    loader.load(progress)
            except _StrictError:
                break
        marks.apply_pending()
        if report.counts["takedown"]:
            takedowns.finish()
    return report


class _FileLoader:
    """Loads one file."""

    def __init__(
        self,
        source: Source,
        report: LoadReport,
        strict: bool,
        on_fault: Callable[[Fault], None] | None,
        batch_lines: int,
    ) -> None:
        self.source = source
        self.report = report
        self.strict = strict
        self.on_fault = on_fault
        self.batch_lines = batch_lines
        self.names = ChainNames(chains.known())
        self.gate = Gate()
        self.unborn = Parked()
        """Lines that name chains which are not known yet."""
        self.parked = Parked()
        """Facts of transfers and asks that are not known yet and of which something is lacking."""

    def load(self, progress: bool) -> None:
        """Load the file and settle what needs the whole of it."""
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        with SpooledTemporaryFile(
            _SPOOL_IN_MEMORY, "w+", encoding="utf-8", dir=str(settings.VAR_DIR)
        ) as spool:
            batches = ahead(self._batches(self.source.lines(), spool.write), self.gate)
            progressing = Progress(self.source.name, "B", self.source.size, quiet=not progress)
            with progressing, closing(batches), connection.execute_wrapper(self.gate.around_statement):
                for batch in batches:
                    self._take(batch)
                    progressing.reach(self.source.position, place=f"{self.report.counts.total():,} lines")
            spool.seek(0)
            for batch in self._batches(_unspooled(spool), None):
                self._take(batch)
        for number, reason in sorted({*self.unborn.rest(), *self.parked.rest()}):
            self._fault(number, reason)
        derive.settle()
        with writing():
            rates.rekey()

    def _batches(self, lines: Iterable[RawLine], spool: Callable[[str], object] | None) -> Iterator[Batch]:
        """Yield the lines in batches. Last transfers that join others wait in ``spool``; without it, they are due."""
        batch = Batch(joining=spool is None)
        for line in lines:
            self.gate()
            self._read(batch, line, spool)
            if len(batch.lines) + len(batch.faults) >= self.batch_lines or batch.size >= BATCH_CHARACTERS:
                yield batch
                batch = Batch(joining=spool is None)
        if batch.lines or batch.faults:
            yield batch

    def _read(self, batch: Batch, line: RawLine, spool: Callable[[str], object] | None) -> None:
        """Read a line into a batch, and after a chain's line those that waited for it."""
        before = self.names.kinds
        try:
            facts = batch.add(line, self.names)
        except WaitingError as fault:
            self.unborn.put(Entry(fault.key, line.number, str(fault), line))
            return
        except BadLineError as fault:
            batch.faults.append((line.number, str(fault)))
            return
        if spool is not None and any(map(is_joining, facts)):
            spool(json.dumps(line) + "\n")
        new = self.names.kinds.keys() - before.keys()
        if not new:
            return
        parts = self.unborn.take(map(waiting_for_kind, new))
        for entry in parts:
            self._read(batch, RawLine(*entry.what), spool)
        if parts:  # they came before the line, whose keys win
            batch.add(line, self.names)
        for entry in self.unborn.take(map(waiting_for_name, new)):
            self._read(batch, RawLine(*entry.what), spool)

    def _take(self, batch: Batch) -> None:
        """Report the bad lines of a batch and write the good ones."""
        if self.strict:
            batch.faults += [
                (number, left.document or _not_known(left.keys)) for number, left in batch.left.items()
            ]
            batch.faults.sort()
        for number, reason in batch.faults:
            self._fault(number, reason)
        for number, left in batch.left.items():
            count(self.report.unknown, left.keys)
            if left.document:
                self.report.useless += 1
                self._tell(number, left.document)
        self._write(batch)

    def _write(self, batch: Batch) -> None:
        """Write a batch without the lines that it turns out not to be able to take.

        Facts of unknown transfers and asks that lack something wait for those of later lines. When the database refuses
        the batch, halve it until the line is found that the database cannot hold.
        """
        if not batch.lines:
            return
        for entry in self.parked.take(map(key_of, batch.moves())):
            batch.take_parked(entry)
        try:
            with writing():
                write(batch)
                self.gate.open()  # while it is committed
        except RefusedError as refused:
            for number, reason in sorted(refused.faults.items()):
                self._fault(number, reason)
            self._park([*refused.waiting, *batch.parked], refused.faults)
            waiting = {entry.number for entry in refused.waiting}
            lines = [read for read in batch.lines if read.number not in refused.faults]
            self._write(self._again(batch, lines, waiting))
        except (DataError, IntegrityError) as error:
            if len(batch.lines) == 1:
                reason = str(error).partition("\n")[0]
                self._fault(batch.lines[0].number, f"The database refuses it: {reason}.")
                return
            self._park(batch.parked)
            half = len(batch.lines) // 2
            for lines in (batch.lines[:half], batch.lines[half:]):
                self._write(self._again(batch, lines))
        else:
            if not batch.joining:
                self.report.counts.update(batch.counts)
            self.report.counts.update(one.counts_as for one in batch.parked if one.counts_as)

    def _park(self, entries: Iterable[Entry], faults: Container[int] = ()) -> None:
        """Have facts wait, each once, but those of lines that are bad."""
        for entry in {(one.key, one.number): one for one in entries if one.number not in faults}.values():
            self.parked.put(entry)

    def _again(self, batch: Batch, lines: Iterable[ReadLine], waiting: Container[int] = ()) -> Batch:
        """Return a part of a batch, read anew; of lines that are ``waiting`` only what does not wait."""
        part = Batch(joining=batch.joining)
        for read in lines:
            if read.number not in waiting:
                part.take_again(read)
            elif not batch.joining:
                part.take_again(read, without_moves=True)
        return part

    def _fault(self, number: int, reason: str) -> None:
        fault = self._tell(number, reason)
        self.report.fault_count += 1
        if len(self.report.faults) < KEPT_FAULTS:
            self.report.faults.append(fault)
        if self.strict:
            raise _StrictError

    def _tell(self, number: int, reason: str) -> Fault:
        fault = Fault(self.source.name, number, reason)
        if self.on_fault:
            self.on_fault(fault)
        return fault


def _not_known(keys: Iterable[str]) -> str:
    named = ", ".join(map(told, sorted(keys)))
    return f"Has keys that are not known: {named}."


def _unspooled(spool: Iterable[str]) -> Iterator[RawLine]:
    for entry in spool:
        yield RawLine(*json.loads(entry))
