"""Owner entries of NFT records (specification, Owner entry)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from core.db.keys import digits_from_key
from core.rest.records import Record, present

MAX_OWNERS = 100
"""Owners that a record lists; when there are more, ``ownersTotal`` says how many."""

# The amount of nothing, '010', is a literal so that SQLite too sees that the partial index of holders serves.
WALK = f"""
    SELECT nft_id, amount, entered_key, address, entered_at_block, entered_at, updated_at_block, updated_at
    FROM tokens_owner WHERE nft_id = %(id)s AND amount > '010'
    ORDER BY amount DESC, entered_key, address LIMIT {MAX_OWNERS}
"""  # noqa: S608 - built from a constant
COLUMNS = """
    SELECT 0, nft_id, amount, entered_key, address, NULL, NULL, NULL,
        entered_at_block, entered_at, updated_at_block, updated_at
    FROM {walks} walks
"""


def owners_of(rows: Iterable[Sequence[Any]]) -> dict[int, list[Record]]:
    """Return owner entries by NFT id: most units first, then who entered first, then by address.

    ``rows`` are those of :data:`WALK`, as :data:`COLUMNS` selects them.
    """
    ordered = sorted(rows, key=lambda row: (row[3], row[4]))
    ordered.sort(key=lambda row: row[2], reverse=True)  # stable: equal amounts stay in the order of entering
    owners: dict[int, list[Record]] = defaultdict(list)
    for _, nft_id, amount, _, address, _, _, _, *times in ordered:
        entered_at_block, entered_at, updated_at_block, updated_at = times
        entry = {
            "address": address,
            "amount": digits_from_key(amount),
            "enteredAtBlock": entered_at_block,
            "enteredAt": entered_at,
            "updatedAtBlock": updated_at_block,
            "updatedAt": updated_at,
        }
        owners[nft_id].append(present(entry) if None in times else entry)
    return owners
