"""What is stored does not depend on how lines fall into batches, nor on how often or in which order they come."""

from __future__ import annotations

from collections import Counter

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from tests import drawn
from tests.builders import Line, load_lines
from tests.deriving.tables import everything, rolled_back
from tests.strategies.orders import shuffled
from tests.strategies.pools import NOW
from tests.strategies.worlds import worlds
from tokens.models import Ask

pytestmark = pytest.mark.django_db
QUICK = drawn.examples(9)


@QUICK
@given(st.data(), st.sampled_from([1, 2, 3, 7]))
def test_batches_of_any_size_and_lines_in_any_order_give_the_same_tables(
    data: st.DataObject, size: int
) -> None:
    lines: list[Line] = data.draw(worlds())
    with time_machine.travel(NOW, tick=False):
        with rolled_back():
            load_lines(lines)
            at_once = everything()
        with rolled_back():
            load_lines(shuffled(data.draw, lines), batch_lines=size)
            in_batches = everything()
    for table, rows in at_once.items():
        assert in_batches[table] == rows, table


@QUICK
@given(worlds(), st.sampled_from([1, 3, 100]))
def test_an_ask_is_sole_where_it_is_the_only_active_one_of_its_nft(lines: list[Line], size: int) -> None:
    with time_machine.travel(NOW, tick=False), rolled_back():
        load_lines(lines, batch_lines=size)
        asks = list(Ask.objects.values_list("id", "nft_id", "active", "sole"))
        of_nft = Counter(nft_id for _, nft_id, active, _ in asks if active)
        only = {row_id for row_id, nft_id, active, _ in asks if active and of_nft[nft_id] == 1}
        assert {row_id for row_id, _, _, sole in asks if sole} == only


@QUICK
@given(worlds())
def test_lines_that_come_again_change_nothing(lines: list[Line]) -> None:
    with time_machine.travel(NOW, tick=False), rolled_back():
        load_lines(lines)
        once = everything()
        load_lines(lines, batch_lines=5)
        assert everything() == once
