"""NFTs that go both ways between two parties (decisions, section 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence

from indexing.decode.moves import Move
from indexing.judge.legs import chains, ends, nft_leg, unjudged
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import Judgement, Leg


def exchanged(
    moves: Sequence[Move], judged: Container[int], money: Iterable[MoneyMove] = ()
) -> dict[int, Judgement]:
    """Return the moves, of those not judged yet, by which two parties gave each other NFTs, by their places.

    Through a router too, which passes on what it gets: the exchange is then the leg that leaves who gave it. ``money``
    that goes between the two, either way, is a part of it. An NFT that only comes back is no exchange. Nor is one with
    the contract of an NFT in it: that wraps, unwraps or redeems what it made.
    """
    contracts = {move.contract for move in moves}
    places = [at for at in unjudged(moves, judged) if not {moves[at].sender, moves[at].receiver} & contracts]
    found: dict[int, Judgement] = {}
    if len(places) < 2:
        return found
    rest = set(places)
    paid: dict[tuple[str, str], list[MoneyMove]] = defaultdict(list)
    for one in money:
        paid[one.sender, one.receiver].append(one)
    for there, back in _both_ways(moves, chains(moves, places)):
        found |= _judged(moves, there, back, paid)
        rest.difference_update(at for chain in (*there, *back) for at in chain)
    for there, back in _both_ways(moves, [[at] for at in places if at in rest]):
        found |= _judged(moves, there, back, paid)
    return found


def _both_ways(
    moves: Sequence[Move], flows: Iterable[list[int]]
) -> Iterator[tuple[list[list[int]], list[list[int]]]]:
    """Yield what went from one party to another with what came back for it."""
    by_pair: dict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for chain in flows:
        by_pair[ends(moves, chain)].append(chain)
    for (one, other), there in by_pair.items():
        back = by_pair.get((other, one))
        if back is None or one >= other:
            continue
        given, got = _tokens(moves, there), _tokens(moves, back)
        if given - got and got - given:
            yield there, back


def _judged(
    moves: Sequence[Move],
    there: Sequence[list[int]],
    back: Sequence[list[int]],
    paid: dict[tuple[str, str], list[MoneyMove]],
) -> dict[int, Judgement]:
    one, other = ends(moves, there[0])
    money = [*paid.get((one, other), ()), *paid.get((other, one), ())]
    legs = (
        *(nft_leg(moves[at]) for at in sorted(at for chain in (*there, *back) for at in chain)),
        *(Leg(some.currency, None, some.sender, some.receiver, some.amount) for some in money),
    )
    return {chain[0]: Judgement("swap", swaps=legs) for chain in (*there, *back)}


def _tokens(moves: Sequence[Move], flows: Iterable[list[int]]) -> set[tuple[str, int]]:
    return {(moves[chain[0]].contract, moves[chain[0]].token_id) for chain in flows}
