"""From decoded logs to facts that can be written like any other source's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.db.keys import uint_key
from indexing.decode.moves import ERC1155, Move
from indexing.judge.sales import Verdict
from indexing.node.transactions import ChainTransaction
from indexing.write.rules import Rules
from indexing.write.window import Window
from tokens.store.facts import ContractFacts
from transfers.ledger.facts import JudgedFacts, TransferFacts
from transfers.ledger.factset import FactSet

Verdicts = Mapping[str, Verdict]
"""What the transactions of a window were, by hash."""


def verdicts_of(window: Window, rules: Rules) -> Verdicts:
    """Return what the transactions of a window were, of those that moved an NFT."""
    return {
        reading.transaction.hash: rules.verdict(
            reading.transaction, reading.decoded.moves, complete=window.complete
        )
        for reading in window.readings
        if reading.transaction is not None and reading.decoded.moves
    }


def facts_of(window: Window, rules: Rules, verdicts: Verdicts) -> FactSet:
    """Return what a window of a chain states: its transfers, the orders that it filled, and its new contracts.

    Pure, so that it can be made ahead of the database's turn.
    """
    slug = rules.chain.slug
    facts = FactSet(of_chain=True)
    standards: dict[str, str] = {}
    for transaction, moves in _moved(window):
        verdict = verdicts[transaction.hash]
        for move, judged in zip(moves, rules.judged(verdict), strict=True):
            # A contract whose events of ERC-1155 are beside others has units.
            if move.standard == ERC1155 or move.contract not in standards:
                standards[move.contract] = move.standard
            facts.take(_transfer(transaction, move, judged, slug))
        for fill in rules.fills(transaction, verdict):
            facts.take(fill)
    for address, standard in standards.items():
        profile = window.profiles.get(address)
        # What is described already may have had no units until now.
        if profile is not None or standard == ERC1155:
            one = ContractFacts(slug, address, standard=standard)
            if profile is not None and profile.name is not None:
                one.name = profile.name
            if profile is not None and profile.symbol is not None:
                one.symbol = profile.symbol
            facts.take(one)
    return facts


def moves_of(window: Window) -> Iterator[tuple[ChainTransaction, Move]]:
    """Yield the moves of a window in the order of the chain, each with its transaction."""
    for transaction, moves in _moved(window):
        for move in moves:
            yield transaction, move


def _moved(window: Window) -> Iterator[tuple[ChainTransaction, Sequence[Move]]]:
    for reading in window.readings:
        if reading.transaction is not None and reading.decoded.moves:
            yield reading.transaction, reading.decoded.moves


def _transfer(transaction: ChainTransaction, move: Move, judged: JudgedFacts, slug: str) -> TransferFacts:
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
        judged=judged,
    )
