"""Walks over data that moves (F23): an item whose sort key stays the same comes exactly once, whatever else happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.model import Item, Oracle
from tests.strategies.pools import NOW
from tests.strategies.queries import LIMITS, Query, draw_query, draw_transfer_query
from tests.strategies.worlds import draw_more, worlds
from tests.walks.checking import (
    NFTS,
    TRANSFERS,
    WAYS_OF_TRANSFERS,
    Thresholds,
    Walk,
    answer,
    engine,
    get_page,
    identity,
    load,
    loaded,
)
from tokens.store.ticks import tick

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("operation", [NFTS, TRANSFERS])]
Answer = dict[tuple[Any, ...], Item]


def as_answer(items: list[Item]) -> Answer:
    return {item.identity: item for item in items}


def walk_moving(
    operation: str, query: Query, limits: list[int], move: Callable[[], Answer], first: Answer
) -> tuple[Walk, list[Answer]]:
    """Walk all pages, moving between them; also what was the right answer at each page."""
    found: Walk = []
    answers, cursor = [first], None
    for number in range(100):
        sent = query if cursor is None else {**query, "cursor": cursor}
        page = get_page(operation, {**sent, "limit": str(limits[number % len(limits)])})
        keys = [answers[-1].get(identity(operation, record)) for record in page["data"]]
        assert all(keys), "an item that does not belong to the answer at this moment"
        assert [item.key for item in keys if item] == sorted(item.key for item in keys if item)
        found += page["data"]
        cursor = page.get("nextCursor")
        if cursor is None:
            return found, answers
        answers.append(move())
    raise AssertionError("the walk does not end")


def assert_each_once(operation: str, found: Walk, answers: list[Answer]) -> None:
    """Items with one key throughout came once."""
    counts = Counter(identity(operation, record) for record in found)
    for name, item in answers[0].items():
        if all(later.get(name) == item for later in answers):
            assert counts[name] == 1, f"{name} came {counts[name]} times"


@given(st.data(), LIMITS, st.sampled_from(WAYS_OF_TRANSFERS))
def test_inserts_between_pages(
    operation: str, data: st.DataObject, limits: list[int], ways: Thresholds
) -> None:
    files = [data.draw(worlds(6))]
    oracle = Oracle(files[0])
    query = (draw_query if operation == NFTS else draw_transfer_query)(data.draw, oracle)

    def insert() -> Answer:
        if len(files) < 5:
            more = draw_more(data.draw, [line for lines in files for line in lines])
            files.append(more)
            load(more)
            oracle.load(more)
        return as_answer(answer(oracle, operation, query))

    with loaded(files[0]), engine(ways):
        found, answers = walk_moving(
            operation, query, limits, insert, as_answer(answer(oracle, operation, query))
        )
    assert_each_once(operation, found, answers)


@given(st.data(), LIMITS)
def test_time_passes_between_pages(operation: str, data: st.DataObject, limits: list[int]) -> None:
    lines = data.draw(worlds())
    oracle = Oracle(lines)
    query = (draw_query if operation == NFTS else draw_transfer_query)(data.draw, oracle)
    query["sortBy"] = data.draw(st.sampled_from(["lowestAsk", "highestAsk", ""]))
    now = NOW - 1
    with loaded(lines, now=now) as clock:

        def wait() -> Answer:
            nonlocal now
            now += data.draw(st.sampled_from([0, 1, 1, 60]))
            clock.move_to(now)
            tick(now)
            return as_answer(answer(oracle, operation, query, now))

        first = as_answer(answer(oracle, operation, query, now))
        found, answers = walk_moving(operation, query, limits, wait, first)
    assert_each_once(operation, found, answers)
