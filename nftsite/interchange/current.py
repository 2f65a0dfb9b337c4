"""Who holds the NFTs whose transfers do not tell, as a statement that a line can carry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Max

from tokens.facts import OwnerFacts
from tokens.models import Owner, StatedOwnership
from tokens.store.ownership import owners_text
from transfers.models import Opening, Transfer
from transfers.store.ledger import Statement as Covering


class Statement(NamedTuple):
    """Owners, the JSON of a record's ``owners``, as of the end of a block."""

    owners: str
    as_of_block: int


def statements(nft_ids: Sequence[int]) -> dict[int, Statement]:
    """Return the current owners, as of its newest transfer, of each of some NFTs that openings are known of.

    Not of those with an opening that the node could not tell (nobody knows who holds them), nor of those that a later
    statement covers: it says all itself.
    """
    opened: dict[int, int] = {}
    unknown: set[int] = set()
    for nft_id, amount, block in Opening.objects.filter(nft__in=nft_ids).values_list(
        "nft_id", "amount", "block_number"
    ):
        opened[nft_id] = max(opened.get(nft_id, 0), block)
        if amount is None:
            unknown.add(nft_id)
    wanted = opened.keys() - unknown - _covered(opened)
    if not wanted:
        return {}
    newest = Transfer.objects.filter(nft__in=wanted).values("nft_id").annotate(block=Max("block_number"))
    held = _holders(wanted)
    return {
        row["nft_id"]: Statement(owners_text(held.get(row["nft_id"], [])), row["block"]) for row in newest
    }


def _covered(opened: dict[int, int]) -> set[int]:
    """Return the NFTs whose stated owners are of a later block than all openings."""
    rows = StatedOwnership.objects.filter(nft__in=opened).values_list(
        "nft_id", "as_of_block", "as_of", "pending"
    )
    return {
        nft_id
        for nft_id, block, time, pending in rows
        if Covering((), block, time, pending).covers_block(opened[nft_id])
    }


def _holders(nft_ids: set[int]) -> dict[int, list[OwnerFacts]]:
    held: dict[int, list[OwnerFacts]] = defaultdict(list)
    rows = Owner.objects.filter(nft__in=nft_ids, amount__gt=0).order_by(
        "nft_id", "-amount", "entered_key", "address"
    )
    dates = ("entered_at_block", "entered_at", "updated_at_block", "updated_at")
    for nft_id, *values in rows.values_list("nft_id", "address", "amount", *dates):
        held[nft_id].append(OwnerFacts(*values))
    return held
