"""Which contracts are markets: the built-in deployments of a chain, and those that an operator added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from indexing.judge.markets import deployments

ANY = ""
"""Stands for the address of a deployment whose contracts nobody can list."""


class Deployment(NamedTuple):
    """A market's contract on a chain."""

    address: str
    protocol: str
    """How its events are to be read, as :mod:`indexing.judge.markets.protocols` names it."""
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


def registry(chain_id: int, added: Iterable[Deployment] = ()) -> Registry:
    """Return the markets of a chain by its EIP-155 id; ``added`` ones win over built-in ones of the same address.

    A deployment without a protocol is only known as the target of transactions, and as a receiver of fees or a zone by
    which an order tells where it was made.
    """
    added = list(added)
    markets = {
        address: Deployment(address, protocol, market)
        for address, protocol, market in deployments.markets(chain_id)
    }
    targets = dict(deployments.TARGETS.get(chain_id, {}))
    for one in added:
        (targets if not one.protocol else markets).pop(one.address, None)
        if one.protocol:
            markets[one.address] = one
        else:
            targets[one.address] = one.market
    return Registry(
        chain_id=chain_id,
        markets=markets,
        targets=targets,
        adapters=deployments.ADAPTERS.get(chain_id, {}),
        sources=deployments.SOURCES | {one.address: one.market for one in added if not one.protocol},
        wrapped_native=deployments.WRAPPED_NATIVE.get(chain_id, frozenset()),
    )
