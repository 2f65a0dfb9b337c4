"""Loses what follows from evidence, and derives it again in processes that are killed, at one statement after another.

    python -m tests.ingestion.killed_rederived

After each kill a run finishes. Prints how many were killed, and the statements after which the tables were not those of
before the loss, as one JSON object. The database is that of DATABASE_URL; it must be empty.
"""

from __future__ import annotations

import json
import signal
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import django

from tests.dying import apart, dying_at

EVERY = {"sqlite": 7, "postgresql": 17}
"""Statements from one kill to the next: the parts are small, so that each comes to all kinds of them."""


def main() -> None:
    """Kill and finish, and print how it went."""
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from indexing.follow import reclassify, rederive
    from tests.ingestion.chain import FakeNode
    from tests.ingestion.indexing import index, tables
    from tests.ingestion.spoiling import spoil, traded

    def derive(fatal: int = 0) -> None:
        with dying_at(fatal):
            call_command("rederive", "-v0")

    def finish(into: Path) -> None:
        derive()
        into.write_text(repr(sorted(tables().items())))
        spoil()

    def begin(into: Path) -> None:
        index(FakeNode(traded()))
        into.write_text(repr(sorted(tables().items())))
        spoil()

    killed, wrong, every = 0, [], EVERY[connection.vendor]
    small = patch.object(reclassify, "AT_ONCE", 2), patch.object(rederive, "NFTS_AT_ONCE", 2)
    with TemporaryDirectory() as folder, small[0], small[1]:
        before, after = Path(folder) / "before", Path(folder) / "after"
        assert apart(partial(begin, before)) == 0
        while apart(partial(derive, 1 + killed * every)) == -signal.SIGKILL:
            killed += 1
            assert apart(partial(finish, after)) == 0
            if after.read_text() != before.read_text():
                wrong.append(killed)
    json.dump({"killed": killed, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main()
