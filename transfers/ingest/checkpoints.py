"""How far indexing has come: a checkpoint a contract, and the hashes of the last blocks of a chain."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nftsite.db.texts import storable
from nftsite.db.writing import writing
from tokens.store.chains import ChainRow
from transfers.models import Block, IndexedChain, IndexedContract, Opening

EVERY = ""
"""Stands for all contracts of a chain."""


class EarlierStartError(Exception):
    """Indexing is asked to begin before where it once began, and balances were asked of the node as of then."""


@dataclass(frozen=True, slots=True)
class Span:
    """Blocks to read next, for the contracts that have come so far and no further; ``began`` is where they began."""

    contracts: tuple[str, ...]
    first: int
    last: int
    began: int


def begin(
    chain: ChainRow, contracts: Sequence[str], first_block: int | None, default: dict[str, int]
) -> None:
    """Make sure that the contracts have checkpoints, from ``first_block`` on, or from their ``default`` if ``None``.

    A contract that was begun later is read again from the earlier block on, which changes nothing twice. Raises
    :class:`EarlierStartError` where it would.
    """
    with writing():
        IndexedChain.objects.get_or_create(chain_id=chain.id)
        rows = {row.address: row for row in IndexedContract.objects.filter(chain_id=chain.id)}
        for address in contracts:
            row = rows.get(address)
            start = default[address] if first_block is None else first_block
            if row is not None and (first_block is None or row.first_block <= start):
                continue
            _check_earlier(chain, address, start, rows.values())
            row = row or IndexedContract(chain_id=chain.id, address=address)
            row.first_block = row.next_block = start
            row.save()


def _check_earlier(chain: ChainRow, address: str, start: int, rows: Iterable[IndexedContract]) -> None:
    """Refuse a start before one, of the same contract or of all, as of which balances were asked of the node.

    What they say was before would be counted twice once the transfers of before are there.
    """
    later = {
        row.address: row
        for row in rows
        if row.first_block > start and (EVERY in (address, row.address) or row.address == address)
    }
    of = {address} if address != EVERY else later.keys()
    asked = Opening.objects.filter(nft__chain_id=chain.id)
    if EVERY not in of:
        asked = asked.filter(nft__contract__address__in=of)
    if later and asked.exists():
        row = max(later.values(), key=lambda one: one.first_block)
        raise EarlierStartError(
            f"Indexing of {chain.slug} ({row}) began at block {row.first_block:,}, and what holders had before was "
            f"asked of the node. To begin at {start:,} take it all back first: "
            f"manage.py index --chain {chain.slug} --rewind-to {max(start - 1, 0)}"
        )


def next_span(chain: ChainRow, contracts: Sequence[str], target: int) -> Span | None:
    """Return the blocks up to ``target`` that are to be read next; ``None`` when all are."""
    rows = list(IndexedContract.objects.filter(chain_id=chain.id, address__in=contracts))
    first = min(row.next_block for row in rows)
    behind = [row for row in rows if row.next_block == first]
    others = [row.next_block - 1 for row in rows if row.next_block > first]
    last = min([target, *others])
    if last < first:
        return None
    return Span(
        contracts=tuple(sorted(row.address for row in behind)),
        first=first,
        last=last,
        began=max(row.first_block for row in behind),
    )


def first_block(chain: ChainRow) -> int:
    """Return the first block from which on anything of a chain is indexed; it has checkpoints."""
    rows = IndexedContract.objects.filter(chain_id=chain.id)
    return min(rows.values_list("first_block", flat=True))


def known_contracts(chain: ChainRow) -> list[str]:
    """Return what is indexed of a chain already: addresses, or :data:`EVERY`."""
    rows = IndexedContract.objects.filter(chain_id=chain.id)
    return sorted(rows.values_list("address", flat=True))


def complete_blocks(chain_id: int) -> range:
    """Return the blocks of a chain, by its row's id, of which every contract is indexed; empty where only some are."""
    rows = IndexedContract.objects.filter(chain_id=chain_id, address=EVERY)
    return range(*(rows.values_list("first_block", "next_block").first() or (0, 0)))


def stored_hash(chain: ChainRow, number: int) -> str | None:
    """Return the hash that is kept of a block."""
    return Block.objects.filter(chain_id=chain.id, number=number).values_list("hash", flat=True).first()


def stored_blocks(chain: ChainRow) -> list[tuple[int, str]]:
    """Return numbers and hashes of the blocks that are kept, newest first."""
    rows = Block.objects.filter(chain_id=chain.id).order_by("-number")
    return list(rows.values_list("number", "hash"))


def tell(chain: ChainRow, **values: object) -> None:
    """Note what is known of a chain's head and of the indexer at work, for the admin and the metrics."""
    told = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
    IndexedChain.objects.filter(chain_id=chain.id).update(beat_at=int(time.time()), **told)
