"""Who holds an NFT after its transfers: every rule by a small history (field reports F49 to F57)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.addresses import DEAD_ADDRESS, SYSTEM_PROGRAM
from core.db.keys import NEVER, position_key
from tests.deriving.events import ALICE, BOB, CAROL, DAVE, START, ZERO, amounts, event, stated
from transfers.ledger.ledger import Event, Holding, Ledger, StatedOwner, Statement, chain_order
from transfers.ledger.owners import NeedsReplayError, append, has_one_owner, minting, replay

MINT = event(1, ZERO, ALICE)


def test_the_receiver_of_the_last_transfer_owns_an_erc721() -> None:
    ledger = replay([MINT, event(2, ALICE, BOB), event(3, BOB, CAROL)], "ERC721", None)
    assert amounts(ledger) == {CAROL: 1}
    assert ledger.total() == 1


def test_the_order_on_the_chain_counts_and_not_the_order_of_arrival() -> None:
    """F56: the owner is the receiver of the last transfer by block and log index."""
    events = [event(3, BOB, CAROL), MINT, event(2, ALICE, BOB), event(3, CAROL, DAVE, log=1)]
    assert amounts(replay(chain_order(events), "ERC721", None)) == {DAVE: 1}


def test_of_two_events_at_one_place_the_one_listed_first_is_the_last_on_the_chain() -> None:
    events = [event(2, ALICE, BOB, id=7), event(2, ALICE, CAROL, id=8)]
    assert [one.id for one in chain_order(events)] == [8, 7]
    assert amounts(replay(chain_order(events), "ERC721", None)) == {BOB: 1}


@pytest.mark.parametrize("standard", ["ERC721", "erc-721", "CryptoPunks", "CryptoKitties", "Metaplex", ""])
def test_a_burnt_token_is_known_to_have_no_owner(standard: str) -> None:
    """F49: a burn leaves nobody, and that is knowledge."""
    nowhere = SYSTEM_PROGRAM if standard == "Metaplex" else ZERO
    ledger = replay([MINT, event(2, ALICE, nowhere)], standard, None)
    assert amounts(ledger) == {}
    assert ledger.total() == 0
    assert ledger.holdings[ALICE].amount == 0


def test_the_dead_address_is_an_owner() -> None:
    assert amounts(replay([MINT, event(2, ALICE, DEAD_ADDRESS)], "ERC721", None)) == {DEAD_ADDRESS: 1}


def test_nobody_is_known_to_own_an_nft_without_transfers() -> None:
    assert replay([], "ERC721", None).total() is None


def test_a_last_transfer_without_receiver_leaves_the_owner_unknown() -> None:
    assert replay([MINT, event(2, ALICE, None)], "ERC721", None).total() is None
    assert amounts(replay([event(1, ZERO, ALICE, 5), event(2, ALICE, None, 2)], "ERC1155", None)) == {
        ALICE: 3
    }


def test_an_erc1155_is_held_in_balances() -> None:
    """F50: one of a hundred editions burnt leaves the others with their holders."""
    events = [
        event(1, ZERO, ALICE, 100),
        event(2, ALICE, BOB, 30),
        event(3, BOB, ZERO, 1),
        event(4, ALICE, CAROL, 70),
    ]
    ledger = replay(events, "ERC1155", None)
    assert amounts(ledger) == {BOB: 29, CAROL: 70}
    assert ledger.total() == 2


def test_a_balance_of_two_to_the_256_less_one_is_exact() -> None:
    most = 2**256 - 1
    events = [event(1, ZERO, ALICE, most), event(2, ALICE, BOB, most - 1)]
    assert amounts(replay(events, "ERC1155", None)) == {ALICE: 1, BOB: most - 1}


def test_a_sender_whose_balance_is_not_known_does_not_go_below_nothing() -> None:
    events = [event(5, ALICE, BOB, 7), event(6, ZERO, ALICE, 2)]
    assert amounts(replay(events, "ERC1155", None)) == {ALICE: 2, BOB: 7}


def test_a_transfer_to_oneself_keeps_the_entry_and_moves_the_update() -> None:
    """F53."""
    for standard in ("ERC721", "ERC1155", ""):
        ledger = replay([MINT, event(5, ALICE, ALICE)], standard, None)
        assert ledger.holdings == {
            ALICE: Holding(1, position_key(START + 12, 1), 1, START + 12, 5, START + 60)
        }


def test_the_first_block_of_an_owner_survives_selling_and_buying_back() -> None:
    events = [MINT, event(2, ALICE, BOB), event(3, BOB, ALICE)]
    for standard in ("ERC721", "ERC1155"):
        holding = replay(events, standard, None).holdings[ALICE]
        assert (holding.entered_at_block, holding.updated_at_block) == (1, 3)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([MINT, event(2, ALICE, BOB)], {BOB: 1}),
        ([event(2, ALICE, BOB), event(9, CAROL, DAVE)], {DAVE: 1}),
        ([event(1, ZERO, ALICE, 1), event(2, ZERO, BOB, 1)], {ALICE: 1, BOB: 1}),
        ([event(1, ZERO, ALICE, 3), event(2, ALICE, BOB, 1)], {ALICE: 2, BOB: 1}),
        ([event(2, ALICE, BOB), event(3, CAROL, DAVE, 2)], {BOB: 1, DAVE: 2}),
        ([MINT, event(2, ALICE, ZERO), event(3, ZERO, BOB)], {BOB: 1}),
        ([event(1, None, ALICE, kind="mint"), event(2, None, BOB, kind="mint")], {ALICE: 1, BOB: 1}),
    ],
)
def test_an_unknown_standard_has_one_owner_unless_transfers_show_balances(
    events: list[Event], expected: dict[str, int]
) -> None:
    assert amounts(replay(events, "", None)) == expected


def test_a_standard_is_known_in_any_spelling() -> None:
    assert [
        has_one_owner(name) for name in ("ERC-721", "erc721a", "ERC-1155", "Crypto Punks", "LSP8", "")
    ] == [*(True, True, False, True, None, None)]


def test_stated_owners_hold_as_of_their_block_and_later_transfers_apply_on_top() -> None:
    statement = stated((BOB, 1), as_of_block=10)
    events = [MINT, event(10, ALICE, CAROL)]
    assert amounts(replay(events, "ERC721", statement)) == {BOB: 1}
    assert amounts(replay([*events, event(11, BOB, DAVE)], "ERC721", statement)) == {DAVE: 1}


def test_stated_owners_hold_as_of_their_second() -> None:
    statement = stated((BOB, 1), as_of=START + 120)
    assert amounts(replay([event(10, ALICE, CAROL)], "ERC721", statement)) == {BOB: 1}
    assert amounts(replay([event(11, ALICE, CAROL)], "ERC721", statement)) == {CAROL: 1}


def test_stated_balances_are_the_ground_of_later_transfers() -> None:
    statement = stated((ALICE, 10), (BOB, 5), as_of_block=10)
    events = [event(1, ZERO, CAROL, 99), event(11, ALICE, DAVE, 4)]
    for standard in ("ERC1155", ""):
        assert amounts(replay(events, standard, statement)) == {ALICE: 6, BOB: 5, DAVE: 4}


def test_a_pending_statement_covers_every_transfer() -> None:
    statement = stated((BOB, 1), pending=True)
    assert amounts(replay([MINT, event(99, ALICE, CAROL)], "ERC721", statement)) == {BOB: 1}


def test_nobody_can_be_stated_to_hold_it() -> None:
    assert replay([MINT], "ERC721", stated(as_of_block=5)).total() == 0


def test_stated_dates_win_over_those_of_transfers() -> None:
    owner = StatedOwner(ALICE, 1, 3, START + 36, 4, START + 48)
    ledger = replay([MINT, event(9, BOB, ALICE)], "ERC721", stated(owner, as_of_block=10))
    holding = ledger.holdings[ALICE]
    assert (holding.entered_at_block, holding.entered_at) == (3, START + 36)
    assert (holding.updated_at_block, holding.updated_at) == (4, START + 48)


def test_dates_that_are_not_stated_follow_from_the_transfers_before() -> None:
    ledger = replay([MINT], "ERC721", stated((ALICE, 1), (BOB, 1), as_of_block=10))
    assert ledger.holdings[ALICE].entered_at_block == 1
    assert ledger.holdings[BOB] == Holding(1, NEVER)


def test_a_stated_entry_sorts_before_the_events_of_its_block() -> None:
    owner = StatedOwner(ALICE, 1, 7, START + 84)
    ledger = replay([event(7, ZERO, BOB, 1)], "ERC1155", stated(owner, as_of_block=6))
    assert ledger.holdings[ALICE].entered_key < ledger.holdings[BOB].entered_key
    assert ledger.holdings[ALICE].entered_key > position_key(START + 83, 6, 999)


PEOPLE = st.sampled_from([ALICE, BOB, CAROL, ZERO, None])
EVENTS = st.lists(
    st.tuples(st.integers(1, 12), st.integers(0, 3), PEOPLE, PEOPLE, st.sampled_from([1, 1, 1, 0, 3])),
    max_size=14,
    unique_by=lambda drawn: drawn[:2],
).map(
    lambda rows: chain_order(
        [event(block, sender, receiver, amount, log) for block, log, sender, receiver, amount in rows]
    )
)
DATES = st.none() | st.integers(1, 12)
OWNERS = st.lists(
    st.builds(
        StatedOwner,
        st.sampled_from([ALICE, BOB, DAVE]),
        st.sampled_from([1, 1, 4]),
        DATES,
        DATES,
        DATES,
        DATES,
    ),
    max_size=3,
    unique_by=lambda owner: owner.address,
).map(tuple)
STATEMENTS = (
    st.none()
    | st.builds(Statement, OWNERS, as_of_block=st.integers(0, 12))
    | st.builds(Statement, OWNERS, pending=st.just(True))
)
STANDARDS = st.sampled_from(["ERC721", "ERC1155", ""])


@settings(max_examples=400, deadline=None)
@given(EVENTS, STANDARDS, STATEMENTS, st.lists(st.integers(0, 14)))
def test_appending_gives_what_a_replay_gives_however_a_history_is_cut(
    events: list[Event], standard: str, statement: Statement | None, cuts: list[int]
) -> None:
    applied = 0
    for place in sorted({len(events), *(cut for cut in cuts if cut < len(events))}):
        before, whole = (replay(events[:end], standard, statement) for end in (applied, place))
        rows = _rows_that_are_read(before, events[applied:place], standard)
        try:
            found = append(rows, before.total(), events[applied:place], standard, statement)
        except NeedsReplayError:
            assert standard == "" or (statement is not None and standard == "ERC1155")
        else:
            assert {**before.holdings, **rows} == whole.holdings
            assert found.total == whole.total()
            known, born = (minting(events[:end], standard, statement) for end in (applied, place))
            if known is not None:  # else all transfers are read again
                assert (found.born or known) == born
        applied = place


def _rows_that_are_read(before: Ledger, events: list[Event], standard: str) -> dict[str, Holding]:
    """Only what `append` asks for: the addresses that are named, and holders where there is but one."""
    named = {address for one in events for address in (one.sender, one.receiver)}
    few = before.total() == 1 or has_one_owner(standard)
    return {
        address: replace(holding)
        for address, holding in before.holdings.items()
        if address in named or (few and holding.amount)
    }


@settings(max_examples=100, deadline=None)
@given(EVENTS, STANDARDS, STATEMENTS)
def test_no_unit_is_held_by_nobody_and_none_is_negative(
    events: list[Event], standard: str, statement: Statement | None
) -> None:
    ledger = replay(events, standard, statement)
    assert ZERO not in ledger.holdings
    assert all(holding.amount >= 0 for holding in ledger.holdings.values())
    assert {address for address, holding in ledger.holdings.items() if holding.amount} == ledger.holders


def test_a_long_chain_of_single_moves_needs_no_replay_though_the_standard_is_unknown() -> None:
    holdings: dict[str, Holding] = {}
    total: int | None = None
    people = [ALICE, BOB, CAROL]
    for block in range(1, 200):
        sender = ZERO if block == 1 else people[(block - 1) % 3]
        total = append(holdings, total, [event(block, sender, people[block % 3])], "", None).total
    assert total == 1
    assert [address for address, holding in holdings.items() if holding.amount] == [people[199 % 3]]
