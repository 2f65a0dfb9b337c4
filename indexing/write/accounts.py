"""Holders of units over a window of blocks: what each gives and gets, and what must be asked of it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import MAX_UINT256, Move
from transfers.ledger.openings import Place

Pair = tuple[str, int, str]
"""Contract, token id and holder."""


class _Walk(NamedTuple):
    """What comes out when a holder's transfers of a window are followed from what it had at the window's start."""

    short: int | None
    """The block in which it gives more than it has."""
    plain: set[int]
    """Blocks of openings that say what is known without them."""


@dataclass(slots=True)
class Flow:
    """What a holder gains over a window: block and units of each of its transfers, in order; less than 0 it gives."""

    moves: list[tuple[int, int]] = field(default_factory=list)

    @property
    def first(self) -> int:
        """The block of its first transfer."""
        return self.moves[0][0]

    def net(self, since: int) -> int:
        """Return what it gains from a block on."""
        return sum(units for block, units in self.moves if block >= since)

    def walk(self, held: int, told: Mapping[int, int], needed: Collection[int] = ()) -> _Walk:
        """Follow it, set right by openings by block; those of the ``needed`` blocks are never plain."""
        plain: set[int] = set()
        at = None
        for block, units in self.moves:
            if block != at and block in told:
                if told[block] == held and block not in needed:
                    plain.add(block)
                held = told[block]
            at = block
            held += units
            if held < 0:
                return _Walk(block, plain)
        return _Walk(None, plain)


@dataclass(slots=True)
class Account:
    """A holder of units of one token that takes part in a window."""

    pair: Pair
    flow: Flow
    nft_id: int
    """0: the window is the first to name the NFT."""
    is_new: bool
    """Whether it may have held some before all that is indexed of it."""
    was_untold: bool
    """Whether the node could not tell before."""
    told: Mapping[int, int]
    """Its stored openings within the window, by block."""
    untold: Collection[int]
    """Blocks within the window as of which the node could not tell."""
    held: int = 0
    """What it had at the window's start, as far as is known."""

    @property
    def is_open(self) -> bool:
        """Whether anything hangs on what it had at the window's start."""
        return bool(self.told or self.untold) or self.flow.walk(0, {}).short is not None

    @property
    def short(self) -> int | None:
        """The block in which it gives more than it is known to have."""
        return self.flow.walk(self.held, self.told).short

    @property
    def doubt(self) -> int | None:
        """The block at whose start it must be asked what it held."""
        return self.flow.first if self.is_new and self.flow.first not in self.told else self.short

    def opening(self, block: int, balance: int) -> int | None:
        """Return what it had at a block's start by its balance at the window's end; ``None``: that cannot be."""
        held = balance - self.flow.net(block)
        possible = 0 <= held <= MAX_UINT256
        return (
            held if possible and self.flow.walk(self.held, {**self.told, block: held}).short is None else None
        )

    def superfluous(self, told: Mapping[int, int] | None = None) -> list[Place]:
        """Return the stored openings within the window that add nothing, beside those that are ``told`` now."""
        told = told or {}
        needed = {*told, self.flow.first} if self.is_new else set(told)
        plain = self.flow.walk(self.held, {**self.told, **told}, needed).plain
        return [
            (self.nft_id, self.pair[2], block) for block in sorted(plain.union(self.untold) - told.keys())
        ]


def flows_of(moves: Iterable[Move]) -> dict[Pair, Flow]:
    """Return what each holder gains over a window, from its moves in the order of the chain."""
    flows: dict[Pair, Flow] = {}
    for move in moves:
        for who, units in ((move.sender, -move.amount), (move.receiver, move.amount)):
            if who != ZERO_ADDRESS:
                flow = flows.setdefault((move.contract, move.token_id, who), Flow())
                flow.moves.append((move.block_number, units))
    return flows
