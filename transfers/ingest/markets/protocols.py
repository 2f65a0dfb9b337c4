"""The protocols whose events can be read, by name: the module that reads each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from transfers.ingest.logs import RawLog
from transfers.ingest.markets import (
    blur,
    blur_2,
    cryptokitties,
    cryptopunks,
    foundation,
    looksrare,
    manifold,
    nouns,
    seaport,
    superrare,
    wyvern,
    x2y2,
    zora,
)
from transfers.ingest.markets.reading import Around, Reader
from transfers.ingest.markets.registry import Deployment
from transfers.ingest.matching import match
from transfers.ingest.sales import Fault, Fill

PROTOCOLS: dict[str, Reader] = {
    **{f"seaport-1.{version}": seaport.fills for version in range(1, 7)},
    "cryptopunks": cryptopunks.fills,
    "wyvern-1": wyvern.fills,
    "wyvern-2": wyvern.fills,
    "looksrare-1": looksrare.fills_1,
    "looksrare-2": looksrare.fills_2,
    "x2y2": x2y2.fills,
    "blur-1": blur.fills,
    "blur-2": blur_2.fills,
    "foundation": foundation.fills,
    "superrare": superrare.fills,
    "zora-1": zora.fills,
    "zora-2": zora.fills,
    "zora-3": zora.fills,
    "nouns-auction": nouns.fills,
    "cryptokitties-auction": cryptokitties.fills,
    "manifold": manifold.fills,
}

NAMELESS = frozenset({"wyvern-1", "wyvern-2"})
"""Protocols whose events do not name what was sold: it is among the moves that no other protocol's events claim."""

BY_EVENT = {nouns.AUCTION_SETTLED: ("nouns-auction", "nouns-auction")}
"""Protocol and market by the event that contracts of unknown address show themselves by.

The protocol's reader tells which of them it believes (:mod:`transfers.ingest.markets.nouns` says why).
"""
_MOST_UNKNOWN = 20
"""Contracts of unknown address that one transaction may hold: who sends more of them wants to keep the indexer busy."""


def read(around: Around) -> tuple[list[Fill], list[Fault]]:
    """Read all market events of a transaction; the fills are in the order of their events."""
    naming: dict[Deployment, list[RawLog]] = {}
    nameless: dict[Deployment, list[RawLog]] = {}
    unknown: dict[Deployment, list[RawLog]] = {}
    for log in around.transaction.logs:
        deployment = around.registry.markets.get(log.address)
        if deployment is not None:
            group = nameless if deployment.protocol in NAMELESS else naming
            group.setdefault(deployment, []).append(log)
        elif log.topics and log.topics[0] in BY_EVENT:
            unknown.setdefault(Deployment(log.address, *BY_EVENT[log.topics[0]]), []).append(log)
    if len(unknown) <= _MOST_UNKNOWN:
        naming |= unknown
    read = list(_read(naming, around))
    if nameless:
        told = [one for one in read if isinstance(one, Fill) and not one.is_loan]
        matches = match(told, around.moves, around.registry)
        taken = frozenset(place for one in matches for place in (*one.moves, *one.returned))
        read += _read(nameless, replace(around, taken=taken))
    fills = [one for one in read if isinstance(one, Fill)]
    fills.sort(key=lambda fill: fill.log_index)
    return fills, [one for one in read if isinstance(one, Fault)]


def _read(by_deployment: Mapping[Deployment, Sequence[RawLog]], around: Around) -> Iterator[Fill | Fault]:
    for deployment, logs in by_deployment.items():
        reader = PROTOCOLS.get(deployment.protocol)
        if reader is not None:  # else an operator's deployment of a protocol that this version does not know
            yield from reader(logs, deployment, around)
