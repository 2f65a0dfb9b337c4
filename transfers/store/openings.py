"""What addresses held before the first transfer that is indexed: a part of what ownership follows from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nftsite.db import bulk
from nftsite.db.keys import uint_from_key, uint_key
from tokens.facts import Identity
from tokens.store.nfts import NftRow
from transfers.models import Opening
from transfers.store.owners import Held


class OpeningFacts(NamedTuple):
    """What an address held of an NFT before the first transfer of it that is indexed, which is in ``block``.

    ``amount`` in units; ``None``: the node could not tell.
    """

    identity: Identity
    address: str
    amount: int | None
    block: int


Openings = Mapping[int, Sequence[Held]]
"""Openings by NFT id."""


def write(facts: Iterable[OpeningFacts], nfts: Mapping[Identity, NftRow]) -> Openings:
    """Write openings, over those that are stored; return them. The NFTs must be among ``nfts``."""
    rows = {(nfts[one.identity].id, one.address): one for one in facts}
    bulk.delete_rows(Opening, ("nft_id", "address"), list(rows))
    columns = ("nft_id", "address", "amount", "block_number")
    bulk.copy_rows(
        Opening,
        columns,
        [
            (*key, None if one.amount is None else uint_key(one.amount), one.block)
            for key, one in rows.items()
        ],
    )
    found: dict[int, list[Held]] = defaultdict(list)
    for (nft_id, address), one in rows.items():
        found[nft_id].append(Held(address, one.amount, one.block))
    return found


def read(nft_ids: Iterable[int]) -> Openings:
    """Return all openings of some NFTs."""
    columns = ("nft_id", "address", "amount", "block_number")
    found: dict[int, list[Held]] = defaultdict(list)
    for nft_id, address, amount, block in bulk.rows_by(
        Opening, ("nft_id",), [(nft_id,) for nft_id in nft_ids], columns
    ):
        found[nft_id].append(Held(address, None if amount is None else uint_from_key(amount), block))
    return found
