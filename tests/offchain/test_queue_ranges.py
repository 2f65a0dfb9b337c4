"""Ranges of tokens whose metadata is to be read again: one row each, turned into work bit by bit, none forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.db.keys import UINT256_MAX, uint_key
from tests.builders import load_lines, nft
from tokens.models import Contract, MetadataFetch, MetadataRefresh, Nft
from tokens.store import fetches

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 28, tzinfo=UTC)
WHOLE = (0, UINT256_MAX)


def a_collection(size: int) -> int:
    """The id of a contract with the tokens 1 to ``size``, none of which is waiting."""
    load_lines([nft(str(token)) for token in range(1, size + 1)])
    return Contract.objects.get().pk


def name(contract_id: int, *ranges: tuple[int, int]) -> None:
    fetches.request_ranges(
        contract_id, [(uint_key(first), uint_key(last)) for first, last in ranges], "EIP-4906", NOW
    )


def waiting() -> list[tuple[int, int]]:
    rows = MetadataRefresh.objects.order_by("id").values_list("next_key", "last_key")
    return [(int(first[2:]), int(last[2:])) for first, last in rows]


def due() -> list[int]:
    keys = MetadataFetch.objects.order_by("nft__token_key").values_list("nft__token_key", flat=True)
    return [int(key[2:]) for key in keys]


def test_a_whole_collection_waits_in_one_row_and_becomes_work_bit_by_bit() -> None:
    contract_id = a_collection(12)
    name(contract_id, WHOLE)
    assert waiting() == [WHOLE]
    assert not MetadataFetch.objects.exists()
    assert fetches.expand(5, NOW) == 5
    assert due() == [1, 2, 3, 4, 5]
    assert waiting() == [(6, UINT256_MAX)]
    assert fetches.expand(100, NOW) == 7
    assert due() == list(range(1, 13))
    assert waiting() == []
    assert fetches.expand(100, NOW) == 0


def test_the_oldest_range_is_worked_off_first_and_the_next_one_in_the_same_go() -> None:
    contract_id = a_collection(12)
    name(contract_id, (9, 10))
    name(contract_id, (1, 3))
    assert fetches.expand(4, NOW) == 4
    assert due() == [1, 2, 9, 10]
    assert waiting() == [(3, 3)]


def test_a_range_that_ends_where_the_limit_does_leaves_nothing_behind() -> None:
    contract_id = a_collection(5)
    name(contract_id, WHOLE)
    assert fetches.expand(5, NOW) == 5
    assert waiting() == []


def test_a_range_without_a_known_token_goes_as_well() -> None:
    name(a_collection(2), (7, 9))
    assert fetches.expand(5, NOW) == 0
    assert waiting() == []


@pytest.mark.parametrize(
    ("named", "rows"),
    [
        ([(1, 9), (1, 9)], [(1, 9)]),
        ([(1, 9), (3, 4)], [(1, 9)]),
        ([(3, 4), (1, 9)], [(3, 4), (1, 3), (4, 9)]),
        ([(1, 5), (4, 9)], [(1, 5), (5, 9)]),
        ([(4, 9), (1, 5)], [(4, 9), (1, 4)]),
        ([(1, 3), (7, 9), (2, 8)], [(1, 3), (7, 9), (3, 7)]),
    ],
)
def test_only_what_does_not_wait_already_is_written(
    named: list[tuple[int, int]], rows: list[tuple[int, int]]
) -> None:
    contract_id = a_collection(1)
    for one in named:
        name(contract_id, one)
    assert waiting() == rows


def test_a_contract_that_announces_a_change_with_every_block_has_its_last_tokens_read() -> None:
    """Each announcement comes before the last one is worked off; a new row instead of the old would begin anew."""
    contract_id = a_collection(40)
    for _ in range(20):
        name(contract_id, WHOLE)
        fetches.expand(3, NOW)
    assert due() == list(range(1, 41))


def test_thousands_of_ranges_of_one_contract_become_few_rows() -> None:
    contract_id = a_collection(1)
    name(contract_id, *((10 * token, 10 * token + 3) for token in range(5_000)))
    assert waiting() == [(0, 49_993)]
    for token in range(6_000, 6_300):
        name(contract_id, (10 * token, 10 * token + 3))
    assert len(waiting()) <= fetches.MOST_RANGES
    assert waiting()[0] == (0, 49_993)  # what is being worked off goes on
    assert max(last for _, last in waiting()) == 62_993


def test_ranges_of_one_contract_leave_those_of_another_alone() -> None:
    load_lines([nft("1"), nft("1", "0x" + "2b" * 20)])
    one, other = Contract.objects.order_by("id").values_list("pk", flat=True)
    name(one, WHOLE)
    name(other, WHOLE)
    assert waiting() == [WHOLE, WHOLE]
    fetches.expand(1, NOW)
    assert MetadataFetch.objects.get().contract_id == one


def test_a_range_that_an_operator_names_is_read_whatever_was_found_even_where_the_contract_announced_it() -> (
    None
):
    contract_id = a_collection(2)
    name(contract_id, WHOLE)
    fetches.request_range(contract_id, *fetches.WHOLE, "by hand", NOW, by_hand=True)
    fetches.request_range(contract_id, *fetches.WHOLE, "by hand", NOW, by_hand=True)
    assert MetadataRefresh.objects.count() == 2
    fetches.expand(2, NOW)
    MetadataFetch.objects.update(state="unreachable", attempts=5, next_attempt_at=NOW + timedelta(minutes=1))
    fetches.expand(2, NOW)
    assert not MetadataRefresh.objects.exists()
    assert set(MetadataFetch.objects.values_list("state", "attempts", "next_attempt_at")) == {
        ("pending", 0, NOW)
    }


RANGES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda ends: (min(ends), max(ends))), max_size=12
)


@given(st.lists(RANGES, min_size=1, max_size=4))
def test_whatever_ranges_overlap_each_token_of_them_is_requested(
    batches: list[list[tuple[int, int]]],
) -> None:
    """Gaps that are cut out of a range lie in others; the model is a set of token ids."""
    kept: list[tuple[str, str]] = []
    for batch in batches:
        for first, last in batch:
            kept += fetches._gaps((uint_key(first), uint_key(last)), sorted(kept))
    named = {token for batch in batches for first, last in batch for token in range(first, last + 1)}
    found = {token for first, last in kept for token in range(int(first[2:]), int(last[2:]) + 1)}
    assert found == named


def test_the_rows_of_nfts_say_which_contract_and_chain_they_are_of() -> None:
    name(a_collection(1), WHOLE)
    fetches.expand(5, NOW)
    row, found = MetadataFetch.objects.get(), Nft.objects.get()
    assert (row.nft_id, row.contract_id, row.chain_id) == (found.pk, found.contract_id, found.chain_id)
