"""A run that is killed while it writes orders is finished by the next one, with the same asks."""

from __future__ import annotations

from pathlib import Path

from tests.processes import databases, outcome, run


def test_a_run_killed_at_any_kind_of_statement_that_writes_orders_ends_in_the_same_asks(
    tmp_path: Path,
) -> None:
    with databases(tmp_path, ["books"]) as (url,):
        done = outcome(run(url, "-m", "tests.ingestion.killed_books"))
    assert {"COPY transfers_orderevent", "COPY tokens_ask"} <= set(done["kinds"])
    assert len(done["kinds"]) >= 6
    assert done["wrong"] == []
