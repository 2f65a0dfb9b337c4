"""A batch of lines: read into facts, and written in one transaction with all that follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from core.chains import ChainKind
from interchange.jsontext import BadLineError
from interchange.lines import RawLine
from interchange.members import Kinds, UnknownChainError
from interchange.parked import Entry
from interchange.records import Facts, NotTaken, read_line
from tokens.store import chains
from tokens.store.chains import ChainRow
from tokens.store.facts import AskFacts, ChainFacts, NftFacts
from transfers.ledger import factset
from transfers.ledger.factset import FactSet
from transfers.ledger.transfer_facts import TransferFacts


class WaitingError(BadLineError):
    """A line that is bad unless a chain is made known by a later one; ``key``: what it waits for."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


class ChainNames:
    """The chains that lines may name: by slug, by EIP-155 id and by CAIP-2 name, in lower case.

    ``kinds`` is another object after each change: what a line was read with stays as it was.
    """

    def __init__(self, rows: Mapping[str, ChainRow]) -> None:
        self._rows = dict(rows)
        self.kinds: Kinds = {}
        self._name()

    def learn(self, facts: ChainFacts) -> None:
        """Take a chain that a line states. Raises :class:`BadLineError` when it cannot be."""
        stored = self._rows.get(facts.slug)
        fault = chains.fault(facts, stored)
        if fault == chains.UNKNOWN_KIND:
            raise WaitingError(waiting_for_kind(facts.slug), fault)
        if fault:
            raise BadLineError(fault)
        new = chains.merged(facts, stored)
        for row in self._rows.values():
            if row.chain_id is not None and row.chain_id == new.chain_id:
                self._rows[row.slug] = row._replace(chain_id=None)
        self._rows[facts.slug] = new
        self._name()

    def _name(self) -> None:
        kinds: dict[str, tuple[str, ChainKind]] = {}
        for row in self._rows.values():
            if row.chain_id is not None:
                kinds[str(row.chain_id)] = kinds[f"eip155:{row.chain_id}"] = row.slug, row.kind
        self.kinds = kinds | {row.slug: (row.slug, row.kind) for row in self._rows.values()}


def waiting_for_kind(slug: str) -> str:
    """Return the key under which lines of a chain wait whose kind no line has told yet."""
    return f"kind of {slug}"


def waiting_for_name(name: str) -> str:
    """Return the key under which lines wait that name a chain which is not known yet."""
    return f"chain {name}"


class ReadLine(NamedTuple):
    """A line, and the chains that it could name: it can be read again, whatever came after it."""

    number: int
    text: str
    kinds: Kinds


@dataclass
class Batch:
    """Consecutive lines and the facts in them, in order.

    ``joining``: it holds last transfers that join the transfer of the same transaction, at the end of a file; they
    are all that is taken of its lines, and all that is left out of those of another batch. ``counts``: lines by kind
    of record; ``faults``: number and reason of each bad line among them; ``left``: what is not taken of lines that
    stand, by number of line. ``parked``: facts of earlier lines that waited for some of these.
    """

    joining: bool = False
    lines: list[ReadLine] = field(default_factory=list)
    facts: FactSet = field(default_factory=FactSet)
    numbers: dict[int, int] = field(default_factory=dict)
    size: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)
    left: dict[int, NotTaken] = field(default_factory=dict)
    parked: list[Entry] = field(default_factory=list)

    def add(self, line: RawLine, names: ChainNames) -> list[Facts]:
        """Read a line and return all that it states. Raises :class:`BadLineError`, or :class:`WaitingError`."""
        if line.fault:
            raise BadLineError(line.fault)
        kinds = names.kinds
        left = NotTaken()
        try:
            facts = read_line(line.text, kinds, left)
        except UnknownChainError as fault:
            raise WaitingError(waiting_for_name(fault.name), str(fault)) from None
        for one in facts:
            if isinstance(one, ChainFacts):
                names.learn(one)
        self._take(ReadLine(line.number, line.text, kinds), facts)
        if (left.keys or left.document) and not self.joining:
            self.left[line.number] = left
        return facts

    def take_again(self, read: ReadLine, *, without_moves: bool = False) -> None:
        """Take a line that was taken before, read anew: writing may have merged its facts.

        ``without_moves``: but for its transfers and asks, and not at all when it has nothing else.
        """
        facts = read_line(read.text, read.kinds)
        if without_moves:
            facts = [one for one in facts if not isinstance(one, TransferFacts | AskFacts) or is_joining(one)]
        if facts:
            self._take(read, facts)

    def take_parked(self, entry: Entry) -> None:
        """Take what waited, ahead of what the batch's own lines say."""
        self.parked.append(entry)
        self.facts.take(entry.what)
        kind = self.facts.facts[type(entry.what)]
        kind.insert(sum(type(one.what) is type(entry.what) for one in self.parked) - 1, kind.pop())
        self.numbers[id(entry.what)] = entry.number

    def moves(self) -> list[TransferFacts | AskFacts]:
        """Return all transfers and asks."""
        return [*self.facts.of(TransferFacts), *self.facts.of(AskFacts)]

    def _take(self, read: ReadLine, facts: list[Facts]) -> None:
        for one in facts:
            if is_joining(one) == self.joining:
                self.facts.take(one)
                self.numbers[id(one)] = read.number
        # A chain's line is taken a second time after those that waited for it.
        if not isinstance(facts[0], ChainFacts) or all(one.number != read.number for one in self.lines):
            self.counts[_kind(facts)] += 1
        self.lines.append(read)
        self.size += len(read.text)


def _kind(facts: list[Facts]) -> str:
    """Return the kind of record of the line that facts came from."""
    main = next((one for one in facts if isinstance(one, NftFacts)), facts[0])
    return type(main).__name__.removesuffix("Facts").lower()


def is_joining(facts: Facts) -> bool:
    """Whether these are of a last transfer without log index, which joins one that a later line may bring."""
    return isinstance(facts, TransferFacts) and facts.log_index is None


def key_of(one: TransferFacts | AskFacts) -> str:
    """Return the identity of a transfer or an ask, as the key under which what is said of it waits."""
    if isinstance(one, AskFacts):
        return repr((one.chain, one.marketplace, one.order_hash))
    nft = one.identity if one.log_index is None else None
    return repr((one.chain, one.transaction_hash, one.log_index, one.batch_index, nft))


class RefusedError(Exception):
    """Lines whose facts cannot be written as things are.

    ``faults``: the reason by number of line; ``waiting``: what may be written with what later lines say.
    """

    def __init__(self, faults: dict[int, str], waiting: list[Entry]) -> None:
        super().__init__(f"{len(faults) + len(waiting)} lines")
        self.faults = faults
        self.waiting = waiting


def write(batch: Batch) -> None:
    """Write a batch and all that follows from it. The caller has opened the transaction.

    Raises :class:`RefusedError` for lines that turn out not to be writable. Then the transaction is to be rolled back.
    """
    try:
        factset.write(batch.facts)
    except factset.RefusedError as refused:
        faults: dict[int, str] = {}
        for one, reason in refused.faults:
            faults.setdefault(batch.numbers[id(one)], reason)
        nfts = {batch.numbers[id(one)] for one in batch.facts.of(NftFacts)}
        waiting = []
        for one, reason in refused.waiting:
            number = batch.numbers[id(one)]
            counts_as = "" if batch.joining or number in nfts else _kind([one])
            waiting.append(Entry(key_of(one), number, reason, one, counts_as))
        raise RefusedError(faults, waiting) from None
