"""What addresses held at the start of a block, as the chain itself says: a part of what ownership follows from.

Each is a fact of its own, whatever is known of the transfers before. The ledger sets the holder right by it where it
comes to that block: what known transfers brought is counted once, and what no transfer tells of is added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key, uint_key
from tokens.store.facts import Identity
from tokens.store.nfts import NftRow
from transfers.ledger.ledger import Held
from transfers.models import Opening


class OpeningFacts(NamedTuple):
    """What an address held of an NFT at the start of a block in which it gives or gets some.

    ``amount`` in units; ``None``: the node could not tell.
    """

    identity: Identity
    address: str
    amount: int | None
    block: int


Place = tuple[int, str, int]
"""Which opening: NFT id, address and block."""


class OpeningChanges(NamedTuple):
    """Openings that were found, and those that are superfluous by now."""

    found: Sequence[OpeningFacts] = ()
    gone: Sequence[Place] = ()


NO_CHANGES = OpeningChanges()

Openings = Mapping[int, Sequence[Held]]
"""Openings by NFT id."""

_COLUMNS = ("nft_id", "address", "block_number", "amount")


def write(changes: OpeningChanges, nfts: Mapping[Identity, NftRow]) -> Openings:
    """Write openings, over those that are stored; return them. The NFTs must be among ``nfts``."""
    rows = {(nfts[one.identity].id, one.address, one.block): one.amount for one in changes.found}
    bulk.delete_rows(Opening, _COLUMNS[:3], [*rows, *changes.gone])
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
    return _read(("nft_id",), [(nft_id,) for nft_id in nft_ids])


def of_holders(holders: Iterable[tuple[int, str]]) -> Openings:
    """Return all openings of some holders, each an NFT's id and an address."""
    return _read(("nft_id", "address"), list(holders))


def _read(keys: Sequence[str], values: Sequence[tuple[int | str, ...]]) -> Openings:
    found: dict[int, list[Held]] = defaultdict(list)
    for nft_id, address, block, amount in bulk.rows_by(Opening, keys, values, _COLUMNS):
        found[nft_id].append(Held(address, None if amount is None else uint_from_key(amount), block))
    return found
