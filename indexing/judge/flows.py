"""How NFTs went from hand to hand in a transaction, apart from what markets' events tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence

from core.addresses import DEAD_ADDRESS, ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.judge.sales import Leg

NOBODY = frozenset({ZERO_ADDRESS, DEAD_ADDRESS})


def is_between_two(move: Move) -> bool:
    """Whether a move gave something to somebody else: no mint or burn, no self-transfer, no transfer of nothing."""
    parties = {move.sender, move.receiver}
    return bool(move.amount) and len(parties) == 2 and not parties & NOBODY


def chains(moves: Sequence[Move], places: Sequence[int]) -> list[list[int]]:
    """Join moves, given by their places in log order, by which the same units were passed on, from hand to hand."""
    found: list[list[int]] = []
    held: dict[tuple[str, int, int, str], list[list[int]]] = defaultdict(list)
    for at in places:
        move = moves[at]
        token = move.contract, move.token_id, move.amount
        before = held[*token, move.sender]
        if not before:
            before.append([])
            found.append(before[0])
        chain = before.pop()
        chain.append(at)
        held[*token, move.receiver].append(chain)
    return found


def ends(moves: Sequence[Move], chain: Sequence[int]) -> tuple[str, str]:
    """Return who gave the units of a chain away, and who has them after it."""
    return moves[chain[0]].sender, moves[chain[-1]].receiver


def nft_leg(move: Move, market: str | None = None) -> Leg:
    """Return a move as a part of an exchange."""
    return Leg(move.contract, move.token_id, move.sender, move.receiver, move.amount, market)


def unjudged(moves: Sequence[Move], judged: Container[int]) -> list[int]:
    """Return the places of moves between two parties that nothing was said of yet."""
    return [at for at, move in enumerate(moves) if at not in judged and is_between_two(move)]
