"""Sort keys compare as text in the order of what they stand for."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.db import keys

TIMES = st.tuples(
    st.one_of(st.integers(0, 3), st.integers(0, keys.MAX_TIMESTAMP)),
    st.one_of(st.integers(0, 3), st.integers(0, keys.MAX_BLOCK)),
    st.one_of(st.integers(0, 3), st.integers(0, keys.MAX_LOG_INDEX)),
    st.one_of(st.integers(0, 3), st.integers(0, keys.MAX_BATCH_INDEX)),
)


@given(TIMES, TIMES)
def test_the_newest_event_has_the_first_recency_key(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    assert (one < other) == (keys.recency_key(*one) > keys.recency_key(*other))
    assert (one < other) == (keys.position_key(*one) < keys.position_key(*other))


@given(TIMES)
def test_a_recency_key_keeps_all_of_its_event(event: tuple[int, ...]) -> None:
    key = keys.recency_key(*event)
    assert keys.recency_parts(key) == event
    assert len(key) == 22
    assert key < keys.NEVER


def test_two_blocks_of_one_second_stay_in_order() -> None:
    """F1: a fast chain has several blocks a second; the log index starts again in each."""
    assert keys.recency_key(1_700_000_000, 101, 0) < keys.recency_key(1_700_000_000, 100, 9)


@given(st.integers(0, 2**256 - 1), st.integers(0, 2**256 - 1))
def test_numbers_of_256_bits_sort_by_value(one: int, other: int) -> None:
    assert (one < other) == (keys.uint_key(one) < keys.uint_key(other))
    assert keys.uint_from_key(keys.uint_key(one)) == one


def test_token_two_comes_before_token_ten_and_mints_come_last() -> None:
    mint = "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"
    ids = [mint, "100", "10", "2", str(2**256 - 1), "0"]
    assert sorted(ids, key=keys.token_key) == ["0", "2", "10", "100", str(2**256 - 1), mint]
    assert [keys.token_id_from_key(keys.token_key(each)) for each in ids] == ids


def test_a_mint_of_digits_alone_sorts_with_the_mints() -> None:
    assert keys.mint_key("1" * 32) > keys.token_key(str(2**256 - 1))


@pytest.mark.parametrize(
    "price", ["0.070000000000000001", "0.07", "0", "1", "1e59", "1000", "0.5", "123456789.000000001"]
)
def test_a_price_keeps_all_18_places(price: str) -> None:
    assert keys.unscaled(keys.scaled(Decimal(price))) == Decimal(price)


def test_a_nineteenth_place_is_refused() -> None:
    with pytest.raises(ValueError, match="18 decimal places"):
        keys.scaled(Decimal("0.0000000000000000001"))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999999999"])
def test_what_is_no_ordinary_number_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match="number"):
        keys.scaled(Decimal(number))
