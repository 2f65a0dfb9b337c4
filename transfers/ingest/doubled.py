"""Movements for which a contract emits events of more than one kind, as those of two standards do: each counts once.

Pure. ASSET of The Sandbox emits ERC-721's ``Transfer`` beside ERC-1155's events for what there is one of; some
contracts of ERC-404 emit ``ERC721Transfer`` beside ``Transfer``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from transfers.ingest.events import (
    CONSECUTIVE_TRANSFER,
    ERC721_TRANSFER,
    TRANSFER,
    TRANSFER_BATCH,
    TRANSFER_SINGLE,
)
from transfers.ingest.moves import Move

_RANKS = {TRANSFER_SINGLE: 0, TRANSFER_BATCH: 0, TRANSFER: 1, CONSECUTIVE_TRANSFER: 2, ERC721_TRANSFER: 3}
"""Kinds of events, that first which says most: ERC-1155's tell the units."""


def once_each(found: Sequence[tuple[str, Move]]) -> list[Move]:
    """Return the moves of a transaction, each read from an event, without those that another kind of event tells too.

    A move of one kind stands for one of another kind of the same contract, token and ends, one for one. Of one kind
    all stay: a token may well go the same way twice.
    """
    kinds: dict[str, set[int]] = defaultdict(set)
    for event, move in found:
        kinds[move.contract].add(_RANKS.get(event, 0))
    twofold = {contract for contract, ranks in kinds.items() if len(ranks) > 1}
    if not twofold:
        return [move for _, move in found]
    places: dict[tuple[str, int, str, str], list[tuple[int, int]]] = defaultdict(list)
    for place, (event, move) in enumerate(found):
        if move.contract in twofold and move.amount:
            key = (move.contract, move.token_id, move.sender, move.receiver)
            places[key].append((_RANKS.get(event, 0), place))
    doubles = {place for some in places.values() for place in _doubles(some)}
    return [move for place, (_, move) in enumerate(found) if place not in doubles]


def _doubles(places: Iterable[tuple[int, int]]) -> Iterable[int]:
    """Return those of some like moves, by rank and place, that stand for what moves of a better rank tell."""
    by_rank: dict[int, list[int]] = defaultdict(list)
    for rank, place in places:
        by_rank[rank].append(place)
    told = 0
    for _, some in sorted(by_rank.items()):
        yield from some[:told]
        told = max(told, len(some))
