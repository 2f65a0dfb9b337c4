"""Last transfer, marketplaces, minter and owners as they are stored, whatever the order and the batches of lines."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

from core.db.keys import NEVER, recency_parts
from tests.builders import ALICE, APES, BOB, CAROL, DAVE, ZERO, contract, load_lines, nft, transfer
from tests.deriving.tables import rolled_back
from tokens.models import Nft, NftMarket, NftRecent, NftTraitRecent, Owner, StatedOwnership
from transfers.ledger import past

pytestmark = pytest.mark.django_db


def recent() -> NftRecent:
    return NftRecent.objects.get()


def holders() -> dict[str, int]:
    return {one.address: one.amount for one in Owner.objects.filter(amount__gt=0)}


def test_the_last_transfer_is_the_newest_in_every_order_of_lines() -> None:
    lines = [
        transfer(block=5, log=1, sender=ZERO, receiver=ALICE),
        transfer(block=5, log=2, sender=ALICE, receiver=BOB),
        transfer(block=6, log=0, sender=BOB, receiver=CAROL, timestamp=1_600_000_060),
    ]
    for order in permutations(lines):
        with rolled_back():
            load_lines([contract(), *order], batch_lines=1)
            assert recency_parts(recent().recent_key) == (1_600_000_060, 6, 0, 0)
            assert holders() == {CAROL: 1}
            assert list(
                Owner.objects.filter(amount=0).order_by("address").values_list("address", flat=True)
            ) == [*(ALICE, BOB)]


def test_a_transfer_that_changes_its_place_is_no_longer_the_last() -> None:
    last = transfer(block=9, sender=ALICE, receiver=BOB)
    load_lines([contract(), transfer(), last])
    assert holders() == {BOB: 1}
    load_lines([last | {"blockNumber": 0, "timestamp": 1_599_999_000}])
    assert recency_parts(recent().recent_key)[1] == 1
    assert holders() == {ALICE: 1}


def test_postings_of_traits_move_with_every_transfer() -> None:
    load_lines([nft(traits=[("Fur", "Gold"), ("Hat", "Cap")])])
    assert set(NftTraitRecent.objects.values_list("recent_key", flat=True)) == {NEVER}
    load_lines([transfer()])
    load_lines([transfer(block=2, sender=ALICE, receiver=BOB)])
    assert set(NftTraitRecent.objects.values_list("recent_key", flat=True)) == {recent().recent_key}


@pytest.mark.parametrize("batch_lines", [1, 10])
def test_markets_are_those_of_all_transfers_and_those_stated(batch_lines: int) -> None:
    lines: list[Any] = [
        transfer(markets=["opensea"]),
        transfer(block=2, sender=ALICE, receiver=BOB, markets=["blur", "gem"]),
        nft(markets=["foundation"], rarity=1.5),
    ]
    load_lines(lines, batch_lines=batch_lines)
    assert json.loads(recent().markets) == ["blur", "foundation", "gem", "opensea"]
    rows = NftMarket.objects.values_list("market__slug", "traded", "rarity_key", "recent_key")
    assert set(rows) == {
        (slug, True, -1.5, recent().recent_key) for slug in ("blur", "foundation", "gem", "opensea")
    }
    load_lines([nft(markets=None), lines[1] | {"markets": ["blur"]}])
    assert json.loads(recent().markets) == ["blur", "opensea"]
    assert NftMarket.objects.count() == 2


def minter_of(*lines: Any, batch_lines: int = 1) -> str | None:
    with rolled_back():
        load_lines(lines, batch_lines=batch_lines)
        minter: str | None = Nft.objects.get().minter
        return minter


def test_the_minter_is_the_sender_of_the_minting_transaction() -> None:
    mint = transfer(transactionFrom=DAVE)
    assert minter_of(mint) == DAVE
    assert minter_of(transfer(block=5, sender=ALICE, receiver=BOB, transactionFrom=CAROL), mint) == DAVE
    assert minter_of(mint | {"transferType": "sale"}) == DAVE
    assert minter_of(transfer()) is None
    assert minter_of(transfer(transactionFrom=ZERO)) is None
    assert minter_of(mint, nft(minter=BOB)) == BOB
    assert minter_of(nft(minter=BOB), mint, nft(minter=None)) == DAVE


@pytest.mark.parametrize("batch_lines", [1, 10])
def test_of_several_mints_the_earliest_tells_the_minter(batch_lines: int) -> None:
    editions = contract(standard="ERC1155")
    first, second = transfer(), transfer(block=2, receiver=BOB, transactionFrom=BOB)
    assert minter_of(editions, first, second, batch_lines=batch_lines) is None
    assert minter_of(editions, first | {"transactionFrom": ALICE}, second, batch_lines=batch_lines) == ALICE
    assert minter_of(editions, second, first | {"transactionFrom": ALICE}, batch_lines=batch_lines) == ALICE


def test_a_standard_that_is_told_late_changes_the_owners() -> None:
    load_lines([transfer(), transfer(block=2, sender=CAROL, receiver=BOB)])
    assert holders() == {BOB: 1}
    load_lines([contract(standard="ERC1155")])
    assert (holders(), recent().owners_total) == ({ALICE: 1, BOB: 1}, 2)
    load_lines([contract(standard="ERC721")])
    assert (holders(), recent().owners_total) == ({BOB: 1}, 1)


@pytest.mark.parametrize("batch_lines", [1, 10])
@pytest.mark.parametrize("last", [True, False])
def test_owners_stated_without_a_moment_are_as_of_the_newest_transfer_of_the_file(
    last: bool, batch_lines: int
) -> None:
    lines = [transfer(), transfer(block=7, sender=ALICE, receiver=BOB)]
    stated = nft(owner=CAROL)
    load_lines(
        [contract(), *lines, stated] if last else [contract(), stated, *lines], batch_lines=batch_lines
    )
    assert holders() == {CAROL: 1}
    row = StatedOwnership.objects.get()
    assert (row.as_of_block, row.as_of, row.pending) == (7, None, False)
    load_lines([transfer(block=8, sender=CAROL, receiver=DAVE)])
    assert holders() == {DAVE: 1}
    load_lines([transfer(block=6, sender=ALICE, receiver=ALICE)])
    assert holders() == {DAVE: 1}
    load_lines([nft(owner=None)])
    assert (holders(), StatedOwnership.objects.count()) == ({DAVE: 1}, 0)


def test_owners_stated_of_an_nft_without_transfers_stand_at_block_0() -> None:
    load_lines([nft(owners=[{"address": ALICE, "amount": "3"}, {"address": BOB, "amount": "1"}])])
    assert (holders(), recent().owners_total) == ({ALICE: 3, BOB: 1}, 2)
    assert StatedOwnership.objects.get().as_of_block == 0


def test_a_load_that_was_killed_before_it_settled_is_finished_by_the_next() -> None:
    load_lines([contract(), nft(owner=CAROL), transfer(block=3)])
    StatedOwnership.objects.update(pending=True, as_of_block=None)
    load_lines([])
    row = StatedOwnership.objects.get()
    assert (row.as_of_block, row.pending) == (3, False)


@pytest.mark.parametrize("standard", ["ERC721", "ERC1155", None])
def test_new_transfers_of_an_nft_are_applied_without_reading_the_old_ones(
    standard: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [ALICE, BOB, CAROL]
    lines = [
        transfer(
            block=block, sender=ZERO if block == 1 else people[block % 3 - 1], receiver=people[block % 3]
        )
        for block in range(1, 60)
    ]
    load_lines([contract(standard=standard), lines[0]])

    def not_wanted(_: Any) -> Any:
        raise AssertionError("read again")

    monkeypatch.setattr(past, "events_of", not_wanted)
    load_lines(lines[1:], batch_lines=7)
    assert holders() == {people[59 % 3]: 1}
    entered = dict(Owner.objects.values_list("address", "entered_at_block"))
    assert entered == {BOB: 1, CAROL: 2, ALICE: 3}


def test_an_nft_that_only_a_refused_line_names_has_no_transfer() -> None:
    broken = transfer("2", block=2**43)
    assert load_lines([transfer("1"), broken]).fault_count == 1
    for row in Nft.objects.filter(contract__address=APES, token_key="012"):
        assert (row.transferred, row.minter, row.recent.recent_key) == (False, None, NEVER)
