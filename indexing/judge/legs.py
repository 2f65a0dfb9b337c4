"""The legs of sales and exchanges, as the ``swaps`` of transfers show them (specification, Swap entry)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from indexing.decode.moves import Move
from indexing.judge.flows import nft_leg
from indexing.judge.sales import Judgement, Leg, Match

MAX_LEGS = 100
"""Legs that a transfer shows. All transfers of an exchange show all of its legs: what is stored, and answered, would
grow with their square."""
_MAX_RETURN = 9
"""Legs given in return that a transfer of a larger exchange shows besides its own."""


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
