"""All NFTs that a transaction moved, where only some contracts of its chain are indexed. Pure: no database, no node."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.decode.decode import decode
from indexing.decode.moves import Move
from indexing.node.transactions import ChainTransaction


def whole(transaction: ChainTransaction, own: Sequence[Move], chain_id: int) -> list[Move]:
    """Return every move of a transaction in log order: its ``own`` ones, and those of contracts that are not indexed.

    The others are what their logs say by themselves: nobody asked their contracts, so that an ERC-20 ``Transfer``
    with an indexed amount counts as ERC-721's, and an unknown old contract's as ERC-20's.
    """
    places = set(map(place, own))
    others = (move for move in decode(transaction.logs, chain_id).moves if place(move) not in places)
    return sorted((*own, *others), key=place)


def place(move: Move) -> tuple[int, int]:
    """Return where in its transaction a move stands: log index, and place within the log's batch."""
    return move.log_index, move.batch_index
