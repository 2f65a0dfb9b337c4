"""How far indexing has come: a checkpoint a contract, and the hashes of the last blocks of a chain."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Max

from core.db.texts import storable
from core.db.writing import writing
from indexing.models import Block, IndexedChain, IndexedContract
from tokens.store.chains import ChainRow


class ReorganisedError(Exception):
    """The chain has changed while it was read."""


EVERY = ""
"""Stands for all contracts of a chain."""


@dataclass(frozen=True, slots=True)
class Span:
    """Blocks to read next, for the contracts that have come so far and no further."""

    contracts: tuple[str, ...]
    first: int
    last: int
    began: Mapping[str, int]
    """The first indexed block of each contract, and of all, that is indexed from there up to here."""


def begin(
    chain: ChainRow, contracts: Sequence[str], first_block: int | None, default: dict[str, int]
) -> None:
    """Make sure that the contracts have checkpoints, from ``first_block`` on, or from their ``default`` if ``None``.

    A contract that was begun later is read again from the earlier block on, which changes nothing twice.
    """
    with writing():
        IndexedChain.objects.get_or_create(chain_id=chain.id)
        rows = {row.address: row for row in IndexedContract.objects.filter(chain_id=chain.id)}
        for address in contracts:
            row = rows.get(address)
            start = default[address] if first_block is None else first_block
            if row is not None and (first_block is None or row.first_block <= start):
                continue
            row = row or IndexedContract(chain_id=chain.id, address=address)
            row.first_block = row.next_block = start
            row.save()


def next_span(chain: ChainRow, contracts: Sequence[str], target: int) -> Span | None:
    """Return the blocks up to ``target`` that are to be read next; ``None`` when all are."""
    known = list(IndexedContract.objects.filter(chain_id=chain.id))
    rows = [row for row in known if row.address in contracts]
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
        began={row.address: row.first_block for row in known if row.first_block <= first <= row.next_block},
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


def newest(chain: ChainRow) -> int | None:
    """Return the newest block of which anything is indexed; ``None`` where nothing of the chain is."""
    begun = IndexedContract.objects.filter(chain_id=chain.id, next_block__gt=F("first_block"))
    last: int | None = begun.aggregate(last=Max("next_block"))["last"]
    return None if last is None else last - 1


def stored_blocks(chain: ChainRow) -> list[tuple[int, str]]:
    """Return numbers and hashes of the blocks that are kept, newest first."""
    rows = Block.objects.filter(chain_id=chain.id).order_by("-number")
    return list(rows.values_list("number", "hash"))


def tell(chain: ChainRow, **values: object) -> None:
    """Note what is known of a chain's head and of the indexer at work, for the admin and the metrics."""
    told = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
    IndexedChain.objects.filter(chain_id=chain.id).update(beat_at=int(time.time()), **told)
