"""Every record, whole, is what the oracle derives from the lines, in whatever order and however often they came.

So field reports F36, F38 and F42 (traits), F49 to F57 (owners), F61 to F67 (values, batches), F77 and F85 stay away.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Line
from tests.oracle.model import Oracle
from tests.strategies.orders import cut_into_files, shuffled
from tests.strategies.pools import NOW
from tests.strategies.worlds import worlds
from tests.walks.checking import assert_same_records, loaded
from tokens.store.ticks import tick

pytestmark = pytest.mark.django_db


@given(worlds(), st.sampled_from([0, 1, 60]))
def test_records(lines: list[Line], later: int) -> None:
    with loaded(lines) as clock:
        clock.shift(later)
        tick(NOW + later)
        assert_same_records(Oracle(lines), NOW + later)


@given(st.data())
def test_lines_in_any_order(data: st.DataObject) -> None:
    lines = data.draw(worlds())
    with loaded(shuffled(data.draw, lines)):
        assert_same_records(Oracle(lines))


@given(worlds())
def test_lines_twice(lines: list[Line]) -> None:
    with loaded(lines, lines):
        assert_same_records(Oracle(lines))


@given(st.data())
def test_lines_in_several_files(data: st.DataObject) -> None:
    files = cut_into_files(data.draw, shuffled(data.draw, data.draw(worlds())))
    oracle = Oracle()
    for lines in files:
        oracle.load(lines)
    with loaded(*files):
        assert_same_records(oracle)
