"""What a market's module reads, in what it reads it, and how its events are handed to it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from indexing.decode.moves import Move
from indexing.decode.punks import PunkBids
from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.listings import Listings
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction

T = TypeVar("T")

ANY = ""
"""Stands for the address of a deployment whose contracts nobody can list."""


class Deployment(NamedTuple):
    """A market's contract on a chain."""

    address: str
    protocol: str
    """How its events are to be read, by the name of its protocol."""
    market: str
    """Slug that its fills are shown under."""


@dataclass(frozen=True, slots=True)
class Registry:
    """The markets of one chain. All addresses are in lower case."""

    chain_id: int
    markets: Mapping[str, Deployment] = field(default_factory=dict)
    """Contracts whose events are read, by address."""
    targets: Mapping[str, str] = field(default_factory=dict)
    """Contracts, most of them aggregators, that show themselves by being called: slugs by address."""
    adapters: Mapping[str, str] = field(default_factory=dict)
    """Contracts that orders name in the place of the NFT's own: the NFT contract by the adapter's address."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Receivers of fees, and zones, by which an order tells the market it was made on: slugs by address."""
    wrapped_native: frozenset[str] = frozenset()
    """Contracts that wrap the native currency at par."""
    books: Mapping[str, Deployment] = field(default_factory=dict)
    """Contracts whose events of orders are read, by address: what they emit is to be asked for."""
    operators: frozenset[str] = frozenset()
    """Contracts that makers approve to move what they sell."""


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
    listings: Listings = field(default_factory=Listings)
    """Listings that were made before, and bids in them."""

    def items(self, places: Iterable[int]) -> tuple[Item, ...]:
        """Return what some moves moved, by their places."""
        return items(self.moves[place] for place in places)


@dataclass(slots=True)
class Emitted:
    """One event of a market's contract; ``emitted["price"]`` is its field of this name."""

    event: Event
    fields: Fields
    log: RawLog

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def get(self, name: str, default: Any) -> Any:
        """Return a field that not every form of the event has."""
        return self.fields.get(name, default)


@dataclass(slots=True)
class Told(Emitted):
    """One about what was traded, with what it was read in."""

    deployment: Deployment
    around: Around

    def check(self, *names: str) -> None:
        """Raise ``UndecodableError`` unless the log holds these fields, which need not be known."""
        for name in names:
            self[name]

    def fill(self, side: Side = Side.ASK) -> Fill:
        """Return a fill of nothing yet, at no price, by this event."""
        return Fill(self.deployment.protocol, self.deployment.market, self.log.log_index, side)

    def fault(self, reason: str, currency: str = NATIVE, price: int = 0) -> Fault:
        """Return a fault of this event, with what it says was paid."""
        return Fault(self.deployment.protocol, self.log.log_index, reason, currency, price)


Reader = Callable[[Sequence[RawLog], Deployment, Around], Iterator[Fill | Fault]]
"""Reads all logs of one deployment in one transaction, in log order. Never raises.

Yields its fills, and a fault for each event that is none.
"""
Handlers = Mapping[Event, Callable[[Told], T]]
"""What is made of each event. They raise ``UndecodableError`` for a log that is not what its event says."""


def each(
    logs: Sequence[RawLog], handlers: Handlers[T], deployment: Deployment, around: Around
) -> Iterator[tuple[Told, T] | Fault]:
    """Yield the logs that have a handler, by their first topic, each with what it makes of it, or the fault."""
    events = {event.topic: event for event in handlers}
    for log in logs:
        event = events.get(log.topics[0]) if log.topics else None
        if event is not None:
            try:
                told = Told(event, event.read(log), log, deployment, around)
                yield told, handlers[event](told)
            except UndecodableError as fault:
                yield Fault(deployment.protocol, log.log_index, str(fault))


def each_by_itself(handlers: Handlers[Fill]) -> Reader:
    """Return the reader of events that are one fill each, whatever stands beside them."""

    def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
        for one in each(logs, handlers, deployment, around):
            yield one if isinstance(one, Fault) else one[1]

    return fills


def together(
    handlers: Handlers[T], fills: Callable[[list[tuple[Told, T]], Around], Iterable[Fill | Fault]]
) -> Reader:
    """Return the reader of events that are fills by what stands beside them: ``fills`` gets all of them at once.

    That is in log order, each with what its handler makes of it, without those that cannot be read. A field that the
    handler has asked for can be asked for again; any other may not be there.
    """

    def read(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
        found = list(each(logs, handlers, deployment, around))
        yield from (one for one in found if isinstance(one, Fault))
        yield from fills([one for one in found if not isinstance(one, Fault)], around)

    return read


def holding(*names: str) -> Callable[[Told], None]:
    """Return the handler of events of which no more is made than that they hold these fields."""
    return lambda told: told.check(*names)


def items(moves: Iterable[Move]) -> tuple[Item, ...]:
    """Return what moves moved."""
    return tuple(Item(move.contract, move.token_id, move.amount) for move in moves)


def between(entries: Sequence[Move] | Sequence[MoneyMove], since: int, until: int) -> range:
    """Return the places of the entries whose log is after one index and before another; they are in log order."""
    return range(bisect_right(entries, since, key=_log_index), bisect_left(entries, until, key=_log_index))


def _log_index(entry: Move | MoneyMove) -> int:
    return entry.log_index
