"""Indexing that begins in mid-history, and contracts that move what they never minted: exact balances."""

from __future__ import annotations

import pytest

from tests.ingestion.answers import told
from tests.ingestion.chain import COINS, Chain, FakeNode, batch, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import in_one_go, index, narrow, owners, tables
from tokens.models import NftRecent, Owner
from transfers.models import Opening

pytestmark = pytest.mark.django_db


def questions(node: FakeNode) -> list[tuple[int, str]]:
    """The balances that were asked for: block and holder."""
    return [
        (int(params[1], 16), "0x" + params[0]["data"][34:74])
        for method, params in node.asked
        if method == "eth_call" and params[0]["data"].startswith("0x00fdd58e")
    ]


@pytest.fixture
def chain() -> Chain:
    """ALICE gets 100 before block 3, from which on these tests index."""
    made = Chain()
    made.mine(tx(units(7, ZERO, ALICE, 100), units(7, ZERO, CAROL, 1)))
    made.mine()
    made.mine(tx(units(7, ALICE, BOB, 30)))
    return made


def test_each_holder_is_asked_for_when_first_seen_and_never_again(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow(monkeypatch, 1)
    chain.mine(tx(units(7, BOB, ALICE, 5)))
    chain.mine(tx(units(7, BOB, CAROL, 5)))
    node = FakeNode(chain)
    index(node, from_block=3)
    assert sorted(questions(node)) == [(3, ALICE), (3, BOB), (5, CAROL)]
    assert owners() == chain.holders(3) == {(COINS, 7): {ALICE: 75, BOB: 20, CAROL: 6}}


@pytest.mark.parametrize("blocks", [1, 2, 100])
def test_balances_are_exact_whatever_the_windows(
    chain: Chain, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    chain.mine(tx(units(7, BOB, CAROL, 10)), tx(units(7, ALICE, ALICE, 70)))
    chain.mine(tx(units(7, ALICE, ZERO, 70)))
    chain.mine(tx(batch([(7, 11), (7, 9)], BOB, ALICE)))
    expected = in_one_go(FakeNode(chain), from_block=3)
    narrow(monkeypatch, blocks)
    index(FakeNode(chain), from_block=3)
    assert owners() == chain.holders(3)
    assert tables() == expected


def test_a_contract_that_is_younger_than_the_first_block_is_not_asked(chain: Chain) -> None:
    young = "0x" + "ee" * 20
    chain.mine(tx(units(1, ZERO, BOB, 4, young)), tx(units(1, BOB, CAROL, 3, young)))
    node = FakeNode(chain)
    index(node, from_block=4)
    assert questions(node) == []
    assert owners()[young, 1] == {BOB: 1, CAROL: 3}


def test_an_nft_of_erc721_needs_no_balances(chain: Chain) -> None:
    chain.mine(tx(nft(1, ALICE, BOB)))
    node = FakeNode(chain)
    index(node, from_block=4)
    assert questions(node) == []
    assert owners() == {(APES, 1): {BOB: 1}}


def test_who_took_part_in_a_transfer_of_nothing_is_asked_for_too(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on it counts as known, so that what it held would never be found out."""
    narrow(monkeypatch, 1)
    chain.mine(tx(units(7, BOB, CAROL, 0)))
    chain.mine(tx(units(7, BOB, CAROL, 5)))
    index(FakeNode(chain), from_block=4)
    assert owners()[COINS, 7] == {BOB: 25, CAROL: 6}


def test_what_a_contract_gave_without_a_log_is_settled_again_and_again(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ALICE is given 5 and then 3 units of which no log tells, and passes them on."""
    narrow(monkeypatch, 1)
    silent = Chain()
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    silent.mine(tx(units(9, ALICE, BOB, 3)))
    node = FakeNode(silent, {COINS: told({(1, ALICE): 0, (2, ALICE): 0})})
    index(node)
    assert owners()[COINS, 9] == {BOB: 8}
    assert sorted(amount or 0 for amount in Opening.objects.values_list("amount", flat=True)) == [3, 5]
    silent.fork(back=1)
    silent.mine()
    index(node)
    assert owners()[COINS, 9] == {BOB: 5}
    assert list(Opening.objects.values_list("amount", flat=True)) == [5]


@pytest.mark.parametrize("answers", [{}, {(2, ALICE): 0}])
def test_who_gives_what_nobody_knows_of_leaves_the_owners_unknown_and_no_balance_negative(
    answers: dict[tuple[int, str], int],
) -> None:
    """ALICE gives 5 that she was not seen to get, then gets 6. The contract reverts, or says what cannot be."""
    silent = Chain()
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    silent.mine(tx(units(9, ZERO, ALICE, 6)))
    index(FakeNode(silent, {COINS: told(answers)}))
    assert owners() == {}
    assert NftRecent.objects.get().owners_total is None
    assert [opening.amount for opening in Opening.objects.all()] == [None]
    assert all(amount >= 0 for amount in Owner.objects.values_list("amount", flat=True))


def test_an_nft_whose_owners_are_unknown_is_asked_for_again_until_the_contract_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ALICE, to whom units came silently, has 2 left at the end of block 3."""
    narrow(monkeypatch, 1)
    silent = Chain()
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    node = FakeNode(silent, {COINS: told({(3, ALICE): 2})})
    index(node)
    assert questions(node) == [(1, ALICE), (2, ALICE)]
    assert owners() == {}
    assert Opening.objects.count() == 1
    silent.mine(tx(units(9, ALICE, BOB, 5)))
    index(node)
    assert owners() == {(COINS, 9): {ALICE: 2, BOB: 15}}


def test_a_node_without_old_states_leaves_out_what_came_before(chain: Chain) -> None:
    """It can tell neither whether the contract is older nor what was held: known are the transfers alone."""
    chain.mine(tx(units(7, ZERO, CAROL, 2)))
    chain.mine_empty(3)
    index(FakeNode(chain, oldest=6), from_block=4, to_block=5)
    assert owners() == {(COINS, 7): {CAROL: 2}}


def test_what_was_held_before_survives_a_rewind_within_the_window_that_showed_it(chain: Chain) -> None:
    """The node is asked at the end of a window, which may be taken back while its beginning stands."""
    chain.mine(tx(units(7, BOB, CAROL, 10)))
    chain.mine(tx(units(7, ALICE, CAROL, 1)))
    index(FakeNode(chain), from_block=3)
    chain.fork(back=2)
    chain.mine()
    chain.mine(tx(units(7, CAROL, BOB, 1)))
    index(FakeNode(chain))
    assert owners() == chain.holders(3) == {(COINS, 7): {ALICE: 70, BOB: 31}}
    assert tables() == in_one_go(FakeNode(chain), from_block=3)


def test_an_opening_of_a_lost_block_is_lost_with_it(chain: Chain) -> None:
    chain.mine(tx(units(7, CAROL, BOB, 1)))
    index(FakeNode(chain), from_block=3)
    assert Opening.objects.filter(address=CAROL).exists()
    chain.fork(back=1)
    chain.mine()
    index(FakeNode(chain))
    assert not Opening.objects.filter(address=CAROL).exists()
    assert not Owner.objects.filter(address=CAROL).exists()


def test_when_somebody_first_held_what_it_held_before_is_not_known(chain: Chain) -> None:
    chain.mine(tx(units(7, BOB, ALICE, 1)))
    index(FakeNode(chain), from_block=3)
    alice, bob = Owner.objects.get(address=ALICE), Owner.objects.get(address=BOB)
    assert (alice.entered_at_block, alice.updated_at_block) == (None, 4)
    assert (bob.entered_at_block, bob.updated_at_block) == (3, 4)
    assert alice.entered_key < bob.entered_key
