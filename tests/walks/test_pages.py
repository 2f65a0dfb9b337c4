"""All pages of a query, at whatever limits, are what the oracle answers: same items, same order, nothing twice.

So field reports F1 to F14 and F17 (rows lost, repeated or out of order at the edges of pages) stay away, and F24 to F40
(numbers and traits that are not found as they are).
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Line
from tests.oracle.model import Oracle
from tests.strategies.pools import NOW
from tests.strategies.queries import (
    LIMITS,
    LISTS,
    Query,
    draw_query,
    draw_transfer_query,
    respelled,
    scenarios,
    transfer_scenarios,
)
from tests.strategies.worlds import worlds
from tests.walks.checking import (
    NFTS,
    TRANSFERS,
    WAYS,
    WAYS_OF_TRANSFERS,
    Thresholds,
    answer,
    assert_same_order,
    engine,
    identity,
    loaded,
    walk,
)

pytestmark = pytest.mark.django_db


def check(
    operation: str, lines: list[Line], queries: list[Query], limits: list[int], ways: Thresholds
) -> None:
    """Walk every query at the limits, as the engine would with lists of other sizes, and once more by full pages."""
    oracle = Oracle(lines)
    with loaded(lines):
        for query in queries:
            expected = answer(oracle, operation, query)
            with engine(ways):
                found = walk(operation, query, limits, total=len(expected))
            identities = [identity(operation, record) for record in found]
            assert_same_order(expected, identities)
            whole = walk(operation, query, [30], total=len(expected))
            assert [identity(operation, record) for record in whole] == identities, "ties have one order"


@given(scenarios(), LIMITS, st.sampled_from(WAYS))
def test_nfts(scenario: tuple[list[Line], list[Query]], limits: list[int], ways: Thresholds) -> None:
    check(NFTS, *scenario, limits, ways)


@given(transfer_scenarios(), LIMITS, st.sampled_from(WAYS_OF_TRANSFERS))
def test_transfers(scenario: tuple[list[Line], list[Query]], limits: list[int], ways: Thresholds) -> None:
    check(TRANSFERS, *scenario, limits, ways)


@given(scenarios(queries=1))
def test_token_ids_descending_are_the_exact_reverse(scenario: tuple[list[Line], list[Query]]) -> None:
    lines, [query] = scenario
    with loaded(lines):
        ascending = walk(NFTS, {**query, "sortBy": "tokenId"}, [2])
        descending = walk(NFTS, {**query, "sortBy": "tokenId-desc"}, [3])
    assert descending == ascending[::-1]


@given(st.data(), LIMITS)
@pytest.mark.parametrize("operation", [NFTS, TRANSFERS])
def test_other_spellings_take_the_same_cursor(operation: str, data: st.DataObject, limits: list[int]) -> None:
    lines = data.draw(worlds())
    oracle = Oracle(lines)
    draw = draw_query if operation == NFTS else draw_transfer_query
    query = draw(data.draw, oracle)

    def respell() -> Query:
        other = respelled(data.draw, query, LISTS if operation == NFTS else ())
        if operation == NFTS:
            other["includeLastTransfer"] = data.draw(st.sampled_from(["true", "0"]))
        return other

    with loaded(lines):
        found = walk(
            operation, query, limits, total=len(answer(oracle, operation, query, NOW)), respell=respell
        )
        same = walk(operation, query, [30])
    assert [identity(operation, record) for record in found] == [
        identity(operation, record) for record in same
    ]
