"""What every market's module works on, and how it reads events that may be malformed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from indexing.decode.moves import Move
from indexing.decode.punks import PunkBids
from indexing.decode.words import UndecodableError
from indexing.judge.markets.registry import Deployment, Registry
from indexing.judge.money import MoneyMove
from indexing.judge.sales import Fault, Fill
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Around:
    """The transaction that events are read in: its NFT moves and money logs, each in log order."""

    transaction: ChainTransaction
    moves: Sequence[Move]
    money: Sequence[MoneyMove]
    registry: Registry
    taken: frozenset[int] = frozenset()
    """Places of the moves that fills of other protocols sold, where a protocol's events do not name what they sold or
    come from contracts that anybody can make; empty for all others."""
    spent: int = 0
    """Native money that those fills were paid, in wei: it is not there for others."""
    bids: PunkBids = field(default_factory=PunkBids)
    """Bids for punks that were entered before, in whatever transaction."""


Reader = Callable[[Sequence[RawLog], Deployment, Around], Iterator[Fill | Fault]]
"""Reads all logs of one deployment in one transaction, in log order. Never raises.

Yields its fills, and a fault for each event that is none.
"""


def each(
    logs: Sequence[RawLog], readers: Mapping[str, Callable[[RawLog], T]], deployment: Deployment
) -> Iterator[tuple[RawLog, T] | Fault]:
    """Yield the logs that have a reader, by their first topic, each with what it makes of it, or the fault.

    A reader raises ``UndecodableError`` for a log that is not what its event says.
    """
    for log in logs:
        reader = readers.get(log.topics[0]) if log.topics else None
        if reader is not None:
            try:
                yield log, reader(log)
            except UndecodableError as fault:
                yield Fault(deployment.protocol, log.log_index, str(fault))


def between(entries: Sequence[Move] | Sequence[MoneyMove], since: int, until: int) -> range:
    """Return the places of the entries whose log is after one index and before another; they are in log order."""
    return range(bisect_right(entries, since, key=_log_index), bisect_left(entries, until, key=_log_index))


def _log_index(entry: Move | MoneyMove) -> int:
    return entry.log_index
