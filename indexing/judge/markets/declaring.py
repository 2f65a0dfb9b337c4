"""How a market declares itself: its name, what its events are read by, and its contracts on each chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indexing.decode.signatures import Event
from indexing.judge.markets.order_reading import OrderReader
from indexing.judge.markets.reading import Reader

ETHEREUM, OPTIMISM, BSC, GNOSIS, POLYGON = 1, 10, 56, 100, 137
BASE, ARBITRUM, AVALANCHE, BLAST, ZORA = 8453, 42161, 43114, 81457, 7777777
EVERYWHERE = 0
"""Stands for every chain, where contracts have one address on all of them (by CREATE2)."""


class Protocol(NamedTuple):
    """One way in which a market's contracts say what they sold, and the contracts that do so."""

    name: str
    """With its version: ``seaport-1.5``."""
    read: Reader | None
    """``None``: only what it says of orders is read."""
    addresses: Mapping[int, Sequence[str]] = {}
    """By EIP-155 chain id, or :data:`EVERYWHERE`, in lower case. An operator adds more in the admin."""
    is_nameless: bool = False
    """Its events do not name what was sold: it is among the moves that no other protocol's events claim."""
    unlisted: Sequence[Event] = ()
    """Events by which contracts of unknown address show themselves; the reader tells which of them it believes."""
    clones: Sequence[Event] = ()
    """Events of pools and vaults that are contracts of their own.

    Nothing lists such contracts, and anybody can emit these events: the reader gets the logs of all of them at once,
    believes what the NFT and money logs bear out, and sees only what the events of known contracts left to them.
    """
    orders: OrderReader | None = None
    """Of orders that open and end; of a protocol with ``clones`` it gets the logs of whatever contract, one by one."""
    is_operator: bool = False
    """Makers approve its contracts themselves to move their NFTs."""
    operators: Mapping[int, Sequence[str]] = {}
    """Contracts that makers approve for it, by EIP-155 chain id or :data:`EVERYWHERE`."""

    @property
    def order_events(self) -> tuple[Event, ...]:
        """What its contracts say of orders."""
        return () if self.orders is None else tuple(self.orders.handlers)

    def here(self, chain_id: int) -> tuple[str, ...]:
        """Return its contracts on a chain."""
        return (*self.addresses.get(EVERYWHERE, ()), *self.addresses.get(chain_id, ()))


class Market(NamedTuple):
    """What a market is, as the module that reads it declares it. All addresses are in lower case."""

    slug: str
    name: str
    """To be shown; empty: it is written into no database before a sale of it is."""
    protocols: Sequence[Protocol] = ()
    targets: Mapping[int, Sequence[str]] = {}
    """Contracts that show as this market by being a transaction's target: aggregators, routers of pools."""
    sources: Sequence[str] = ()
    """Receivers of fees, and zones, that tell that a Seaport order was made here, on whatever chain.

    Each is named by at least two published sources: the market's own code, or public tables of NFT trades.
    """
    adapters: Mapping[int, Mapping[str, str]] = {}
    """The NFT contract that orders mean by an adapter."""
    wrapped_native: Mapping[int, str] = {}
    """A contract of its own that wraps the native currency at par."""
