"""Computes rarity in a process of its own, which can be made to kill itself at any statement.

    python -m tests.offchain.rarity_killed ACTION MOMENT

ACTION is `load` (a contract of 60 NFTs that trade), `compute` (what is due, after 11 minutes if need be) or `state`. At
the statement of number MOMENT the process sends itself SIGKILL; 0 lets it finish. `compute` prints the number of its
statements, `state` what is stored, as JSON. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta

import django

from tests.dying import dying_at

SIZE = 60
BATCH = 7
LEASE_SECONDS = 660


def main(action: str, moment: int) -> None:
    """Do it."""
    django.setup()
    from django.core.management import call_command
    from django.db.models import F

    from tests.builders import load_lines, nft, transfer
    from tests.files.lines import derived
    from tokens.models import Contract, ContractRarity, Nft
    from tokens.rarity import computing as rarity

    if action == "load":
        traits = [[("Hat", str(number % 4)), ("Eyes", str(number % 7))] for number in range(SIZE)]
        lines = [nft(str(number), traits=some) for number, some in enumerate(traits)]
        assert (
            load_lines([*lines, *(transfer(str(n), log=n, markets=["blur"]) for n in range(9))]).faults == []
        )
        rarity.request([Contract.objects.get().pk], django.utils.timezone.now())
    elif action == "compute":
        rarity.BATCH = BATCH
        # As if the lease of one that was killed had run out.
        ContractRarity.objects.update(due_at=F("due_at") - timedelta(seconds=LEASE_SECONDS))
        with dying_at(moment) as statements:
            call_command("compute_rarity", due=True, verbosity=0)
        json.dump(statements.count, sys.stdout)
    else:
        rows = Nft.objects.order_by("token_key").values_list("token_key", "rarity", "rank")
        due = ContractRarity.objects.filter(due_at__isnull=False).count()
        json.dump({"nfts": list(rows), "derived": derived(), "due": due}, sys.stdout, default=str)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
