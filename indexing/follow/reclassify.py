"""Judges stored transfers again by the evidence that is kept of their transactions, without a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from core.db import bulk
from core.db.keys import uint_from_key
from core.db.writing import writing
from indexing.decode.moves import Move
from indexing.models import Evidence
from indexing.node.transactions import ChainTransaction
from indexing.write import checkpoints, market_faults
from indexing.write.evidence import unpack
from indexing.write.market_faults import FaultRow
from indexing.write.rules import Rules
from tokens.models import Nft
from transfers.ledger import derive, fills, transfers
from transfers.ledger.facts import FillFacts, JudgedFacts
from transfers.ledger.transfer_rows import CHAIN, Row

AT_ONCE = 1_000
"""Transactions judged and written together."""


class Counts(NamedTuple):
    """What was done: transactions and transfers judged, NFTs with one that was another thing before, faults now."""

    transactions: int = 0
    transfers: int = 0
    changed_nfts: int = 0
    faults: int = 0

    def plus(self, other: Counts) -> Counts:
        """Return the sum."""
        return Counts(*(mine + its for mine, its in zip(self, other, strict=True)))


@dataclass(slots=True)
class _Judged:
    """What the rules make of some transactions."""

    pairs: list[tuple[Row, JudgedFacts]]
    fills: list[FillFacts]
    faults: list[FaultRow]


def reclassify(rules: Rules, since_block: int = 0) -> Iterator[Counts]:
    """Judge the transactions of a chain again, in the order of blocks from ``since_block`` on.

    Yields what each part was. Each is one transaction of the database, so that a run that is cut short is finished by
    the next one. What another source stated stays. Beside an indexer it is safe: what that writes meanwhile it has
    judged itself, by rules that may be newer.
    """
    place = (since_block, 0)
    last = (
        Evidence.objects.filter(chain_id=rules.chain.id).order_by("-id").values_list("id", flat=True).first()
    )
    while last is not None:
        with writing():
            rows = _evidence(rules.chain.id, place, last)
            if not rows:
                return
            counts = _part(rules, rows)
        yield counts
        place = rows[-1][1], rows[-1][0]


def _part(rules: Rules, evidence: Sequence[tuple[int, int, str, bytes]]) -> Counts:
    bulk.keyed_plans()
    hashes = [row[2] for row in evidence]
    stored: dict[str, list[Row]] = defaultdict(list)
    for row in transfers.of_transactions(rules.chain.id, hashes):
        stored[row.transaction_hash].append(row)
    tokens = tokens_of({row.nft_id for rows in stored.values() for row in rows})
    judged = _Judged([], [], [])
    complete = checkpoints.complete_blocks(rules.chain.id)
    for _, number, hash_, packed in evidence:
        rows = stored.get(hash_, ())
        if own := moves_of(rows, tokens):
            transaction = unpack(
                packed,
                transaction_hash=hash_,
                block_number=number,
                block_hash="",
                timestamp=next(row.timestamp for row in rows if row.id in own),
            )
            _judge(rules, transaction, rows, own, judged, complete=number in complete)
    moves = transfers.judge(judged.pairs)
    asked = fills.replace(rules.chain, hashes, judged.fills)
    market_faults.write(rules.chain.id, hashes, judged.faults)
    derive.refresh(moves=moves, asked=asked)
    return Counts(len(evidence), len(judged.pairs), len(moves.changed), len(judged.faults))


def _judge(
    rules: Rules,
    transaction: ChainTransaction,
    rows: Sequence[Row],
    moves: Mapping[int, Move],
    judged: _Judged,
    *,
    complete: bool,
) -> None:
    verdict = rules.verdict(transaction, list(moves.values()), complete=complete)
    known = {row.id: row for row in rows}
    judged.pairs += zip((known[row_id] for row_id in moves), rules.judged(verdict), strict=True)
    judged.fills += rules.fills(transaction, verdict)
    judged.faults += [
        FaultRow(transaction.hash, transaction.block_number, transaction.timestamp, one)
        for one in verdict.faults
    ]


def moves_of(rows: Iterable[Row], tokens: Mapping[int, tuple[str, str, str]]) -> dict[int, Move]:
    """Return the stored transfers of a transaction as the moves that its logs told of, in log order, by their rows.

    ``tokens`` are what :func:`tokens_of` returns. Rows that came from elsewhere than the chain are left out.
    """
    of_chain = [row for row in rows if row.origin == CHAIN]
    of_chain.sort(key=lambda one: (one.log_index, one.batch_index))
    return {row.id: _move(row, *tokens[row.nft_id]) for row in of_chain}


def _move(row: Row, contract: str, standard: str, token_key: str) -> Move:
    """Return a stored transfer as the move that its log told of."""
    return Move(
        contract,
        standard,
        uint_from_key(token_key),
        row.from_address or ZERO_ADDRESS,
        row.to_address or ZERO_ADDRESS,
        uint_from_key(row.amount),
        row.transaction_hash,
        row.log_index,
        row.batch_index,
        row.block_number,
    )


def _evidence(chain_id: int, place: tuple[int, int], last: int) -> list[tuple[int, int, str, bytes]]:
    """Return the next transactions behind a block and a row, of rows up to ``last``."""
    block, row_id = place
    rows = (
        Evidence.objects.filter(chain_id=chain_id, block_number__gte=block, id__lte=last)
        .exclude(block_number=block, id__lte=row_id)
        .order_by("block_number", "id")
    )
    found = rows.values_list("id", "block_number", "transaction_hash", "packed")[:AT_ONCE]
    return [(row_id, number, hash_, bytes(packed)) for row_id, number, hash_, packed in found]


def tokens_of(nft_ids: set[int]) -> dict[int, tuple[str, str, str]]:
    """Return contract, standard and token key of NFTs by id."""
    sql, parameter = bulk.id_list(sorted(nft_ids))
    nft, contract = Nft._meta.db_table, Nft._meta.get_field("contract").related_model._meta.db_table
    rows = bulk.fetch(
        f"SELECT n.id, c.address, c.standard, n.token_key FROM {sql} wanted "  # noqa: S608 - names are the models' own
        f"CROSS JOIN {nft} n JOIN {contract} c ON c.id = n.contract_id WHERE n.id = wanted.id",
        [parameter],
    )
    return {row[0]: row[1:] for row in rows}
