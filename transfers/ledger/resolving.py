"""The transfers of one transaction, as they follow from what the chain tells and what was stated. Pure.

Whatever the order in which both came, the same comes out: that is all that reorganisations, rewinds and new rules need.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce

from transfers.ledger.statements import Statement
from transfers.ledger.transfer_rows import APART, LOOSE, STATED, Place, Row, beneath, moved, overlaid


@dataclass(slots=True)
class Told:
    """What is told of one transaction: by the chain, by statements with a place, and by those without, by NFT."""

    chain: dict[Place, Row] = field(default_factory=dict)
    stated: dict[Place, Statement] = field(default_factory=dict)
    loose: dict[int, Statement] = field(default_factory=dict)
    _moved: set[int] = field(default_factory=set)
    _named: dict[int, set[Place]] = field(default_factory=dict)

    def tell(self, row: Row) -> None:
        """Take what the chain tells of one of its transfers."""
        self.chain[row.place] = row
        self._moved.add(row.nft_id)

    def untell(self) -> None:
        """Forget what the chain told."""
        self.chain.clear()
        self._moved.clear()

    def state(self, one: Statement) -> None:
        """Take a statement in the place of what was stated there, or without a place of its NFT."""
        if one.place is None:
            self.loose[one.row.nft_id] = one
        else:
            self.stated[one.place] = one
            self._named.setdefault(one.row.nft_id, set()).add(one.place)

    def newest_of(self, nft_id: int) -> Statement | None:
        """Return the newest statement with a place that names an NFT."""
        places = self._named.get(nft_id, ())
        return max(
            (self.stated[place] for place in places if self.stated[place].row.nft_id == nft_id),
            key=lambda one: (one.row.block_number, one.row.timestamp, one.place),
            default=None,
        )

    def on_chain(self, one: Statement) -> bool:
        """Whether the chain tells of the transfer that a statement is about."""
        here = None if one.place is None else self.chain.get(one.place)
        return (here is not None and one.row.nft_id in (0, here.nft_id)) or one.row.nft_id in self._moved


@dataclass(slots=True)
class Resolved:
    """The rows of a transaction, without ids, and the statements that they do not hold as they were stated."""

    rows: list[Row] = field(default_factory=list)
    apart: list[Statement] = field(default_factory=list)


Order = Callable[[Iterable[int]], list[int]]
"""Sorts NFTs, given by id, by what they are called."""


def resolve(told: Told, in_order: Order) -> Resolved:
    """Return the rows of a transaction, and the statements to be kept apart.

    The chain is complete for the NFTs that it moves here. What is stated of a log joins that log where both mean one
    NFT. What is stated of an NFT of which the chain tells under other logs joins the newest of these that is free.
    What the chain tells nothing of stands where it was stated, or, with no place of its own there, at the first free
    batch index of log 0; and waits, when it does not say what a row needs.
    """
    found = Resolved()
    joined: dict[Place, list[Statement]] = {place: [] for place in told.chain}
    places: dict[int, list[Place]] = defaultdict(list)
    for place in sorted(told.chain):
        places[told.chain[place].nft_id].append(place)
    strays: dict[int, list[Statement]] = defaultdict(list)
    alone: list[Statement] = []
    for place, one in sorted(told.stated.items()):
        here = told.chain.get(place)
        if here is not None and one.row.nft_id in (0, here.nft_id):
            joined[place].append(one)
        elif one.row.nft_id in places:
            strays[one.row.nft_id].append(one)
        else:
            alone.append(one)
    for nft_id, some in strays.items():
        _join_strays(some, places[nft_id], joined)
    for nft_id, one in told.loose.items():
        if nft_id in places:
            joined[places[nft_id][-1]].insert(0, one)
        else:
            alone.append(one)
    found.rows += (_with(row, joined[place]) for place, row in told.chain.items())
    found.apart += (one for some in joined.values() for one in some)
    _stand(alone, found, in_order)
    return found


def _join_strays(some: list[Statement], places: list[Place], joined: dict[Place, list[Statement]]) -> None:
    """Give statements of logs that the chain does not have to those that it has of their NFT, newest to newest."""
    free = [place for place in places if not joined[place]]
    while some and free:
        joined[free.pop()].append(some.pop())
    joined[places[-1]][:0] = some


def _with(row: Row, statements: list[Statement]) -> Row:
    if not statements:
        return row
    stated = reduce(beneath, (one.row for one in statements))
    return overlaid(row, stated, frozenset().union(*(one.cleared for one in statements)))


def _stand(alone: list[Statement], found: Resolved, in_order: Order) -> None:
    """Give rows to statements of which the chain tells nothing; those without a place go by their NFTs' order."""
    taken = {row.place for row in found.rows}
    homeless = []
    for one in alone:
        if not one.row.is_whole:
            found.apart.append(one)
        elif one.place is None or one.place in taken:
            homeless.append(one)
        else:
            _row(one, one.place, found)
    used = {row.batch_index for row in found.rows if row.log_index == 0}
    if len(homeless) > 1:
        order = {nft_id: at for at, nft_id in enumerate(in_order({one.row.nft_id for one in homeless}))}
        homeless.sort(key=lambda one: (order[one.row.nft_id], one.place or (-1, 0)))
    batch_index = 0
    for one in homeless:
        while batch_index in used:
            batch_index += 1
        used.add(batch_index)
        _row(one, (0, batch_index), found)


def _row(one: Statement, place: Place, found: Resolved) -> None:
    """Give a statement a row, which is the statement itself where it can be."""
    origin = LOOSE if one.place is None else STATED if one.place == place else APART
    if origin == APART or one.cleared:
        origin = APART
        found.apart.append(one)
    row = moved(one.row, place)
    found.rows.append(row._replace(origin=origin, judged=False, overruled=None))
