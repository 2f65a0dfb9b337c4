"""Runs `index_das` in a process of its own, as often killed before as is wanted.

    python -m tests.das.killed URL COLLECTION [MOMENTS]

First one run after the other is killed, at its statement of each number of MOMENTS (12,40,7). The last one finishes,
and the number of its statements, the dump, and what is derived are printed as one JSON object. The database is that of
DATABASE_URL.
"""

from __future__ import annotations

import json
import sys

import django

from tests.dying import die_at, dying_at, numbers


def main(url: str, collection: str, moments: str = "") -> None:
    """Index, and print what has become of it."""
    django.setup()
    from django.core.management import call_command

    from tests.files.lines import derived, dumped

    def index() -> None:
        call_command("index_das", "--rpc-url", url, "--collection", collection, verbosity=0)

    for moment in numbers(moments):
        die_at(moment, index)
    with dying_at(0) as statements:
        index()
    json.dump(
        {"statements": statements.count, "dump": dumped(), "derived": derived()}, sys.stdout, default=str
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
