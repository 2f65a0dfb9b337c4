"""Writes owners as sources state them; who holds an NFT now is derived from that and from later transfers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.db import bulk
from tokens.models import StatedOwnership
from tokens.store.facts import UNSET, NftFacts, OwnerFacts

_COLUMNS = ("owners", "as_of_block", "as_of", "pending")
_NAMES = {
    "enteredAtBlock": "entered_at_block",
    "enteredAt": "entered_at",
    "updatedAtBlock": "updated_at_block",
    "updatedAt": "updated_at",
}


def write(facts: Mapping[int, NftFacts], changed: set[int]) -> None:
    """Write the stated owners of NFTs by id, and add the ids of those for which they changed to ``changed``.

    Owners without a moment that they are as of are pending: as of the newest transfer once the file is loaded.
    """
    concerned = {
        nft_id: one
        for nft_id, one in facts.items()
        if one.owners is not UNSET or one.as_of_block is not UNSET or one.as_of is not UNSET
    }
    keys = [(nft_id,) for nft_id in concerned]
    stored = {
        row[0]: row[1:] for row in bulk.rows_by(StatedOwnership, ("nft_id",), keys, ("nft_id", *_COLUMNS))
    }
    created: list[bulk.Row] = []
    updated: list[bulk.Row] = []
    deleted: list[bulk.Row] = []
    for nft_id, one in concerned.items():
        old = stored.get(nft_id)
        new = _stated(one, old)
        if new == old:
            continue
        changed.add(nft_id)
        if new is None:
            deleted.append((nft_id,))
        else:
            (created if old is None else updated).append((nft_id, *new))
    bulk.delete_rows(StatedOwnership, ("nft_id",), deleted)
    bulk.update_rows(StatedOwnership, ("nft_id", *_COLUMNS), updated)
    bulk.copy_rows(StatedOwnership, ("nft_id", *_COLUMNS), created)


def _stated(facts: NftFacts, old: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Return the row that facts make of the stored one, both as :data:`_COLUMNS`; ``None`` for no row."""
    block = None if facts.as_of_block is UNSET else facts.as_of_block
    time = None if facts.as_of is UNSET else facts.as_of
    if facts.owners is UNSET:  # only the moment of what is stated already
        return old and (old[0], block, time, block is None and time is None)
    if facts.owners is None:
        return None
    return owners_text(facts.owners), block, time, block is None and time is None


def owners_text(owners: list[OwnerFacts]) -> str:
    """Return owners as the column holds them: the entries of a record's ``owners``."""
    return json.dumps([_entry(owner) for owner in owners], separators=(",", ":"))


def _entry(owner: OwnerFacts) -> dict[str, Any]:
    times = {name: getattr(owner, attribute) for name, attribute in _NAMES.items()}
    return {
        "address": owner.address,
        "amount": str(owner.amount),
        **{name: value for name, value in times.items() if value is not None},
    }
