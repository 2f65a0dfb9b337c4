"""How indexing stands, chain by chain, for operators and for monitoring: a handful of queries whatever is stored."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Model

from indexing.models import DoubtfulContract, IndexedChain, IndexedContract, MarketFault, UndecodedLog
from tokens.models import Contract

AT_WORK = 90
"""Seconds within which an indexer at work tells of itself. While a node fails it pauses for up to a minute."""

COUNTED = 100_000
"""Undecoded logs of a chain, and unexplained events, up to which they are counted: ten thousand a millisecond."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a contract is indexed: ``address`` is empty for all contracts of the chain, ``name`` where known.

    ``last_block`` is ``None`` while nothing is indexed; ``reached_at`` is its time, Unix seconds, where known.
    """

    address: str
    name: str | None
    first_block: int
    last_block: int | None
    reached_at: int | None


@dataclass(frozen=True, slots=True)
class ChainStatus:
    """How indexing of a chain stands at ``now``. Times are in Unix seconds.

    Speeds are those of the last minute, nothing while no indexer is ``at_work``.
    """

    now: int
    chain_id: int
    chain: str
    checkpoints: tuple[Checkpoint, ...]
    """The one that has come least far first."""
    head: int | None
    head_seen_at: int | None
    beat_at: int | None
    at_work: bool
    """Whether an indexer has told of itself lately."""
    blocks_per_second: float
    logs_per_second: float
    logs_total: int
    rewinds: int
    fault: str
    fault_at: int | None
    undecoded: int
    """Logs kept because they could not be decoded, counted up to :data:`COUNTED` and one."""
    doubtful: int
    """Contracts that are left out or in doubt, counted so too."""
    unexplained: int
    """Market events that could not be explained, counted so too."""

    @property
    def least(self) -> Checkpoint | None:
        """The checkpoint that has come least far."""
        return self.checkpoints[0] if self.checkpoints else None

    @property
    def lag_blocks(self) -> int | None:
        """Blocks between the least checkpoint and the node's newest block, as that was last seen."""
        if self.head is None or self.least is None:
            return None
        reached = self.least.first_block - 1 if self.least.last_block is None else self.least.last_block
        return max(self.head - reached, 0)

    @property
    def lag_seconds(self) -> int | None:
        """Age of the least checkpoint's block. It grows by itself, also when no indexer is at work."""
        if self.least is None or self.least.reached_at is None:
            return None
        return max(self.now - self.least.reached_at, 0)


def statuses() -> list[ChainStatus]:
    """Return how indexing of each chain stands, by slug: three queries, and three bounded counts a chain."""
    rows = list(IndexedChain.objects.select_related("chain").order_by("chain__slug"))
    checkpoints = _checkpoints() if rows else {}
    now = int(time.time())
    return [_status(row, tuple(checkpoints.get(row.chain_id, ())), now) for row in rows]


def _status(row: IndexedChain, checkpoints: tuple[Checkpoint, ...], now: int) -> ChainStatus:
    at_work = row.beat_at is not None and now - row.beat_at <= AT_WORK
    return ChainStatus(
        now=now,
        chain_id=row.chain_id,
        chain=row.chain.slug,
        checkpoints=checkpoints,
        head=row.head_number,
        head_seen_at=row.head_seen_at,
        beat_at=row.beat_at,
        at_work=at_work,
        blocks_per_second=row.blocks_per_second if at_work else 0.0,
        logs_per_second=row.logs_per_second if at_work else 0.0,
        logs_total=row.logs_total,
        rewinds=row.rewinds,
        fault=row.fault,
        fault_at=row.fault_at,
        undecoded=_count(UndecodedLog, row.chain_id),
        doubtful=_count(DoubtfulContract, row.chain_id),
        unexplained=_count(MarketFault, row.chain_id),
    )


def _count(model: type[Model], chain_id: int) -> int:
    """Return how many rows there are of a chain, ``COUNTED + 1`` for more than ``COUNTED``."""
    return model._default_manager.filter(chain_id=chain_id).order_by()[: COUNTED + 1].count()


def _checkpoints() -> dict[int, list[Checkpoint]]:
    """Return the checkpoints of each chain by its row's id, the least far first."""
    rows = list(IndexedContract.objects.order_by("next_block", "address"))
    by_themselves = IndexedContract.objects.exclude(address="").values("address")
    contracts = Contract.objects.filter(address__in=by_themselves).values_list("chain_id", "address", "name")
    names = {(chain_id, address): name for chain_id, address, name in contracts}
    found: dict[int, list[Checkpoint]] = defaultdict(list)
    for row in rows:
        found[row.chain_id].append(
            Checkpoint(
                address=row.address,
                name=names.get((row.chain_id, row.address)),
                first_block=row.first_block,
                last_block=row.next_block - 1 if row.next_block > row.first_block else None,
                reached_at=row.reached_at if row.next_block > row.first_block else None,
            )
        )
    return found
