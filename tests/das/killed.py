"""Runs `index_das` in a process of its own, which can be made to kill itself at any statement.

    python -m tests.das.killed URL COLLECTION MOMENT

At the statement of number MOMENT the process sends itself SIGKILL; 0 lets it finish, and it then prints the number of
its statements, the dump, and what is derived, as one JSON object. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import sys

import django

from tests.dying import dying_at


def main(url: str, collection: str, moment: int) -> None:
    """Index, and print what has become of it."""
    django.setup()
    from django.core.management import call_command

    from tests.files.lines import derived, dumped

    with dying_at(moment) as statements:
        call_command("index_das", "--rpc-url", url, "--collection", collection, verbosity=0)
    json.dump(
        {"statements": statements.count, "dump": dumped(), "derived": derived()}, sys.stdout, default=str
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
