"""Who holds the NFTs whose transfers do not tell, as a statement that a line can carry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.batches import batched
from tokens.models import NftRecent, Owner
from tokens.store.facts import OwnerFacts
from tokens.store.ownership import owners_text
from transfers.ledger import derived_rows, past
from transfers.ledger.ledger import Ledger
from transfers.ledger.owners import replay
from transfers.models import Opening

AT_ONCE = 100
"""NFTs whose transfers are all read at once."""


class Statement(NamedTuple):
    """Owners, the JSON of a record's ``owners``, as of the end of a block."""

    owners: str
    as_of_block: int


def statements(nft_ids: Sequence[int]) -> dict[int, Statement]:
    """Return the current owners, as of its newest transfer, of each of some NFTs that openings are known of.

    Not of those that nobody knows who holds, nor of those whose transfers and stated owners tell all by themselves.
    """
    opened = Opening.objects.filter(nft__in=nft_ids).values("nft_id")
    known = NftRecent.objects.filter(nft__in=opened).exclude(owners_total=None)
    found = {}
    for ids in batched(sorted(known.values_list("nft_id", flat=True)), AT_ONCE):
        held, histories = _holders(ids), past.histories(ids)
        for nft in derived_rows.read(ids):
            events, holders = histories[nft.id], held.get(nft.id, {})
            if holders != _told(replay(events, nft.standard, nft.statement)):
                owners = owners_text(list(holders.values()))
                found[nft.id] = Statement(owners, max(event.block for event in events))
    return found


def _told(ledger: Ledger) -> dict[str, OwnerFacts]:
    """Return the holders of a ledger by address."""
    return {
        who: OwnerFacts(
            who, one.amount, one.entered_at_block, one.entered_at, one.updated_at_block, one.updated_at
        )
        for who, one in ledger.holdings.items()
        if one.amount
    }


def _holders(nft_ids: Iterable[int]) -> dict[int, dict[str, OwnerFacts]]:
    """Return the stored holders of NFTs by address, in the order of a record's ``owners``."""
    held: dict[int, dict[str, OwnerFacts]] = defaultdict(dict)
    rows = Owner.objects.filter(nft__in=nft_ids, amount__gt=0).order_by(
        "nft_id", "-amount", "entered_key", "address"
    )
    dates = ("entered_at_block", "entered_at", "updated_at_block", "updated_at")
    for nft_id, address, *values in rows.values_list("nft_id", "address", "amount", *dates):
        held[nft_id][address] = OwnerFacts(address, *values)
    return held
