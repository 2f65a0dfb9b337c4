"""What addresses held in the past, as far as transfers, statements and openings tell."""

from __future__ import annotations

from collections.abc import Iterable

from core.batches import batched
from core.db import bulk
from core.db.keys import NEVER, recency_parts, uint_from_key
from tokens.models import NftRecent, Owner
from transfers.ledger import derived_rows, openings
from transfers.ledger.ledger import Event, chain_order
from transfers.ledger.owners import replay
from transfers.ledger.transfers import events_of

Holder = tuple[int, str]
"""An NFT's id and an address."""

REPLAY_CHUNK = 500
"""NFTs whose transfers are all read at once."""


def moved_since(nft_ids: Iterable[int], block: int) -> set[int]:
    """Return the NFTs of which a transfer in a block or later is known."""
    rows = bulk.rows_by(
        NftRecent, ("nft_id",), [(one,) for one in sorted(set(nft_ids))], ("nft_id", "recent_key")
    )
    return {nft_id for nft_id, key in rows if key != NEVER and recency_parts(key)[1] >= block}


def held_now(holders: Iterable[Holder]) -> dict[Holder, int]:
    """Return how many units some holders have; those of whom nothing is known are left out."""
    rows = bulk.rows_by(Owner, ("nft_id", "address"), list(holders), ("nft_id", "address", "amount"))
    return {(nft_id, address): uint_from_key(amount) for nft_id, address, amount in rows}


def held_before(nft_ids: Iterable[int], block: int) -> dict[Holder, int]:
    """Return how many units each holder of some NFTs had at the start of a block, from all that is known of before."""
    found: dict[Holder, int] = {}
    for ids in batched(sorted(nft_ids), REPLAY_CHUNK):
        opened, events = openings.read(ids), histories(ids)
        for nft in derived_rows.read(ids):
            earlier = [event for event in events[nft.id] if event.block < block]
            held = [one for one in opened.get(nft.id, ()) if one.block < block]
            ledger = replay(earlier, nft.standard, nft.statement, held)
            found.update(((nft.id, who), holding.amount) for who, holding in ledger.holdings.items())
    return found


def histories(nft_ids: Iterable[int]) -> dict[int, list[Event]]:
    """Return all transfers of each of some NFTs, in the order of the chain."""
    events: dict[int, list[Event]] = {nft_id: [] for nft_id in nft_ids}
    for event in events_of(events):
        events[event.nft_id].append(event)
    return {nft_id: chain_order(found) for nft_id, found in events.items()}
