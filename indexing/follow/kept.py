"""What is kept of one transfer's transaction: all that its type and value follow from."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from indexing.decode.moves import Move
from indexing.decode.whole import whole
from indexing.follow.reclassify import moves_of, tokens_of
from indexing.judge.classify import classify
from indexing.judge.explanation import Explanation, explain
from indexing.judge.sales import NATIVE, Verdict
from indexing.judge.trace import Written
from indexing.models import Evidence
from indexing.node.transactions import ChainTransaction
from indexing.write import checkpoints, stored_bids
from indexing.write.evidence import unpack
from indexing.write.rules import markets_of
from tokens.store import chains
from transfers.ledger import transfers
from transfers.models import Transfer


class NothingKeptError(Exception):
    """Nothing is kept that a transfer could be explained by; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the rules make of a transaction today: all NFTs that it moved, and the place of the one in question."""

    moves: list[Move]
    place: int
    verdict: Verdict

    def currencies(self) -> set[str]:
        """Return the contracts of all money that the logs show or an event tells, and the native currency's."""
        fills = self.verdict.fills
        told = {NATIVE, *(one.currency for one in fills), *(one.currency for one in self.verdict.faults)}
        told.update(payment.currency for one in fills for payment in one.payments)
        return told | {one.currency for one in self.verdict.trace.money}

    def explain(self, written: Written) -> Explanation:
        """Explain the transfer, amounts being written as told."""
        return explain(self.verdict, self.moves, self.place, written)


def kept_of(transfer: Transfer) -> Kept:
    """Judge a transfer's transaction anew by what is kept of it, as ``classify`` does.

    Raises :class:`NothingKeptError`.
    """
    transaction = _transaction(transfer)
    chain = chains.known()[transfer.chain.slug]
    rows = transfers.of_transactions(transfer.chain_id, [transfer.transaction_hash])
    own = moves_of(rows, tokens_of({one.nft_id for one in rows}))
    if transfer.pk not in own:
        raise NothingKeptError("The evidence of its transaction has no such log: the transfer was stated.")
    moves = list(own.values())
    if transaction.block_number not in checkpoints.complete_blocks(transfer.chain_id):
        moves = whole(transaction, moves, chain.chain_id or 0)
    bids = stored_bids.load(transfer.chain_id, {move.contract for move in moves})
    verdict = classify(transaction, moves, markets_of(chain), bids)
    return Kept(moves, moves.index(own[transfer.pk]), verdict)


def _transaction(transfer: Transfer) -> ChainTransaction:
    row = Evidence.objects.filter(
        transaction_hash=transfer.transaction_hash, chain_id=transfer.chain_id
    ).first()
    if row is None:
        raise NothingKeptError("No evidence is kept of its transaction, which was not indexed from a node.")
    try:
        return unpack(
            bytes(row.packed),
            transaction_hash=row.transaction_hash,
            block_number=row.block_number,
            block_hash="",
            timestamp=transfer.timestamp,
        )
    except (ValueError, zlib.error) as fault:
        raise NothingKeptError(f"The evidence of its transaction cannot be read: {fault}") from None
