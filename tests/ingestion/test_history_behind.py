"""History behind what is indexed, by `load` or by an earlier start: each unit counts once, in any order."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.follow.rewind import rewind
from tests import drawn
from tests.deriving.tables import everything, rolled_back
from tests.ingestion.answers import told
from tests.ingestion.chain import COINS, Chain, FakeNode, batch, tx, units
from tests.ingestion.cut_short import killed
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, owners, tables
from tests.ingestion.mining import BLOCKS, mine
from tests.ingestion.stating import lines, load
from tokens.models import Owner
from transfers.models import Opening

pytestmark = pytest.mark.django_db

MOST = 2**256 - 1


@pytest.fixture
def chain() -> Chain:
    """ALICE gets 100 in block 1 and CAROL 8 in block 2, of which she gives BOB 3; these tests index from block 3 on."""
    made = Chain()
    made.mine(tx(units(7, ZERO, ALICE, 100)))
    made.mine(tx(units(7, ZERO, CAROL, 8)), tx(units(7, CAROL, BOB, 3)))
    made.mine(tx(units(7, ALICE, BOB, 30)), tx(batch([(7, 1), (7, 1), (7, 0)], CAROL, BOB)))
    made.mine(tx(units(7, BOB, ALICE, 5)), tx(units(7, CAROL, CAROL, 3)))
    return made


TRUE = {(COINS, 7): {ALICE: 75, BOB: 30, CAROL: 3}}


def test_a_mint_that_is_loaded_behind_an_opening_counts_once(chain: Chain) -> None:
    index(FakeNode(chain), from_block=3)
    assert owners() == chain.holders() == TRUE
    load(lines(chain, 1, 1))
    assert owners() == TRUE
    alice = Owner.objects.get(address=ALICE)
    assert (alice.entered_at_block, alice.updated_at_block) == (1, 4)


def test_the_order_of_load_and_index_does_not_matter(chain: Chain, monkeypatch: pytest.MonkeyPatch) -> None:
    narrow(monkeypatch, 1)
    parts = [lines(chain, 1, 1), lines(chain, 2, 2), lines(chain, 4, 4)]
    with rolled_back():
        index(FakeNode(chain), from_block=3)
        for part in parts:
            load(part)
        expected = tables()
    for order in itertools.permutations(range(4)):
        with rolled_back():
            for step in order:
                if step == 3:
                    index(FakeNode(chain), from_block=3)
                else:
                    load(parts[step])
            assert owners() == TRUE, order
            assert tables() == expected, order


@pytest.mark.parametrize("is_loaded_first", [True, False])
@pytest.mark.parametrize("receiver", [ALICE, BOB, CAROL])
def test_a_part_of_the_history_is_made_whole_by_the_chain(
    chain: Chain, is_loaded_first: bool, receiver: str
) -> None:
    """BOB had 3 by block 3: with CAROL's mint alone she would have all 8, without it he came by 3 unseen."""
    part = lines(chain, 0, 2, [receiver])
    if is_loaded_first:
        load(part)
    index(FakeNode(chain), from_block=3)
    if not is_loaded_first:
        load(part)
    assert owners() == TRUE
    entered = dict(Owner.objects.values_list("address", "entered_at_block"))
    assert entered == {ALICE: None, BOB: None, CAROL: None} | {
        receiver: {ALICE: 1, BOB: 2, CAROL: 2}[receiver]
    }


def test_who_had_nothing_when_indexing_began_has_nothing_of_what_was_loaded(chain: Chain) -> None:
    """BOB gave away what he got, which no loaded line tells."""
    emptied = Chain()
    emptied.mine(tx(units(7, ZERO, BOB, 100)))
    emptied.mine(tx(units(7, BOB, ALICE, 100)))
    emptied.mine(tx(units(7, ALICE, BOB, 1)))
    load(lines(emptied, 1, 1))
    index(FakeNode(emptied), from_block=3)
    assert owners() == emptied.holders() == {(COINS, 7): {ALICE: 99, BOB: 1}}


def test_the_most_that_anybody_can_have_is_exact() -> None:
    rich = Chain()
    rich.mine(tx(units(7, ZERO, ALICE, MOST)))
    rich.mine()
    rich.mine(tx(units(7, ALICE, BOB, MOST - 1)))
    index(FakeNode(rich), from_block=3)
    load(lines(rich, 1, 1))
    assert owners() == {(COINS, 7): {ALICE: 1, BOB: MOST - 1}}


@pytest.mark.parametrize("is_loaded_first", [True, False])
def test_units_that_came_without_a_log_are_seen_though_the_transfers_were_loaded(
    is_loaded_first: bool,
) -> None:
    """ALICE is given 7 of which no log tells, gives 5 of them, and gets 6: she has 8."""
    silent = Chain()
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    silent.mine(tx(units(9, ZERO, ALICE, 6)))
    if is_loaded_first:
        load(lines(silent))
    index(FakeNode(silent, {COINS: told({(2, ALICE): 8})}))
    load(lines(silent))
    assert owners() == {(COINS, 9): {ALICE: 8, BOB: 5}}


