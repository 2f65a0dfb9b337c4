"""Indexes a chain on which people trade in processes that are killed, at each kind of statement that writes orders.

    python -m tests.ingestion.killed_books

After each kill a run finishes, and all is taken back. Prints the kinds, and those after which the tables were not those
of a run that lives, as one JSON object. The database is that of DATABASE_URL; it must be empty.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import django

from tests.dying import apart

WISHES = (
    *(
        ("zora", 0, 2, 1),
        ("validate", 1, 0, 2),
        ("validate", 2, 0, 3),
        ("punk", 0, 1, 1),
        ("escrow", 0, 0, 2),
    ),
    *(("zora", 1, 2, 1), ("approve", 1, 0, 1), ("fill", 0, 0, 1), ("cancel", 1, 0, 0), ("counter", 1, 0, 0)),
    *(("nonces", 1, 3, 0), ("punk", 3, 1, 0), ("ape", 1, 0, 0), ("zora", 1, 1, 3)),
)


class Kinds:
    """Notes each kind of statement that orders are written by, and dies by SIGKILL at the first of kind ``fatal``."""

    def __init__(self, fatal: str | None) -> None:
        self.seen: dict[str, None] = {}
        self._fatal = fatal

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        kind = re.sub(r"\d+|%s(, %s)+", "N", sql)
        # A reading one leaves what the writing one before it left.
        if not sql.startswith(("SELECT", "INSERT")):
            self._note(kind)
        return execute(sql, *rest)

    def _note(self, kind: str) -> None:
        self.seen[kind] = None
        if kind == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, write: Callable[..., None]) -> Callable[..., None]:
        """Return what writes orders, watched."""

        from django.db import connection

        from core.db import bulk

        copied = bulk.copy_rows

        def copying(
            model: Any, columns: Any, rows: Any
        ) -> None:  # by COPY on PostgreSQL, which no wrapper sees
            if rows:
                self._note(f"COPY {model._meta.db_table}")
            copied(model, columns, rows)

        def watched(*arguments: Any) -> None:
            with connection.execute_wrapper(self), patch.object(bulk, "copy_rows", copying):
                write(*arguments)

        return watched


def main() -> None:
    """Kill and finish, and print how it went."""
    django.setup()
    from indexing.follow import runner
    from indexing.follow.rewind import rewind
    from indexing.follow.window_width import LogWindows
    from tests.ingestion.indexing import ethereum, index
    from tests.ingestion.stated_asks import FILES, load, table
    from tests.ingestion.trading import Trading
    from transfers.ledger import factset

    trading = Trading()
    for wish in WISHES:
        trading.trade(wish)
    last = trading.chain.head
    trading.chain.mine_empty(2)

    def run(to_block: int, fatal: str | None = None) -> list[str]:
        kinds = Kinds(fatal)
        with patch.object(factset, "write_orders", kinds.around(factset.write_orders)):
            index(trading.node(), to_block=to_block)
        return list(kinds.seen)

    def die(kind: str) -> None:
        rewind(ethereum(), 3)
        run(last, kind)

    def finish(into: Path) -> None:
        run(last + 1)  # a block later: a run that was killed before it had asked for approvals does so then
        into.write_text(repr(sorted(table().items())))

    small = partial(LogWindows, size=6, maximum=6)
    with TemporaryDirectory() as folder, patch.object(runner, "LogWindows", small):
        left = Path(folder) / "left"
        assert apart(lambda: run(3)) == 0
        for name, offer in FILES.items():
            apart(partial(load, name, offer))
        note = Path(folder) / "kinds"
        assert apart(lambda: note.write_text(json.dumps(run(last)))) == 0
        assert apart(partial(finish, left)) == 0
        expected, wrong = left.read_text(), []
        kinds = json.loads(note.read_text())
        for kind in kinds:
            assert apart(partial(die, kind)) == -signal.SIGKILL, kind
            assert apart(partial(finish, left)) == 0
            if left.read_text() != expected:
                wrong.append(kind)
    json.dump({"kinds": kinds, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main()
