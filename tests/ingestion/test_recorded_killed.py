"""A run over the recorded transactions of Ethereum that is killed is finished by the next one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from indexing.follow.rewind import rewind
from indexing.models import IndexedContract
from tests import drawn
from tests.ingestion.indexing import ethereum, tables
from tests.ingestion.recorded import database_url, recorded_node
from tests.processes import outcome, run
from tokens.models import Contract, Nft

pytestmark = pytest.mark.shared

KILLS = max(3, drawn.fewer(6))


@pytest.mark.django_db(transaction=True)
def test_a_run_that_is_killed_at_any_statement_is_finished_by_the_next() -> None:
    with recorded_node() as node:
        count = indexed_apart(node)["statements"]
        expected = tables()
        forget()
        draw = random.Random(9)
        # Up to half of a whole run: it writes its first blocks after a quarter, and each run goes on from the last.
        found = indexed_apart(node, *(draw.randrange(count // 8, count // 2) for _ in range(KILLS)))
    assert len(set(found["reached"])) > 1, "none of the runs that were killed came to write anything"
    assert tables() == expected


def forget() -> None:
    """Take all back that was indexed."""
    rewind(ethereum(), 0)
    Contract.objects.filter(nft_count=0).delete()
    IndexedContract.objects.all().delete()
    assert not Nft.objects.exists()


def indexed_apart(node: str, *moments: int) -> dict[str, Any]:
    """Index in other processes, killed at each of these statements, and then to the end."""
    return outcome(run(database_url(), "-m", "tests.ingestion.killed", node, ",".join(map(str, moments))))
