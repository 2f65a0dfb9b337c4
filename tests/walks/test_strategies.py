"""The strategies draw what they promise: lines that can be loaded, and queries that find something."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Line
from tests.oracle.model import Oracle
from tests.oracle.query import Params
from tests.strategies.pools import NOW
from tests.strategies.queries import Query, draw_query, respelled, scenarios, transfer_scenarios
from tests.strategies.worlds import worlds


@given(scenarios())
def test_the_oracle_answers_every_query(scenario: tuple[list[Line], list[Query]]) -> None:
    lines, queries = scenario
    oracle = Oracle(lines)
    for query in queries:
        found = oracle.nfts(query, NOW)
        assert len({item.identity for item in found}) == len(found)


@given(transfer_scenarios())
def test_the_oracle_answers_every_query_of_transfers(scenario: tuple[list[Line], list[Query]]) -> None:
    lines, queries = scenario
    oracle = Oracle(lines)
    for query in queries:
        found = oracle.transfers(query, NOW)
        assert len({item.identity for item in found}) == len(found)


@given(st.data())
def test_other_spellings_mean_the_same(data: st.DataObject) -> None:
    oracle = Oracle(data.draw(worlds()))
    query = draw_query(data.draw, oracle)
    other: Params = respelled(data.draw, query)
    assert oracle.nfts(other, NOW) == oracle.nfts(query, NOW)


def test_worlds_hold_ties_and_several_pages() -> None:
    seen: Counter[str] = Counter()

    @given(scenarios(queries=4))
    def look(scenario: tuple[list[Line], list[Query]]) -> None:
        lines, queries = scenario
        oracle = Oracle(lines)
        for query in queries:
            keys = [item.key for item in oracle.nfts(query, NOW)]
            seen.update(queries=1, several=len(keys) > 3, ties=len(set(keys)) < len(keys), none=not keys)

    look()
    assert seen["several"] > seen["queries"] / 8
    assert seen["ties"] > seen["queries"] / 8
    assert seen["none"] < seen["queries"] * 3 / 4
