"""The protocols whose events can be read, by name: the module that reads each."""

from __future__ import annotations

from transfers.ingest.markets import blur, blur_2, seaport
from transfers.ingest.markets.reading import Around, Reader
from transfers.ingest.sales import Fault, Fill

PROTOCOLS: dict[str, Reader] = {
    **{f"seaport-1.{version}": seaport.fills for version in range(1, 7)},
    "blur-1": blur.fills,
    "blur-2": blur_2.fills,
}


def read(around: Around) -> tuple[list[Fill], list[Fault]]:
    """Read all market events of a transaction; the fills are in the order of their events."""
    by_market: dict[str, list[int]] = {}
    for place, log in enumerate(around.transaction.logs):
        if log.address in around.registry.markets:
            by_market.setdefault(log.address, []).append(place)
    fills: list[Fill] = []
    faults: list[Fault] = []
    for address, places in by_market.items():
        deployment = around.registry.markets[address]
        reader = PROTOCOLS.get(deployment.protocol)
        if reader is None:
            continue  # an operator's deployment of a protocol that this version does not know
        logs = [around.transaction.logs[place] for place in places]
        for one in reader(logs, deployment, around):
            if isinstance(one, Fill):
                fills.append(one)
            else:
                faults.append(one)
    fills.sort(key=lambda fill: fill.log_index)
    return fills, faults
