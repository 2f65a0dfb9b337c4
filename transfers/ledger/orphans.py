"""NFTs that nothing names any more: no line of their own, no transfer, no ask, nothing that an operator decided."""

from __future__ import annotations

from collections.abc import Iterable

from core.db import bulk
from tokens.models import Ask, Nft
from tokens.store import removal
from transfers.models import Transfer, TransferStatement


def remove(nft_ids: Iterable[int]) -> set[int]:
    """Delete those of some NFTs that nothing names any more; return which are gone. Called within ``writing()``."""
    sql, parameter = bulk.id_list(sorted(nft_ids))
    named = " ".join(
        f"AND NOT EXISTS (SELECT 1 FROM {model._meta.db_table} t WHERE t.nft_id = n.id)"  # noqa: S608
        for model in (Transfer, TransferStatement, Ask)
    )
    rows = bulk.fetch(
        f"SELECT n.id FROM {sql} wanted CROSS JOIN {Nft._meta.db_table} n "  # noqa: S608 - names are the models' own
        f"WHERE n.id = wanted.id AND n.stated = %s {named}",
        [parameter, False],
    )
    return set(removal.remove(row[0] for row in rows))
