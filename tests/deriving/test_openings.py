"""What the chain says that an address held at the start of a block, and what transfers tell: each unit counts once."""

from dataclasses import replace as copy_of

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.db.keys import NEVER
from tests.deriving.events import ALICE, BOB, CAROL, DAVE, START, ZERO, amounts, event, stated
from transfers.ledger.ledger import Event, Held, Holding, Statement
from transfers.ledger.owners import NeedsReplayError, append, minting, replay

MOST = 2**256 - 1


def balances(events: list[Event], *openings: Held, statement: Statement | None = None) -> dict[str, int]:
    return amounts(replay(events, "ERC1155", statement, openings))


def test_what_known_transfers_brought_before_a_block_is_counted_once() -> None:
    gives = event(3, ALICE, BOB, 30)
    held = Held(ALICE, 100, 3)
    assert balances([gives], held) == {ALICE: 70, BOB: 30}
    assert balances([event(1, ZERO, ALICE, 100), gives], held) == {ALICE: 70, BOB: 30}


def test_an_opening_adds_what_a_part_of_the_history_leaves_out() -> None:
    events = [event(1, ZERO, ALICE, 40), event(3, ALICE, BOB, 30)]
    assert balances(events, Held(ALICE, 100, 3)) == {ALICE: 70, BOB: 30}


def test_an_opening_takes_what_a_part_of_the_history_does_not_know_to_be_gone() -> None:
    """The loaded mint says 100; by block 3 most of that was given away, and the chain is right."""
    events = [event(1, ZERO, ALICE, 100), event(3, ALICE, BOB, 30)]
    assert balances(events, Held(ALICE, 30, 3)) == {BOB: 30}
    assert balances(events, Held(ALICE, 100, 3), Held(BOB, 0, 3)) == {ALICE: 70, BOB: 30}
    assert balances([event(2, ZERO, BOB, 5), *events], Held(BOB, 0, 3)) == {ALICE: 70, BOB: 30}


def test_an_opening_is_of_the_start_of_its_block() -> None:
    """Transfers of the block itself, wherever they came from, are counted on top."""
    events = [event(3, ALICE, BOB, 30, log=1), event(3, ALICE, CAROL, 5, log=2), event(4, BOB, ALICE, 1)]
    assert balances(events, Held(ALICE, 100, 3)) == {ALICE: 66, BOB: 29, CAROL: 5}


def test_a_later_opening_of_the_same_holder_says_what_it_held_by_then() -> None:
    """Three units came in block 4 of which no transfer tells."""
    events = [event(2, ALICE, BOB, 5), event(5, ALICE, BOB, 3)]
    assert balances(events, Held(ALICE, 5, 2), Held(ALICE, 3, 5)) == {BOB: 8}


def test_an_opening_of_two_to_the_256_less_one_is_exact() -> None:
    assert balances([event(3, ALICE, BOB, MOST - 1)], Held(ALICE, MOST, 3)) == {ALICE: 1, BOB: MOST - 1}


def test_who_held_more_than_transfers_tell_entered_before_at_a_time_that_is_not_known() -> None:
    events = [event(1, ZERO, ALICE, 40), event(3, ALICE, BOB, 30)]
    ledger = replay(events, "ERC1155", None, [Held(ALICE, 100, 3), Held(BOB, 0, 3)])
    assert ledger.holdings[ALICE] == Holding(70, "", None, None, 3, START + 36)
    assert ledger.holdings[BOB].entered_at_block == 3


def test_who_held_what_transfers_tell_entered_by_them() -> None:
    events = [event(1, ZERO, ALICE, 100), event(3, ALICE, BOB, 30)]
    assert (
        replay(events, "ERC1155", None, [Held(ALICE, 100, 3)]).holdings
        == replay(events, "ERC1155", None).holdings
    )


def test_nobody_becomes_an_owner_by_having_held_nothing() -> None:
    ledger = replay([event(3, ALICE, BOB, 1)], "ERC1155", None, [Held(DAVE, 0, 3)])
    assert DAVE not in ledger.holdings


def test_who_gives_more_than_is_known_where_nobody_could_tell_leaves_the_owners_unknown() -> None:
    gives = event(3, ALICE, BOB, 30)
    assert replay([gives], "ERC1155", None, [Held(ALICE, None, 3)]).total() is None


def test_owners_are_known_once_the_history_before_is() -> None:
    events = [event(1, ZERO, ALICE, 100), event(3, ALICE, BOB, 30)]
    ledger = replay(events, "ERC1155", None, [Held(ALICE, None, 3)])
    assert amounts(ledger) == {ALICE: 70, BOB: 30}
    assert ledger.total() == 2


def test_owners_are_known_once_the_chain_tells_at_a_later_block() -> None:
    events = [event(3, ALICE, BOB, 30), event(5, ALICE, BOB, 1)]
    ledger = replay(events, "ERC1155", None, [Held(ALICE, None, 3), Held(ALICE, 70, 5)])
    assert amounts(ledger) == {ALICE: 69, BOB: 31}
    assert ledger.total() == 2


def test_stated_owners_of_an_openings_block_or_later_reflect_it() -> None:
    events = [event(3, ALICE, BOB, 30), event(5, ALICE, BOB, 1)]
    for statement in (
        stated((ALICE, 60), as_of_block=3),
        stated((ALICE, 60), as_of=START + 36),
        stated((ALICE, 60), as_of_block=4),
    ):
        assert balances(events, Held(ALICE, 100, 3), statement=statement) == {ALICE: 59, BOB: 1}


