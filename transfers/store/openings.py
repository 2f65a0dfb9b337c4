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
from transfers.store.ledger import Held


class OpeningFacts(NamedTuple):
    """What an address held of an NFT before the first transfer that is indexed, beyond what is known of already.

    ``amount`` in units; ``None``: the node could not tell. ``block``: of the transfer that shows it.
    """

    identity: Identity
    address: str
    amount: int | None
    block: int


Openings = Mapping[int, Sequence[Held]]
"""Openings by NFT id."""

_COLUMNS = ("nft_id", "address", "block_number", "amount")


def write(facts: Iterable[OpeningFacts], nfts: Mapping[Identity, NftRow]) -> Openings:
    """Write openings, over those that are stored; return them. The NFTs must be among ``nfts``."""
    rows = {(nfts[one.identity].id, one.address, one.block): one.amount for one in facts}
    bulk.delete_rows(Opening, _COLUMNS[:3], list(rows))
    bulk.copy_rows(
        Opening,
        _COLUMNS,
        [(*key, None if amount is None else uint_key(amount)) for key, amount in rows.items()],
    )
    found: dict[int, list[Held]] = defaultdict(list)
    for (nft_id, address, block), amount in rows.items():
        found[nft_id].append(Held(address, amount, block))
    return found


def read(nft_ids: Iterable[int]) -> Openings:
    """Return all openings of some NFTs."""
    found: dict[int, list[Held]] = defaultdict(list)
    for nft_id, address, block, amount in bulk.rows_by(
        Opening, ("nft_id",), [(nft_id,) for nft_id in nft_ids], _COLUMNS
    ):
        found[nft_id].append(Held(address, None if amount is None else uint_from_key(amount), block))
    return found
