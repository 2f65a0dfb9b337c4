"""The drill in small, as `make drill NAME=restore` has it in large."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.restore.drill import binaries, drilled
from tests.restore.world import drawn


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path that PostgreSQL's user may enter."""
    made = Path(tempfile.mkdtemp(prefix="nft-restore-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.mark.postgresql
@pytest.mark.skipif(binaries() is None, reason="PostgreSQL's programs for backups are not installed")
def test_each_way_of_restoring_gives_a_database_that_answers_as_the_oracle_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = binaries()
    assert programs is not None
    monkeypatch.delenv("TEST_DATABASE_URL", raising=False)  # the clusters are the drill's own
    results = list(drilled(programs, folder, drawn(8, 6, 7)))
    assert [one.way for one in results] == ["pg_dump, pg_restore", "dump, load", "archive, to a moment"]
    assert all(one.compared["walks"] == 24 and one.compared["records"] for one in results)
