"""Computes the rarity of 60 NFTs that trade in a process of its own, as often killed before as is wanted.

    python -m tests.offchain.rarity_killed [MOMENTS]

First one computation after the other is killed, at its statement of each number of MOMENTS (12,40,7); each finds 11
minutes gone by. The last one finishes, and the number of its statements, how many contracts were due behind each one
that was killed, and what is stored are printed as one JSON object. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta

import django

from tests.dying import die_at, dying_at, numbers

SIZE = 60
BATCH = 7
LEASE_SECONDS = 660


def main(moments: str = "") -> None:
    """Do it."""
    django.setup()
    from django.core.management import call_command
    from django.db.models import F

    from tests.builders import load_lines, nft, transfer
    from tests.files.lines import derived
    from tokens.models import Contract, ContractRarity, Nft
    from tokens.rarity import computing as rarity

    traits = [[("Hat", str(number % 4)), ("Eyes", str(number % 7))] for number in range(SIZE)]
    lines = [nft(str(number), traits=some) for number, some in enumerate(traits)]
    assert load_lines([*lines, *(transfer(str(n), log=n, markets=["blur"]) for n in range(9))]).faults == []
    rarity.request([Contract.objects.get().pk], django.utils.timezone.now())
    rarity.BATCH = BATCH

    def compute() -> None:
        call_command("compute_rarity", due=True, verbosity=0)

    def due() -> int:
        # As if the lease of one that was killed had run out.
        ContractRarity.objects.update(due_at=F("due_at") - timedelta(seconds=LEASE_SECONDS))
        return ContractRarity.objects.filter(due_at__isnull=False).count()

    left = [due()]
    for moment in numbers(moments):
        die_at(moment, compute)
        left.append(due())
    with dying_at(0) as statements:
        compute()
    nfts = list(Nft.objects.order_by("token_key").values_list("token_key", "rarity", "rank"))
    stored = {"nfts": nfts, "derived": derived(), "due": due()}
    json.dump({"statements": statements.count, "due": left, "stored": stored}, sys.stdout, default=str)


if __name__ == "__main__":
    main(*sys.argv[1:])
