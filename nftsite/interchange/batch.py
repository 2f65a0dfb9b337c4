"""A batch of lines: read into facts, and written in one transaction with all that follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from nftsite.chains import ChainKind
from nftsite.interchange.jsontext import BadLineError
from nftsite.interchange.lines import RawLine
from nftsite.interchange.records import Facts, read_line
from tokens.facts import ChainFacts, NftFacts
from tokens.store import chains
from tokens.store.chains import ChainRow
from transfers.facts import TransferFacts
from transfers.store import factset
from transfers.store.factset import FactSet


class ChainNames:
    """The chains that lines may name: by slug, by EIP-155 id and by CAIP-2 name, in lower case."""

    def __init__(self, rows: Mapping[str, ChainRow]) -> None:
        self._rows = dict(rows)
        self.kinds: dict[str, tuple[str, ChainKind]] = {}
        for row in rows.values():
            self._name(row)

    def learn(self, facts: ChainFacts) -> None:
        """Take a chain that a line states. Raises :class:`BadLineError` when it cannot be."""
        fault = chains.fault(facts, self._rows.values())
        if fault:
            raise BadLineError(fault)
        self._rows[facts.slug] = chains.merged(facts, self._rows.get(facts.slug))
        self._name(self._rows[facts.slug])

    def _name(self, row: ChainRow) -> None:
        named = (row.slug, row.kind)
        self.kinds[row.slug] = named
        if row.chain_id is not None:
            self.kinds[str(row.chain_id)] = self.kinds[f"eip155:{row.chain_id}"] = named


@dataclass
class Batch:
    """Consecutive lines and the facts in them, in order.

    ``joining``: it holds last transfers that join the transfer of the same transaction, at the end of a file; they
    are all that is taken of its lines, and all that is left out of those of another batch. ``counts``: lines by kind
    of record; ``faults``: number and reason of each bad line among them.
    """

    joining: bool = False
    lines: list[RawLine] = field(default_factory=list)
    facts: FactSet = field(default_factory=FactSet)
    numbers: dict[int, int] = field(default_factory=dict)
    size: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: RawLine, names: ChainNames) -> list[Facts]:
        """Read a line and return all that it states. Raises :class:`BadLineError`."""
        if line.fault:
            raise BadLineError(line.fault)
        facts = read_line(line.text, names.kinds)
        for one in facts:
            if isinstance(one, ChainFacts):
                names.learn(one)
            if is_joining(one) == self.joining:
                self.facts.take(one)
                self.numbers[id(one)] = line.number
        self.lines.append(line)
        self.size += len(line.text)
        self.counts[_kind(facts)] += 1
        return facts


def _kind(facts: list[Facts]) -> str:
    """Return the kind of record of the line that facts came from."""
    main = next((one for one in facts if isinstance(one, NftFacts)), facts[0])
    return type(main).__name__.removesuffix("Facts").lower()


def is_joining(facts: Facts) -> bool:
    """Whether these are of a last transfer without log index, which joins one that a later line may bring."""
    return isinstance(facts, TransferFacts) and facts.log_index is None


class RefusedError(Exception):
    """Lines whose facts cannot be written as things are; ``faults``: the reason by number of line."""

    def __init__(self, faults: dict[int, str]) -> None:
        super().__init__(f"{len(faults)} lines")
        self.faults = faults


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
        raise RefusedError(faults) from None
