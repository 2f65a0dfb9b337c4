"""Loads a file in a process of its own, as often killed before as is wanted.

    python -m tests.files.killed FILE [MOMENTS]

First one load after the other is killed, at its statement of each number of MOMENTS (12,40,7). The last one finishes,
and the number of its statements, the dump, and what is derived are printed as one JSON object. The database is that of
DATABASE_URL.
"""

from __future__ import annotations

import json
import sys

import django

from tests.dying import die_at, dying_at, numbers

BATCH_LINES = 100
MARKS_BATCH = 50


def main(path: str, moments: str = "") -> None:
    """Load, and print what has become of it."""
    django.setup()
    from interchange.load import load_files
    from tests.files.lines import derived, dumped
    from tokens.store import marks

    marks.BATCH = MARKS_BATCH
    for moment in numbers(moments):
        die_at(moment, lambda: load_files([path], batch_lines=BATCH_LINES))
    with dying_at(0) as statements:
        report = load_files([path], batch_lines=BATCH_LINES)
    assert report.fault_count == 0, report.faults
    json.dump(
        {"statements": statements.count, "dump": dumped(), "derived": derived()}, sys.stdout, default=str
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
