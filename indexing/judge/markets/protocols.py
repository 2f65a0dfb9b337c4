"""The protocols whose events can be read, by name: the module that reads each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from indexing.judge.markets import (
    archipelago,
    blend,
    blur,
    blur_2,
    cryptokitties,
    cryptopunks,
    element,
    foundation,
    loans,
    looksrare,
    manifold,
    nfttrader,
    nftx,
    nouns,
    payment_processor,
    rarible_1,
    rarible_2,
    sandbox,
    seaport,
    sudoswap,
    sudoswap_calls,
    superrare,
    swapkiwi,
    wyvern,
    x2y2,
    zeroex,
    zora,
)
from indexing.judge.markets.gross import settled
from indexing.judge.markets.reading import Around, Reader
from indexing.judge.markets.registry import ANY, Deployment
from indexing.judge.matching import match
from indexing.judge.sales import NATIVE, Fault, Fill
from indexing.node.logs import RawLog

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
    "blend": blend.fills,
    "nftfi": loans.nftfi,
    "benddao": loans.benddao,
    "arcade": loans.arcade,
    "nftx-1": nftx.vault_1,
    "nftx-zap": nftx.zap,
    "nftx": nftx.vaults,
    "sudoswap": sudoswap.fills,
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

BY_EVENT = {nouns.AUCTION_SETTLED: ("nouns-auction", "nouns-auction")}
"""Protocol and market by the event that contracts of unknown address show themselves by.

The protocol's reader tells which of them it believes (:mod:`indexing.judge.markets.nouns` says why).
"""
_MOST_UNKNOWN = 20
"""Contracts of unknown address that one transaction may hold: who sends more of them wants to keep the indexer busy."""

CLONES: dict[str, Deployment] = {
    **dict.fromkeys(nftx.VAULT_EVENTS, Deployment(ANY, "nftx", "nftx")),
    **dict.fromkeys(sudoswap_calls.EVENTS, Deployment(ANY, "sudoswap", "sudoswap")),
}
"""Protocols whose pools and vaults are contracts of their own, by the first topics of their events.

Nothing lists such contracts, and anybody can emit these events: their readers get the logs of all of them at once,
believe what the NFT and money logs bear out, and see only what the events of known contracts left to them.
"""


def read(around: Around) -> tuple[list[Fill], list[Fault]]:
    """Read all market events of a transaction; the fills are in the order of their events."""
    naming: dict[Deployment, list[RawLog]] = {}
    nameless: dict[Deployment, list[RawLog]] = {}
    unknown: dict[Deployment, list[RawLog]] = {}
    clones: dict[Deployment, list[RawLog]] = {}
    for log in around.transaction.logs:
        deployment = around.registry.markets.get(log.address)
        if deployment is not None:
            group = nameless if deployment.protocol in NAMELESS else naming
            group.setdefault(deployment, []).append(log)
        elif log.topics and log.topics[0] in BY_EVENT:
            unknown.setdefault(Deployment(log.address, *BY_EVENT[log.topics[0]]), []).append(log)
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
        reader = PROTOCOLS.get(deployment.protocol)
        if reader is not None:  # else an operator's deployment of a protocol that this version does not know
            yield from reader(logs, deployment, around)
