"""The protocols whose events can be read, by name: the module that reads each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from transfers.ingest.logs import RawLog
from transfers.ingest.markets import (
    archipelago,
    blur,
    blur_2,
    cryptopunks,
    element,
    looksrare,
    nfttrader,
    payment_processor,
    rarible_1,
    rarible_2,
    sandbox,
    seaport,
    swapkiwi,
    wyvern,
    x2y2,
    zeroex,
)
from transfers.ingest.markets.gross import settled
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
    "rarible-1": rarible_1.fills,
    "rarible-2": rarible_2.fills,
    "element": element.fills,
    "0x-4": zeroex.fills,
    "archipelago": archipelago.fills,
    "sandbox": sandbox.fills,
    "payment-processor-1": payment_processor.fills_1,
    "payment-processor-2": payment_processor.fills_2,
    "nfttrader": nfttrader.fills,
    "swapkiwi": swapkiwi.fills,
}

NAMELESS = frozenset({"wyvern-1", "wyvern-2", "rarible-2"})
"""Protocols whose events do not name what was sold: it is among the moves that no other protocol's events claim."""


def read(around: Around) -> tuple[list[Fill], list[Fault]]:
    """Read all market events of a transaction; the fills are in the order of their events."""
    naming: dict[Deployment, list[RawLog]] = {}
    nameless: dict[Deployment, list[RawLog]] = {}
    for log in around.transaction.logs:
        deployment = around.registry.markets.get(log.address)
        if deployment is not None:
            group = nameless if deployment.protocol in NAMELESS else naming
            group.setdefault(deployment, []).append(log)
    read = list(_read(naming, around))
    if nameless:
        told = [one for one in read if isinstance(one, Fill) and not one.is_loan]
        matches = match(told, around.moves, around.registry)
        taken = frozenset(place for one in matches for place in (*one.moves, *one.returned))
        read += _read(nameless, replace(around, taken=taken))
    fills = settled([one for one in read if isinstance(one, Fill)], around)
    fills.sort(key=lambda fill: fill.log_index)
    return fills, [one for one in read if isinstance(one, Fault)]


def _read(by_deployment: Mapping[Deployment, Sequence[RawLog]], around: Around) -> Iterator[Fill | Fault]:
    for deployment, logs in by_deployment.items():
        reader = PROTOCOLS.get(deployment.protocol)
        if reader is not None:  # else an operator's deployment of a protocol that this version does not know
            yield from reader(logs, deployment, around)
