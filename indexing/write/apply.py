"""Writes a window of blocks, what follows from it, and how far indexing has come: all in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from core.db import bulk
from core.db.writing import writing
from indexing.contracts.profiles import paid_tokens_of
from indexing.judge.markets.listings import noted
from indexing.judge.verdicts import Fault
from indexing.models import Block, Evidence, IndexedChain, IndexedContract
from indexing.node.asking import Ask
from indexing.node.transactions import ChainTransaction
from indexing.write import doubts, market_faults, metadata_requests, undecoded
from indexing.write import punk_bids as stored_bids
from indexing.write.checkpoints import ReorganisedError
from indexing.write.evidence import pack
from indexing.write.judging import Judge, facts_of
from indexing.write.order_books import NO_ORDERS, Found
from indexing.write.window import Window
from tokens.store.chains import ChainRow
from transfers.ledger import factset, paid_tokens
from transfers.ledger.factset import FactSet
from transfers.ledger.openings import NO_CHANGES, OpeningChanges
from transfers.ledger.transfer_facts import PaidTokenFacts


class OvertakenError(Exception):
    """Something else has moved the checkpoint meanwhile: another indexer of the same chain, or a rewind."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A window with all that can be made of it without the database: facts and packed evidence."""

    window: Window
    facts: FactSet
    packed: Sequence[tuple[str, int, bytes]]
    """Hash, block and evidence of each transaction."""
    faults: Sequence[tuple[ChainTransaction, Fault]]
    """What the rules could not explain."""


def prepare(window: Window, judge: Judge, ask: Ask) -> Prepared:
    """Return a window ready to be written, judged by the rules; what was paid in is asked for its name."""
    found = [(one.transaction, one.decoded.moves) for one in window.readings if one.transaction is not None]
    judge.bids.add(window.bids)
    judge.listings.add(noted((one.block_number, one.told) for one in window.orders))
    judged = [judge.judge(one, moves, complete=window.complete) for one, moves in found if moves]
    described = paid_tokens_of(judge.unnamed(judged), window.last, ask)
    judge.names.update((token.address, token.name or token.symbol) for token in described)
    facts = facts_of(window.profiles, judge, judged)
    for token in described:
        facts.take(token)
    faults = [fault for one in judged for fault in one.faults]
    packed = [(one.hash, one.block_number, pack(one)) for one, _ in found]
    return Prepared(window, facts, packed, faults)


def apply(
    chain: ChainRow,
    prepared: Prepared,
    contracts: Sequence[str],
    *,
    openings: OpeningChanges = NO_CHANGES,
    orders: Found = NO_ORDERS,
    keep_blocks: int,
) -> list[str]:
    """Write a window of the contracts of a chain (``""``: all) and move their checkpoints behind it.

    Returns those whose checkpoints went back before it, since they turned out to hold NFTs that were left out. Block
    hashes more than ``keep_blocks`` below the window's last block are forgotten. Safe to repeat. Raises
    :class:`OvertakenError` when a checkpoint is not where the window begins, ``ReorganisedError`` when other contracts
    were indexed from other blocks of the same numbers.
    """
    window = prepared.window
    with writing():
        _move_checkpoints(chain, window, contracts)
        IndexedChain.objects.filter(chain_id=chain.id).update(logs_total=F("logs_total") + window.asked_logs)
        factset.write(prepared.facts, openings)
        factset.write_orders(chain, orders.placed)
        paid_tokens.write(prepared.facts.of(PaidTokenFacts), chain.id)
        market_faults.write(chain.id, [one[0] for one in prepared.packed], prepared.faults)
        stored_bids.write(chain.id, window.bids)
        _write_evidence(chain, prepared)
        undecoded.write(chain.id, window, orders.undecoded)
        metadata_requests.write(chain.id, window)
        _write_blocks(chain, window, keep_blocks)
        return doubts.write(chain, window)


def _move_checkpoints(chain: ChainRow, window: Window, contracts: Sequence[str]) -> None:
    moved = IndexedContract.objects.filter(
        chain_id=chain.id, address__in=contracts, next_block=window.first
    ).update(next_block=window.last + 1, reached_at=window.headers[-1].timestamp)
    if moved != len(contracts):
        raise OvertakenError(f"Indexing {chain.slug} is no longer at block {window.first}.")


def _write_evidence(chain: ChainRow, prepared: Prepared) -> None:
    keys = [(hash_, chain.id) for hash_, _, _ in prepared.packed]
    stored: dict[str, int] = dict(
        bulk.rows_by(Evidence, ("transaction_hash", "chain_id"), keys, ("transaction_hash", "block_number"))
    )
    outdated = [(h, chain.id) for h, number, _ in prepared.packed if stored.get(h, number) != number]
    bulk.delete_rows(Evidence, ("transaction_hash", "chain_id"), outdated)
    rows = [
        (chain.id, number, hash_, packed)
        for hash_, number, packed in prepared.packed
        if stored.get(hash_) != number
    ]
    bulk.copy_rows(Evidence, ("chain_id", "block_number", "transaction_hash", "packed"), rows)


def _write_blocks(chain: ChainRow, window: Window, keep_blocks: int) -> None:
    """Keep hashes; other contracts may have been indexed up to here or further, from the same blocks."""
    kept = Block.objects.filter(chain_id=chain.id, number__range=(window.first, window.last))
    stored = dict(kept.values_list("number", "hash"))
    for one in window.headers:
        if stored.get(one.number, one.hash) != one.hash:
            raise ReorganisedError(
                f"Block {one.number} is not the one that other contracts are indexed from."
            )
    Block.objects.bulk_create(
        [
            Block(chain_id=chain.id, number=one.number, hash=one.hash, timestamp=one.timestamp)
            for one in window.headers
            if one.number not in stored
        ]
    )
    Block.objects.filter(chain_id=chain.id, number__lt=window.last - keep_blocks).delete()
