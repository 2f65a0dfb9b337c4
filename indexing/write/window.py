"""A window: what a range of blocks holds, read and decoded, as it is written at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from indexing.contracts.kinds import Doubt
from indexing.contracts.profiles import Profile
from indexing.decode.moves import Decoded, Move, Undecoded
from indexing.decode.punks import PunkBid
from indexing.node.logs import Unreadable
from indexing.node.transactions import ChainTransaction, Header
from transfers.ledger.orders import Placed


class Reading(NamedTuple):
    """What the logs of a transaction say, and the transaction itself where an NFT moved (or a log was not decoded)."""

    transaction: ChainTransaction | None
    decoded: Decoded


@dataclass(frozen=True, slots=True)
class Window:
    """What a range of blocks holds, ``first`` and ``last`` included.

    ``headers``: the last block's, and those of the blocks whose hashes are to be kept, in order. ``parent_hash`` is
    the first block's. ``readings`` are in the order of the chain. ``profiles``: contracts that are not described yet.
    ``doubts``: contracts of which logs are left out, or something is not told; ``cleared``: those in doubt no more.
    ``unreadable``: what was no log. ``asked_logs`` and ``widest`` are for who decides on the width of the next
    window.
    """

    first: int
    last: int
    parent_hash: str
    headers: Sequence[Header]
    readings: Sequence[Reading]
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    doubts: Mapping[str, Doubt] = field(default_factory=dict)
    cleared: Mapping[str, Profile] = field(default_factory=dict)
    unreadable: Sequence[Unreadable] = ()
    asked_logs: int = 0
    widest: int | None = None
    bids: Sequence[PunkBid] = ()
    """Bids for punks, in the order of the chain."""
    orders: Sequence[Placed] = ()
    """What logs say of orders, in the order of the chain."""
    order_faults: Sequence[Undecoded] = ()
    """Those of them that nobody can read."""
    complete: bool = True
    """All contracts were asked for; else transactions may have moved NFTs that ``readings`` do not name."""
    moves: Sequence[Move] = field(init=False)
    """What its logs move, in the order of the chain."""

    def __post_init__(self) -> None:
        moves = [move for reading in self.readings for move in reading.decoded.moves]
        object.__setattr__(self, "moves", moves)
