"""Reads a book in processes that are killed, and then to its end; prints what is in the tables then.

    python -m tests.orders.killed VENDOR CONTRACT… [--at MOMENTS] [--later SECONDS]

With --later all happens so many seconds from now: a walk does not miss what was seen in the second in which it begins.
One run after the other is killed, at its statement of each number of MOMENTS (12,40,7), if it has so many. The last one
finishes. The number of its statements, how many runs were killed, and what was left, are printed as one JSON object.
The database is that of DATABASE_URL.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from functools import partial
from typing import Any

import django
import time_machine

from tests.dying import apart, dying_at, numbers
from tests.orders.stand_in import KEY

OF_A_RUN = ("id", "seen_at", "gone_at", "nft_id", "contract_id")
"""Columns of asks that tell when a run was, or in which order rows were made."""
OF_A_WALK = ("address", "collections", "cursor", "pages", "shown", "refused", "last_shown", "fault")


def left() -> dict[str, Any]:
    """What is in the tables of a book, but for the moments at which it was read."""
    from indexing.models import BookWalk
    from tokens.models import Ask

    names = [one.attname for one in Ask._meta.fields if one.attname not in OF_A_RUN]
    rows = Ask.objects.order_by("order_hash").values_list(
        *names, "nft__contract__address", "nft__token_key", "seen_at", "gone_at"
    )
    asks = [[*(str(one) for one in row[:-2]), row[-2] is None, row[-1] is None] for row in rows]
    walks = BookWalk.objects.order_by("address")
    return {
        "asks": asks,
        "walks": [
            [*(getattr(one, name) for name in OF_A_WALK), one.began_at is None, one.read_at is None]
            for one in walks
        ],
    }


def main() -> None:
    """Read, and print how it went."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vendor")
    parser.add_argument("contracts", nargs="+")
    parser.add_argument("--at", type=numbers, default=[])
    parser.add_argument("--later", type=int, default=0)
    given = parser.parse_args()
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = given.vendor, KEY

    def read(fatal: int = 0) -> int:
        with dying_at(fatal) as statements:
            call_command("sync_asks", contract=given.contracts, verbosity=0, stdout=sys.stderr)
        return statements.count

    with time_machine.travel(time.time() + given.later):
        ended = [apart(partial(read, moment)) for moment in given.at]
        assert set(ended) <= {0, -signal.SIGKILL}, ended
        count = read()
    json.dump({"statements": count, "killed": ended.count(-signal.SIGKILL), "left": left()}, sys.stdout)


if __name__ == "__main__":
    main()
