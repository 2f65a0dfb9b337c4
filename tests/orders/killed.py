"""Reads a book in processes that are killed, and then to its end; prints what is in the tables then.

    python -m tests.orders.killed VENDOR CONTRACT… [--at MOMENTS]

One run after the other is killed, at its statement of each number of MOMENTS (12,40,7), if it has so many. The last one
finishes. The number of its statements, how many runs were killed, and what was left, are printed as one JSON object.
The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import signal
import sys
from functools import partial
from typing import Any

import django

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


def main(vendor: str, *arguments: str) -> None:
    """Read, and print how it went."""
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = vendor, KEY
    contracts, moments = list(arguments), []
    if "--at" in contracts:
        at = contracts.index("--at")
        contracts, moments = contracts[:at], numbers(contracts[at + 1])

    def read(fatal: int = 0) -> int:
        with dying_at(fatal) as statements:
            call_command("sync_asks", contract=contracts, verbosity=0, stdout=sys.stderr)
        return statements.count

    ended = [apart(partial(read, moment)) for moment in moments]
    assert set(ended) <= {0, -signal.SIGKILL}, ended
    count = read()
    json.dump({"statements": count, "killed": ended.count(-signal.SIGKILL), "left": left()}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
