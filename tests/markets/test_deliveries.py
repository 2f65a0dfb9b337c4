"""Which move an event tells of, where a market moves the NFTs of a call before it emits the call's events."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.moves import ERC1155, Move
from indexing.judge.markets.deliveries import Delivery, delivered
from tests.ingestion.encoding import ALICE, APES, BLOCK, BOB, CAROL, LATER, TRANSACTION, UNHURRIED


def _move(index: int = LATER, *, sender: str = BOB, receiver: str = ALICE, amount: int = 1) -> Move:
    return Move(APES, ERC1155, 7, sender, receiver, amount, TRANSACTION, index, 0, BLOCK)


def _event(index: int = LATER, *, amount: int | None = 1, buyer: str | None = None) -> Delivery:
    return Delivery(index, APES, 7, amount, BOB, buyer)


@UNHURRIED
@given(st.lists(st.integers(1, 5), max_size=6))
def test_every_event_of_calls_of_any_size_has_the_move_of_its_own_place(calls: list[int]) -> None:
    moves, events, index = [], [], 0
    for size in calls:
        moves += [_move(index + at) for at in range(size)]
        events += [_event(index + size + at) for at in range(size)]
        index += 2 * size
    assert delivered(moves, events) == list(range(sum(calls)))


def test_a_move_behind_the_event_or_of_others_is_not_its_own() -> None:
    moves = [_move(1, sender=CAROL), _move(2, receiver=CAROL), _move(3, amount=2), _move(5)]
    assert delivered(moves, [_event(4, buyer=ALICE)]) == [None]
    assert delivered(moves, [_event(4, amount=None, buyer=ALICE)]) == [2]


def test_what_moved_before_the_call_was_not_moved_by_it() -> None:
    assert delivered([_move(1), _move(2)], [_event(3)]) == [1]