def test_what_is_loaded_ahead_of_a_window_hides_no_gap_and_makes_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ALICE gives all she has in block 3, which is known before blocks 1 and 2 are read; nothing must be asked."""
    narrow(monkeypatch, 1)
    known = Chain()
    known.mine(tx(units(7, ZERO, ALICE, 10)))
    known.mine(tx(units(7, ALICE, CAROL, 4)))
    known.mine(tx(units(7, ALICE, BOB, 6)), tx(units(7, BOB, ALICE, 6)))
    expected = in_one_go(FakeNode(known))
    load(lines(known, 3))
    index(FakeNode(known))
    assert tables() == expected
    assert not Opening.objects.exists()


def test_owners_that_nobody_could_tell_are_known_once_their_history_is_loaded(chain: Chain) -> None:
    chain.mine()
    index(FakeNode(chain, oldest=chain.head), from_block=3, to_block=chain.head - 1)
    assert owners() == {}
    load(lines(chain, 2, 2))
    assert owners() == {}, "what ALICE had is still not known"
    load(lines(chain, 1, 1))
    assert owners() == TRUE


@pytest.mark.parametrize("start", [0, 1, 2])
@pytest.mark.parametrize("blocks", [1, 2, 100])
def test_an_earlier_start_ends_with_the_tables_of_one_run_from_there(
    chain: Chain, monkeypatch: pytest.MonkeyPatch, start: int, blocks: int
) -> None:
    expected = in_one_go(FakeNode(chain), from_block=start)
    narrow(monkeypatch, blocks)
    index(FakeNode(chain), from_block=3)
    index(FakeNode(chain), from_block=start)
    assert owners() == TRUE
    assert tables() == expected


@pytest.mark.parametrize("contracts", [([""], [COINS]), ([COINS], [""])])
def test_one_contract_may_begin_before_all_and_all_before_one(
    chain: Chain, monkeypatch: pytest.MonkeyPatch, contracts: tuple[list[str], list[str]]
) -> None:
    narrow(monkeypatch, 1)
    index(FakeNode(chain), contracts=contracts[0], from_block=3)
    index(FakeNode(chain), contracts=contracts[1], from_block=0)
    assert owners() == TRUE
    assert not Opening.objects.exists(), "transfers tell all"
    chain.mine(tx(units(7, ALICE, BOB, 70)))
    index(FakeNode(chain), contracts=["", COINS])
    assert owners() == chain.holders()


def test_an_earlier_start_keeps_what_the_chain_told_that_transfers_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before block 3 ALICE came by 5 units without a log; by transfers alone she would have none left in block 4."""
    narrow(monkeypatch, 1)
    silent = Chain()
    silent.mine(tx(units(9, ZERO, ALICE, 5)))
    silent.mine()
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    silent.mine(tx(units(9, ALICE, BOB, 4)))
    node = FakeNode(silent, {COINS: told({(3, ALICE): 5, (3, BOB): 5, (4, ALICE): 1})})
    index(node, from_block=3)
    index(node, from_block=0)
    assert owners() == {(COINS, 9): {ALICE: 1, BOB: 9}}


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("load"), st.integers(0, 6), st.integers(0, 6), st.sampled_from([ALICE, BOB, CAROL, None])
        ),
        st.tuples(st.just("index"), st.integers(1, 5), st.integers(0, 4)),
        st.tuples(st.just("kill"), st.integers(1, 5), st.integers(0, 4), st.integers(1, 60)),
        st.tuples(st.just("fork"), BLOCKS),
        st.tuples(st.just("rewind"), st.integers(0, 3)),
    ),
    min_size=1,
    max_size=6,
)


@drawn.examples(20)
@given(BLOCKS, BLOCKS, STEPS, st.integers(0, 4))
def test_however_history_comes_it_ends_with_the_owners_of_the_chain(
    settled: list[Any], later: list[Any], steps: list[Any], begin: int
) -> None:
    """Blocks up to the settled ones are never lost; lines state those alone, all of them in the end."""
    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        chain = Chain()
        mine(chain, [[], *settled, []])
        last = chain.head
        mine(chain, [*later, [], []])
        begin = min(begin, last)
        for kind, *rest in steps:
            if kind == "load":
                first, end, who = rest
                receivers = [ALICE, BOB, CAROL, ZERO] if who is None else [who]
                load(lines(chain, first, min(end, last), receivers))
            elif kind == "fork":
                chain.fork(back=chain.head - last)
                mine(chain, [*rest[0], [], []])
            elif kind == "rewind" and Opening.objects.exists():
                rewind(ethereum(), last + rest[0])
            elif kind == "index":
                narrow(patch, rest[0])
                index(FakeNode(chain), from_block=begin + min(rest[1], last - begin))
            elif kind == "kill":
                narrow(patch, rest[0])
                killed(
                    partial(index, FakeNode(chain), from_block=begin + min(rest[1], last - begin)), rest[2]
                )
        index(FakeNode(chain), from_block=begin)
        found = owners()
        for key, held in chain.holders(begin).items():
            took_part = {one for move in chain.moves(begin) if move[:2] == key for one in move[2:4]}
            assert {who: n for who, n in found[key].items() if who in took_part} == held
        load(lines(chain, 0, last))
        assert owners() == chain.holders()
        whole = {name: rows for name, rows in everything().items() if name != "contracts"}
        expected = in_one_go(FakeNode(chain))
        assert whole["owners"] == expected["owners"]
        index(FakeNode(chain), from_block=0)
        assert tables()["owners"] == expected["owners"]
        assert not Opening.objects.exists(), "transfers tell all"
