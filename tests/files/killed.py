"""Loads a file in a process of its own, which can be made to kill itself at any statement.

    python -m tests.files.killed FILE MOMENT

At the statement of number MOMENT the process sends itself SIGKILL; 0 lets it finish, and it then prints the number of
its statements, the dump, and what is derived, as one JSON object. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import sys

import django

from tests.dying import dying_at

BATCH_LINES = 100
MARKS_BATCH = 50


def main(path: str, moment: int) -> None:
    """Load, and print what has become of it."""
    django.setup()
    from interchange.load import load_files
    from tests.files.lines import derived, dumped
    from tokens.store import marks

    marks.BATCH = MARKS_BATCH
    with dying_at(moment) as statements:
        report = load_files([path], batch_lines=BATCH_LINES)
    assert report.fault_count == 0, report.faults
    json.dump(
        {"statements": statements.count, "dump": dumped(), "derived": derived()}, sys.stdout, default=str
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
