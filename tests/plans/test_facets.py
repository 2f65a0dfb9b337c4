"""On PostgreSQL, over a made-up world: what facets read is bounded, however much a contract has."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.datastructures import MultiValueDict

from core.rest.states import State
from tests.plans.explain import plan_of
from tests.plans.world import FACES
from tokens.browse import counts, facets
from tokens.models import Contract, TraitValue
from tokens.models.trait import label_key, pair_key

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("plans"),  # one worker makes the world
    pytest.mark.usefixtures("world"),
]

NOW = 1_700_000_000
MOST = 1_000
"""Pages of the database (8 KiB) that all facets of a page may touch."""


@pytest.fixture
def full() -> Contract:
    """The largest contract, with thirty types of a thousand values each, scattered among those of another."""
    contract, other = Contract.objects.get(address=FACES), Contract.objects.latest("id")
    pairs = [(f"Type {kind:02}", f"value {number}") for number in range(1_000) for kind in range(30)]
    TraitValue.objects.bulk_create(
        TraitValue(
            id=1_000_000 + 2 * place + (owner is other),  # the world's ids are given, too
            contract=owner,
            type=kind,
            value=value,
            label_key=label_key(f"{kind}-{value}"),
            pair_key=pair_key(kind, value),
            count=1 + place * 7919 % 1_000,
        )
        for place, (kind, value) in enumerate(pairs)
        for owner in (contract, other)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tokens_traitvalue")
    return contract


def buffers(run: Callable[[], object]) -> int:
    """How many pages the statements of something touch."""
    with CaptureQueriesContext(connection) as queries:
        run()
    touched = 0
    for query in queries.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query["sql"].replace("%", "%%"), None)
            ((document,),) = cursor.fetchall()
        plan = (json.loads(document) if isinstance(document, str) else document)[0]["Plan"]
        touched += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return touched


def all_facets(contract_id: int, of_the_page: dict[str, str] | None = None) -> list[object]:
    """What a page reads for the facets of one contract."""
    state = State("/", MultiValueDict({"contractAddress": [FACES]}))
    state.of_the_page = of_the_page or {}
    return [*facets.of_contract(state, contract_id, NOW, None), *counts.offers(contract_id, NOW)]


def test_all_facets_of_a_contract_together_touch_at_most_a_thousand_pages(full: Contract) -> None:
    assert len(all_facets(full.pk)) > 20
    assert buffers(lambda: all_facets(full.pk)) <= MOST
    for page in ({"_facet": "Type 03"}, {"_facet": "Type 03", "_find": "value 99"}):
        assert buffers(lambda page=page: all_facets(full.pk, page)) <= MOST, page  # type: ignore[misc]


def test_no_facet_reads_a_table_whole_or_sorts_it(full: Contract) -> None:
    plan = plan_of(lambda: all_facets(full.pk))
    assert plan.faults("trait_value_frequent", "ask_contract_currency") == []
    assert plan.rows_read < 3_000, "of 60,000 values, 20,000 asks and 170,000 postings"


def test_the_largest_collections_are_read_from_the_ends_of_an_index() -> None:
    plan = plan_of(lambda: counts.collections(None))
    assert plan.faults("contract_by_size") == []
    assert buffers(lambda: counts.collections(None)) <= MOST
