"""Movements for which a contract emits events of more than one kind, as those of two standards do: each counts once.

Pure. ASSET of The Sandbox emits ERC-721's ``Transfer`` beside ERC-1155's events for what there is one of; some
contracts of ERC-404 emit ``ERC721Transfer`` beside ``Transfer``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from indexing.decode.moves import Move
from indexing.node.events import (
    CONSECUTIVE_TRANSFER,
    ERC721_TRANSFER,
    TRANSFER,
    TRANSFER_BATCH,
    TRANSFER_SINGLE,
)

_RANKS = {TRANSFER_SINGLE: 0, TRANSFER_BATCH: 0, TRANSFER: 1, CONSECUTIVE_TRANSFER: 2, ERC721_TRANSFER: 3}
"""Kinds of events, that first which says most: ERC-1155's tell the units."""


def once_each(found: Sequence[tuple[str, Move]]) -> list[Move]:
    """Return the moves of a transaction, each read from an event, without those that another kind of event tells too.

    A move of one kind stands for as many of another kind as it moves units, of the same contract, token and ends,
    and for those that are nearest to it. Of one kind all stay: a token may well go the same way twice.
    """
    if len(found) < 2:
        return [move for _, move in found]
    kinds: dict[str, set[int]] = defaultdict(set)
    for event, move in found:
        kinds[move.contract].add(_RANKS.get(event, 0))
    twofold = {contract for contract, ranks in kinds.items() if len(ranks) > 1}
    if not twofold:
        return [move for _, move in found]
    alike: dict[tuple[str, int, str, str], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, (event, move) in enumerate(found):
        if move.contract in twofold and move.amount:
            key = (move.contract, move.token_id, move.sender, move.receiver)
            alike[key][_RANKS.get(event, 0)].append(place)
    units = [move.amount for _, move in found]
    doubles = {place for by_rank in alike.values() for place in _doubles(by_rank, units)}
    return [move for place, (_, move) in enumerate(found) if place not in doubles]


def _doubles(by_rank: Mapping[int, Sequence[int]], units: Sequence[int]) -> Iterator[int]:
    """Yield the places of those of some like moves that stand for what moves of a better rank tell."""
    told: list[int] = []
    for _, places in sorted(by_rank.items()):
        left = list(places)
        if len(left) <= sum(units[place] for place in told):
            yield from left
            continue
        for place in told:
            for _ in range(units[place]):
                yield left.pop(_nearest(left, place))
        told = sorted([*told, *left])


def _nearest(places: Sequence[int], place: int) -> int:
    """Return which of some places, in order, is nearest to another; of two as near the earlier one."""
    after = bisect_left(places, place)
    if after == len(places):
        return after - 1
    return after - (after > 0 and place - places[after - 1] <= places[after] - place)
