"""What is kept of one transfer's transaction: all that its type and value follow from."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from tokens.store import chains
from transfers.ingest import checkpoints, stored_bids
from transfers.ingest.audit import Written
from transfers.ingest.evidence import unpack
from transfers.ingest.explanation import Explanation, explain
from transfers.ingest.markets.registry import Registry
from transfers.ingest.money import money_moves
from transfers.ingest.moves import CRYPTOPUNKS, Move
from transfers.ingest.punk_bids import PunkBids
from transfers.ingest.reclassify import move_of, tokens_of
from transfers.ingest.rules import markets_of
from transfers.ingest.sales import NATIVE
from transfers.ingest.transactions import ChainTransaction
from transfers.ingest.whole import whole
from transfers.models import Evidence, Transfer
from transfers.store import transfers
from transfers.store.transfer_rows import CHAIN


class NothingKeptError(Exception):
    """Nothing is kept that a transfer could be explained by; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A transaction with all NFTs that it moved, and the place of the one in question among them."""

    transaction: ChainTransaction
    moves: list[Move]
    place: int
    registry: Registry
    bids: PunkBids

    def currencies(self) -> set[str]:
        """Return the contracts of all money that the logs show, and the native currency's."""
        nfts = {move.log_index for move in self.moves}
        return {NATIVE, *(one.currency for one in money_moves(self.transaction.logs, nfts))}

    def explain(self, written: Written) -> Explanation:
        """Explain the transfer, amounts being written as told."""
        return explain(self.transaction, self.moves, self.place, self.registry, self.bids, written)


def kept_of(transfer: Transfer) -> Kept:
    """Return what is kept of a transfer's transaction, and the rules as they are now.

    Raises :class:`NothingKeptError`.
    """
    row = Evidence.objects.filter(
        transaction_hash=transfer.transaction_hash, chain_id=transfer.chain_id
    ).first()
    if row is None:
        raise NothingKeptError("No evidence is kept of its transaction, which was not indexed from a node.")
    try:
        transaction = unpack(
            bytes(row.packed),
            transaction_hash=row.transaction_hash,
            block_number=row.block_number,
            block_hash="",
            timestamp=transfer.timestamp,
        )
    except (ValueError, zlib.error) as fault:
        raise NothingKeptError(f"The evidence of its transaction cannot be read: {fault}") from None
    indexes = {log.log_index for log in transaction.logs}
    stored = transfers.of_transactions(transfer.chain_id, [transfer.transaction_hash])
    rows = sorted(
        (one for one in stored if one.origin == CHAIN and one.log_index in indexes),
        key=lambda one: (one.log_index, one.batch_index),
    )
    tokens = tokens_of({one.nft_id for one in rows})
    own = {one.id: move_of(one, *tokens[one.nft_id]) for one in rows}
    if transfer.pk not in own:
        raise NothingKeptError("The evidence of its transaction has no such log: the transfer was stated.")
    chain = chains.known()[transfer.chain.slug]
    moves = list(own.values())
    if row.block_number not in checkpoints.complete_blocks(transfer.chain_id):
        moves = whole(transaction, moves, chain.chain_id or 0)
    has_punks = any(move.standard == CRYPTOPUNKS for move in moves)
    bids = stored_bids.load(transfer.chain_id) if has_punks else PunkBids()
    return Kept(transaction, moves, moves.index(own[transfer.pk]), markets_of(chain), bids)
