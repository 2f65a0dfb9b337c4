"""Owner entries of NFT records (specification, Owner entry)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.db.each import rows_for_each
from core.db.keys import uint_from_key
from core.rest.records import Record, present

MAX_OWNERS = 100
"""Owners that a record lists; when there are more, ``ownersTotal`` says how many."""

# The amount of nothing, '010', is a literal so that SQLite too sees that the partial index of holders serves.
_WALK = f"""
    SELECT nft_id, amount, entered_key, address, entered_at_block, entered_at, updated_at_block, updated_at
    FROM tokens_owner WHERE nft_id = %(id)s AND amount > '010'
    ORDER BY amount DESC, entered_key, address LIMIT {MAX_OWNERS}
"""  # noqa: S608 - built from a constant


def owners_of(nft_ids: Sequence[int]) -> dict[int, list[Record]]:
    """Return the owner entries of NFTs by id: most units first, then who entered first, then by address."""
    rows = sorted(rows_for_each(_WALK, nft_ids), key=lambda row: row[2:4])
    rows.sort(key=lambda row: row[1], reverse=True)  # stable: equal amounts stay in the order of entering
    owners: dict[int, list[Record]] = defaultdict(list)
    for row in rows:
        nft_id, amount, _, address, entered_at_block, entered_at, updated_at_block, updated_at = row
        entry = {
            "address": address,
            "amount": str(uint_from_key(amount)),
            "enteredAtBlock": entered_at_block,
            "enteredAt": entered_at,
            "updatedAtBlock": updated_at_block,
            "updatedAt": updated_at,
        }
        owners[nft_id].append(present(entry) if None in row else entry)
    return owners
