"""Which move delivered what an event sold, at markets that move each NFT before they say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from typing import NamedTuple

from indexing.decode.moves import Move


class Delivery(NamedTuple):
    """The move that an event calls for; ``None`` fits whatever the move has."""

    log_index: int
    """Of the event."""
    contract: str
    token_id: int
    amount: int | None
    seller: str | None
    buyer: str | None

    def is_by(self, move: Move) -> bool:
        """Whether a move of the same token may be it."""
        return (
            move.log_index < self.log_index
            and self.amount in (None, move.amount)
            and self.seller in (None, move.sender)
            and self.buyer in (None, move.receiver)
        )


def delivered(moves: Sequence[Move], deliveries: Sequence[Delivery]) -> list[int | None]:
    """Return the place of the move of each delivery, both being in log order; ``None`` where there is none.

    The NFTs of one call move in the order of its events, and the call moves nothing between its last move and its
    last event. So that event tells of the last move before it, and so on backwards: units of one id that are sold at
    several prices each get their own.
    """
    by_token: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, move in enumerate(moves):
        by_token[move.contract, move.token_id].append(place)
    found: list[int | None] = [None] * len(deliveries)
    for number in reversed(range(len(deliveries))):
        one = deliveries[number]
        places = by_token.get((one.contract, one.token_id), [])
        found[number] = next((at for at in reversed(places) if one.is_by(moves[at])), None)
        if (at := found[number]) is not None:
            places.remove(at)
    return found


def nearest(
    moves: Sequence[Move],
    log_index: int,
    taken: Container[int],
    *,
    receiver: str,
    sender: str | None = None,
    token_id: int | None = None,
    is_before: bool = True,
) -> int | None:
    """Return the place of the move nearest to a log, before it or wherever; ``None`` where none fits.

    For events that name what they sold only in part: an auction's number instead of the NFT, or no contract. ``None``
    fits whatever the move has; moves of no units and those in ``taken`` never fit.
    """
    found = [
        place
        for place, move in enumerate(moves)
        if move.receiver == receiver
        and move.amount
        and place not in taken
        and sender in (None, move.sender)
        and token_id in (None, move.token_id)
        and not (is_before and move.log_index > log_index)
    ]
    return min(found, key=lambda place: abs(moves[place].log_index - log_index), default=None)
