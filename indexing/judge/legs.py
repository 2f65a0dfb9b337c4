"""How NFTs went from hand to hand in a transaction, and the legs of sales and exchanges (specification, Swap entry)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice

from core.addresses import DEAD_ADDRESS, ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.judge.verdicts import Judgement, Leg, Match

MAX_LEGS = 100
"""Legs that a transfer shows. All transfers of an exchange show all of its legs: what is stored, and answered, would
grow with their square."""
_MAX_RETURN = 9
"""Legs given in return that a transfer of a larger exchange shows besides its own."""
_NOBODY = frozenset({ZERO_ADDRESS, DEAD_ADDRESS})


def gives_nothing(move: Move) -> bool:
    """Whether a move gave nothing to anybody else: a self-transfer, or one of no units."""
    return not move.amount or move.sender == move.receiver


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


def unjudged(moves: Sequence[Move], judged: Container[int]) -> list[int]:
    """Return the places of moves from one party to another, no mints or burns, that nothing was said of yet."""
    return [
        at
        for at, move in enumerate(moves)
        if not (at in judged or gives_nothing(move) or {move.sender, move.receiver} & _NOBODY)
    ]


def nft_leg(move: Move, market: str | None = None) -> Leg:
    """Return a move as a part of an exchange."""
    return Leg(move.contract, move.token_id, move.sender, move.receiver, move.amount, market)


def legs_of(matches: Sequence[Match], moves: Sequence[Move]) -> tuple[Leg, ...]:
    """Return every leg of fills: the NFTs as they moved, each once, and the money as the events tell it."""
    nfts = {
        place: nft_leg(moves[place], one.fill.market)
        for one in matches
        for place in (*one.moves, *one.returned)
    }
    return (*nfts.values(), *(leg for one in matches for leg in _money_legs(one, moves)))


def _money_legs(one: Match, moves: Sequence[Move]) -> Iterator[Leg]:
    fill = one.fill
    first = moves[one.moves[0]]
    seller, buyer = fill.seller or first.sender, fill.buyer or first.receiver
    rest = fill.price
    for payment in fill.payments:
        # Money that the buyer receives is the seller's, offered along with the NFTs.
        payer = seller if payment.receiver == buyer else buyer
        yield Leg(payment.currency, None, payer, payment.receiver, payment.amount, fill.market)
        if payment.currency == fill.currency and payer == buyer:
            rest -= payment.amount
    if rest > 0:
        yield Leg(fill.currency, None, buyer, seller, rest, fill.market)


def shortened(judged: Mapping[int, Judgement], moves: Sequence[Move]) -> dict[int, Judgement]:
    """Return judgements, by the places of their moves, with no more than ``MAX_LEGS`` legs each.

    Of a larger exchange each transfer shows its own leg, and the first ones of what was given in return.
    """
    returned: dict[tuple[int, str], tuple[Leg, ...]] = {}
    found = {}
    for at, one in judged.items():
        found[at] = one
        if len(one.swaps) > MAX_LEGS:
            sender, key = moves[at].sender, (id(one.swaps), moves[at].sender)
            if key not in returned:
                others = (leg for leg in one.swaps if leg.sender != sender)
                returned[key] = tuple(islice(others, _MAX_RETURN))
            own = nft_leg(moves[at], one.swaps[0].market)
            found[at] = one._replace(swaps=(own, *returned[key]))
    return found
