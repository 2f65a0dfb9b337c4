"""Reads all market events of a transaction, each protocol's by its own module, in the order in which they are sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from indexing.judge.markets.gross import settled
from indexing.judge.markets.reading import Around, Deployment, Registry
from indexing.judge.markets.registry import CLONES, PROTOCOLS, UNLISTED
from indexing.judge.matching import match
from indexing.judge.verdicts import NATIVE, Fault, Fill
from indexing.node.logs import RawLog

_MOST_UNKNOWN = 20
"""Contracts of unknown address that one transaction may hold: who sends more of them wants to keep the indexer busy."""


_OF_NOBODY_KNOWN = frozenset((*UNLISTED, *CLONES))
"""Events that are read whoever emits them."""


def tells(logs: Sequence[RawLog], registry: Registry) -> bool:
    """Tell whether there is a log among them that :func:`read` may read anything from."""
    markets = registry.markets
    return any(log.address in markets or (log.topics and log.topics[0] in _OF_NOBODY_KNOWN) for log in logs)


def read(around: Around) -> tuple[list[Fill], list[Fault]]:
    """Read all market events of a transaction; the fills are in the order of their events."""
    naming: dict[Deployment, list[RawLog]] = {}
    nameless: dict[Deployment, list[RawLog]] = {}
    unknown: dict[Deployment, list[RawLog]] = {}
    clones: dict[Deployment, list[RawLog]] = {}
    for log in around.transaction.logs:
        deployment = around.registry.markets.get(log.address)
        if deployment is not None:
            protocol = PROTOCOLS.get(deployment.protocol)
            group = nameless if protocol is not None and protocol.is_nameless else naming
            group.setdefault(deployment, []).append(log)
        elif log.topics and log.topics[0] in UNLISTED:
            unknown.setdefault(Deployment(log.address, *UNLISTED[log.topics[0]]), []).append(log)
        elif log.topics and log.topics[0] in CLONES:
            clones.setdefault(CLONES[log.topics[0]], []).append(log)
    read = list(_read(naming, around))
    for later in (nameless, unknown if len(unknown) <= _MOST_UNKNOWN else {}, clones):
        if later:
            read += list(_read(later, _after(read, around)))
    fills = settled([one for one in read if isinstance(one, Fill)], around)
    fills.sort(key=lambda fill: fill.log_index)
    return fills, [one for one in read if isinstance(one, Fault)]


def _after(read: Sequence[Fill | Fault], around: Around) -> Around:
    """Return what is left to those that are read later: what others sold and were paid is not theirs."""
    told = [one for one in read if isinstance(one, Fill) and not one.is_loan]
    matches = match(told, around.moves, around.registry)
    taken = frozenset(place for one in matches for place in (*one.moves, *one.returned))
    spent = sum(one.price for one in told if one.currency == NATIVE and not one.escrowed)
    return replace(around, taken=taken, spent=spent)


def _read(by_deployment: Mapping[Deployment, Sequence[RawLog]], around: Around) -> Iterator[Fill | Fault]:
    for deployment, logs in by_deployment.items():
        protocol = PROTOCOLS.get(deployment.protocol)
        # Else an operator's deployment of a protocol that this version does not know, or reads no sales of.
        if protocol is not None and protocol.read is not None:
            yield from protocol.read(logs, deployment, around)
