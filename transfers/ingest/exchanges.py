"""NFTs that go both ways between two parties (decisions, section 6)."""

from __future__ import annotations

from collections.abc import Container, Sequence

from nftsite.net.addresses import DEAD_ADDRESS, ZERO_ADDRESS
from transfers.ingest.moves import Move
from transfers.ingest.sales import Judgement, Leg

_NOBODY = frozenset({ZERO_ADDRESS, DEAD_ADDRESS})


def exchanged(moves: Sequence[Move], judged: Container[int]) -> dict[int, Judgement]:
    """Return the moves, of those not judged yet, by which two parties gave each other NFTs, by their places.

    An NFT that only comes back is no exchange. Nor is one with the contract of an NFT in it: that wraps, unwraps or
    redeems what it made.
    """
    contracts = {move.contract for move in moves}
    by_pair: dict[tuple[str, str], list[int]] = {}
    for place, move in enumerate(moves):
        parties = {move.sender, move.receiver}
        if place not in judged and len(parties) == 2 and not parties & (_NOBODY | contracts):
            by_pair.setdefault((move.sender, move.receiver), []).append(place)
    found: dict[int, Judgement] = {}
    for (one, other), there in by_pair.items():
        back = by_pair.get((other, one))
        if back is None or one > other:
            continue
        given, got = _tokens(moves, there), _tokens(moves, back)
        if given == got or not given - got or not got - given:
            continue
        legs = tuple(
            Leg(
                moves[at].contract, moves[at].token_id, moves[at].sender, moves[at].receiver, moves[at].amount
            )
            for at in sorted((*there, *back))
        )
        found.update((at, Judgement("swap", swaps=legs)) for at in (*there, *back))
    return found


def _tokens(moves: Sequence[Move], places: Sequence[int]) -> set[tuple[str, int]]:
    return {(moves[at].contract, moves[at].token_id) for at in places}