def test_an_opening_after_stated_owners_sets_them_right_and_keeps_their_dates() -> None:
    statement = stated((ALICE, 60), as_of_block=2)
    ledger = replay(
        [event(1, ZERO, ALICE, 60), event(3, ALICE, BOB, 30)], "ERC1155", statement, [Held(ALICE, 61, 3)]
    )
    assert amounts(ledger) == {ALICE: 31, BOB: 30}
    assert ledger.holdings[ALICE].entered_at_block == 1


def test_a_token_that_has_one_owner_has_no_openings() -> None:
    held = [Held(ALICE, 5, 3), Held(BOB, None, 3)]
    assert amounts(replay([event(3, ALICE, BOB)], "ERC721", None, held)) == {BOB: 1}


def test_an_unknown_standard_with_openings_is_held_in_balances() -> None:
    assert amounts(replay([event(3, ALICE, BOB)], "", None, [Held(ALICE, 5, 3)])) == {ALICE: 4, BOB: 1}


PEOPLE = [ALICE, BOB, CAROL]
HISTORY = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from([*PEOPLE, ZERO]),
        st.sampled_from([*PEOPLE, ZERO]),
        st.integers(0, 4),
    ),
    min_size=1,
    max_size=8,
)
"""Moves: blocks since the one before, who gives, who gets, units."""


def events_of(moves: list[tuple[int, str, str, int]]) -> list[Event]:
    block = 1
    events = []
    for log, (blocks, sender, receiver, units) in enumerate(moves):
        block += blocks
        events.append(event(block, sender, receiver, units, log, id=log))
    return events


SHOWN = st.lists(st.tuples(st.integers(0, 7), st.booleans(), st.integers(0, 9)), max_size=4)
"""Openings: which move shows it, of its giver or not, units."""
STATEMENTS = st.none() | st.builds(
    lambda block, is_time: stated(
        (ALICE, 5), (BOB, 1), **{"as_of": START + 12 * block} if is_time else {"as_of_block": block}
    ),
    st.integers(0, 9),
    st.booleans(),
)


@settings(max_examples=400, deadline=None)
@given(HISTORY, SHOWN, STATEMENTS, st.sampled_from(["ERC1155", "ERC721", ""]), st.integers(0, 8))
def test_appending_with_openings_gives_what_a_replay_gives(
    moves: list[tuple[int, str, str, int]],
    shown: list[tuple[int, bool, int]],
    statement: Statement | None,
    standard: str,
    cut: int,
) -> None:
    """New openings are of later blocks than all that was applied: else the caller replays all."""
    events = events_of(moves)
    assume(0 < cut < len(events))
    parties = [
        (events[at], events[at].sender if gives else events[at].receiver, n)
        for at, gives, n in shown
        if at < len(events)
    ]
    held = {
        (who, one.block): Held(who, n, one.block)
        for one, who, n in parties
        if who is not None and who != ZERO
    }
    applied = events[cut - 1].block
    old, new = ([one for one in held.values() if (one.block > applied) == is_new] for is_new in (False, True))
    before, whole = (
        replay(events[:cut], standard, statement, old),
        replay(events, standard, statement, [*old, *new]),
    )
    named = {address for one in events[cut:] for address in (one.sender, one.receiver)}
    rows = {
        who: copy_of(holding)
        for who, holding in before.holdings.items()
        if who in named or (holding.amount and (before.total() == 1 or standard == "ERC721"))
    }
    try:
        found = append(rows, before.total(), events[cut:], standard, statement, new)
    except NeedsReplayError:
        assert standard == "" or statement is not None
    else:
        assert {**before.holdings, **rows} == whole.holdings
        assert found.total == whole.total()
        known = minting(events[:cut], standard, statement, old)
        born = minting(events, standard, statement, [*old, *new])
        assert known is None or (found.born or known) == born


@settings(max_examples=300, deadline=None)
@given(HISTORY, st.integers(1, 20), st.data())
def test_with_openings_of_a_true_history_any_part_of_what_was_before_gives_the_true_balances(
    moves: list[tuple[int, str, str, int]], begin: int, data: st.DataObject
) -> None:
    """The chain says what each had when it was first seen; of the transfers before, any may be known."""
    truth: dict[str, int] = {}
    true, held = [], []
    seen: set[str] = set()
    for drawn in events_of(moves):
        has = drawn.amount if drawn.sender == ZERO else truth.get(str(drawn.sender), 0)
        one = drawn._replace(amount=min(drawn.amount, has))
        true.append(one)
        for who in {str(one.sender), str(one.receiver)} - {ZERO}:
            if one.block >= begin and who not in seen:
                seen.add(who)
                start = replay([event for event in true if event.block < one.block], "ERC1155", None)
                held.append(Held(who, start.holdings[who].amount if who in start.holdings else 0, one.block))
        truth = amounts(replay(true, "ERC1155", None))
    known = [one for one in true if one.block >= begin or data.draw(st.booleans())]
    found = replay(known, "ERC1155", None, held)
    assert {who: n for who, n in amounts(found).items() if who in seen} == {
        who: n for who, n in truth.items() if who in seen
    }
    if len(known) == len(true):
        assert found.holdings == replay(true, "ERC1155", None).holdings
    assert all(holding.entered_key != NEVER for holding in found.holdings.values() if holding.amount)
