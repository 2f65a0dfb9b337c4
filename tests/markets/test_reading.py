"""What readers of events ask for: the moves between two logs, the one that an event tells of, and listings by name."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.moves import ERC1155, Move
from indexing.judge.markets.deliveries import Delivery, delivered
from indexing.judge.markets.listings import Bid, Listing, Listings, Noted, names_in, numbered
from indexing.judge.markets.reading import between
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import NATIVE
from tests.ingestion.encoding import ALICE, APES, BLOCK, BOB, CAROL, LATER, TRANSACTION, UNHURRIED
from tests.markets.currencies import WETH
from tests.markets.manifold_events import LISTING, MANIFOLD, finalized


@UNHURRIED
@given(st.lists(st.integers(0, 50)), st.integers(-1, 50), st.integers(-1, 51))
def test_they_are_those_that_going_through_all_would_find(at: list[int], since: int, until: int) -> None:
    # One log may move many: several entries have its index.
    money = [MoneyMove(WETH, ALICE, BOB, 1, index) for index in sorted(at)]
    expected = [place for place, one in enumerate(money) if since < one.log_index < until]
    assert list(between(money, since, until)) == expected


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


NAME = numbered(MANIFOLD, LISTING)
MADE = Noted(NAME, BLOCK - 2, 5, is_bid=False, who=BOB, currency=NATIVE, amount=None)
FIRST = Noted(NAME, BLOCK - 1, 9, is_bid=True, who=ALICE, currency=None, amount=5)
SECOND = Noted(NAME, BLOCK, 3, is_bid=True, who=CAROL, currency=None, amount=7)


def test_a_listing_is_as_it_stood_before_a_log_in_whatever_order_it_became_known() -> None:
    for order in permutations([MADE, FIRST, SECOND, FIRST]):
        known = Listings(order)
        for index, bid in ((3, Bid(ALICE, 5)), (4, Bid(CAROL, 7))):
            assert known.before(NAME, finalized(index=index)) == Listing(BOB, NATIVE, bid)


def test_a_listing_whose_making_was_not_seen_or_comes_later_is_not_known() -> None:
    end = finalized(index=4)
    assert Listings([FIRST, SECOND]).before(NAME, end) is None
    assert Listings([MADE._replace(block_number=BLOCK), FIRST]).before(NAME, end) is None
    assert Listings([MADE]).before(numbered(MANIFOLD, 1), end) is None


def test_logs_name_all_listings_that_they_may_be_of() -> None:
    bare = finalized()._replace(topics=())
    odd = finalized()._replace(topics=("0x", "0x"))
    assert names_in([finalized(), finalized(listing=1, contract=CAROL), bare, odd]) == {
        NAME,
        numbered(CAROL, 1),
    }
