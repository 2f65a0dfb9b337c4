"""The moves between two logs, found without looking at all others: a transaction may have thousands of both."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.markets.reading import between
from indexing.judge.money import MoneyMove
from tests.ingestion.encoding import ALICE, BOB, UNHURRIED
from tests.markets.building import WETH


@UNHURRIED
@given(st.lists(st.integers(0, 50)), st.integers(-1, 50), st.integers(-1, 51))
def test_they_are_those_that_going_through_all_would_find(at: list[int], since: int, until: int) -> None:
    # One log may move many: several entries have its index.
    money = [MoneyMove(WETH, ALICE, BOB, 1, index) for index in sorted(at)]
    expected = [place for place, one in enumerate(money) if since < one.log_index < until]
    assert list(between(money, since, until)) == expected
