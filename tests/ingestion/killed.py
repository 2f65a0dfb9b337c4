"""Indexes Ethereum from a node to its head in a process of its own, as often killed before as is wanted.

    python -m tests.ingestion.killed NODE [MOMENTS]

First one run after the other is killed, at its statement of each number of MOMENTS (12,40,7), if it has so many. The
last one finishes, and the number of its statements, and the block to which each that was killed had come, are printed
as one JSON object. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import signal
import sys
from functools import partial
from unittest.mock import patch

import django

from tests.dying import apart, dying_at, numbers


def main(node: str, moments: str = "") -> None:
    """Index, and print how it went."""
    django.setup()
    from django.core.management import call_command

    from indexing.follow import runner
    from indexing.follow.window_width import LogWindows
    from indexing.models import IndexedContract

    def index(fatal: int = 0) -> int:
        with dying_at(fatal) as statements:
            call_command("index", "--chain", "ethereum", "--rpc-url", node, "-v0", stdout=sys.stderr)
        return statements.count

    reached = []
    # Small windows: many moments to be killed at.
    small = partial(LogWindows, size=20, maximum=40)
    with patch.object(runner, "LogWindows", small):
        for moment in numbers(moments):
            assert apart(partial(index, moment)) in (0, -signal.SIGKILL)
            reached.append(IndexedContract.objects.values_list("next_block", flat=True).first())
        json.dump({"statements": index(), "reached": reached}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
