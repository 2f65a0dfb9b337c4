"""From decoded logs to facts that can be written like any other source's."""

from __future__ import annotations

from collections.abc import Iterator

from nftsite.db.keys import uint_key
from nftsite.net.addresses import DEAD_ADDRESS, ZERO_ADDRESS
from tokens.facts import ContractFacts
from transfers.facts import TransferFacts
from transfers.ingest.moves import Move
from transfers.ingest.transactions import ChainTransaction, Window
from transfers.models import Transfer
from transfers.store.factset import FactSet


def facts_of(window: Window, slug: str) -> FactSet:
    """Return what a window of a chain states: its transfers, and what their contracts are that are not described yet.

    Pure, so that it can be made ahead of the database's turn.
    """
    facts = FactSet()
    standards: dict[str, str] = {}
    for transaction, move in moves_of(window):
        standards.setdefault(move.contract, move.standard)
        facts.take(_transfer(transaction, move, slug))
    for address, profile in window.profiles.items():
        if address in standards:
            one = ContractFacts(slug, address, standard=standards[address])
            if profile.name is not None:
                one.name = profile.name
            if profile.symbol is not None:
                one.symbol = profile.symbol
            facts.take(one)
    return facts


def moves_of(window: Window) -> Iterator[tuple[ChainTransaction, Move]]:
    """Yield the moves of a window in the order of the chain, each with its transaction."""
    for reading in window.readings:
        if reading.transaction is not None:
            for move in reading.decoded.moves:
                yield reading.transaction, move


def _transfer(transaction: ChainTransaction, move: Move, slug: str) -> TransferFacts:
    token_key = uint_key(move.token_id)
    return TransferFacts(
        chain=slug,
        transaction_hash=move.transaction_hash,
        log_index=move.log_index,
        batch_index=move.batch_index,
        address=move.contract,
        token_key=token_key,
        identity=(slug, move.contract, token_key),
        block_number=move.block_number,
        timestamp=transaction.timestamp,
        from_address=move.sender,
        to_address=move.receiver,
        transaction_from=transaction.sender,
        amount=move.amount,
        value=transaction.value,
        assumed_type=_assumed_type(move),
    )


def _assumed_type(move: Move) -> str:
    """Return what the log alone shows (decisions, section 6); whether it was sold, the markets' events tell."""
    if move.sender == ZERO_ADDRESS:
        return Transfer.Type.MINT.value
    if move.receiver in (ZERO_ADDRESS, DEAD_ADDRESS):
        return Transfer.Type.BURN.value
    return Transfer.Type.TRANSFER.value
