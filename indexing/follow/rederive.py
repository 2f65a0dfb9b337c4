"""Derives again, without a node, all that follows from what is kept of a chain: transfers and sales, owners, and asks.

First the logs that are kept of each transaction are decoded and judged as they would be today, and held against its
transfers; then every NFT is derived from all its transfers. What is right already is not written, so that a run that
is cut short is finished by the next one.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.db import bulk
from core.db.keys import uint_key
from core.db.writing import writing
from indexing.contracts.contracts import Contracts
from indexing.decode.moves import Move
from indexing.follow.reclassify import evidence_behind, tokens_of
from indexing.follow.windows import decoded
from indexing.judge.verdicts import Fault
from indexing.models import Evidence, IndexedContract
from indexing.node.answers import without_money_logs
from indexing.node.asking import NOT_TOLD
from indexing.node.events import TOPICS
from indexing.node.transactions import ChainTransaction
from indexing.write import checkpoints, doubts, market_faults
from indexing.write.checkpoints import EVERY
from indexing.write.evidence import unpack
from indexing.write.judging import Judge, Judged, facts_of
from tokens.models import Nft
from tokens.store.chains import ChainRow
from transfers.ledger import derive, factset, fills, orphans, transfers
from transfers.ledger.transfer_facts import FillFacts, VerdictColumns
from transfers.ledger.transfer_rows import CHAIN, Row
from transfers.ledger.transfers import TransferChanges

NFTS_AT_ONCE = 2_000
"""NFTs derived in one transaction of the database."""

_TOPICS = frozenset(TOPICS)


class Counts(NamedTuple):
    """What was done: transactions read, their transfers, transactions that were written anew, those nobody can read."""

    transactions: int = 0
    transfers: int = 0
    written: int = 0
    unreadable: int = 0


class Kept:
    """What is known of a chain's contracts, by which the logs of its evidence are read."""

    def __init__(self, chain: ChainRow) -> None:
        rows = IndexedContract.objects.filter(chain_id=chain.id)
        ranges = rows.values_list("address", "first_block", "next_block")
        self._indexed = {address: range(first, after) for address, first, after in ranges}
        self._every = self._indexed.pop(EVERY, range(0))
        self._chain_id = chain.chain_id or 0
        named = list(self._indexed)
        self._contracts = Contracts(
            lambda calls: [NOT_TOLD] * len(calls),
            self._chain_id,
            stored=doubts.stored(chain, named),
            named=named,
        )
        self._contracts.believe_stored()

    def moves(self, one: ChainTransaction) -> list[Move]:
        """Return what the logs of a transaction move, of the contracts that are indexed."""
        number = one.block_number
        logs = [log for log in one.logs if log.topics and log.topics[0] in _TOPICS]
        if number not in self._every:
            logs = [log for log in logs if number in self._indexed.get(log.address, ())]
        logs = without_money_logs(logs, self._contracts.may_hold_nfts)
        found = decoded(logs, self._chain_id, self._contracts)
        return [move for each in found.values() for move in each.moves]


def transactions(judge: Judge) -> Iterator[Counts]:
    """Derive the transfers of a chain again from its evidence, in the order of blocks; yields what each part was.

    Each part is one transaction of the database.
    """
    kept, place = Kept(judge.chain), (0, 0)
    evidence = Evidence.objects.filter(chain_id=judge.chain.id)
    last = evidence.order_by("-id").values_list("id", flat=True).first()
    while last is not None:
        with writing():
            rows = evidence_behind(judge.chain.id, place, last)
            if not rows:
                return
            counts = _part(judge, kept, rows)
        yield counts
        place = rows[-1][1], rows[-1][0]


def nfts(chain: ChainRow) -> Iterator[int]:
    """Derive each NFT of a chain again from its transfers, statements and openings; yields how many each part was.

    That is its owners, its last transfer, minter and markets, and which asks are active. Each part is one transaction
    of the database.
    """
    rows, last = Nft.objects.filter(chain_id=chain.id).order_by("id"), 0
    while ids := list(rows.filter(id__gt=last).values_list("id", flat=True)[:NFTS_AT_ONCE]):
        with writing():
            bulk.keyed_plans()
            derive.refresh(restated=ids)
        yield len(ids)
        last = ids[-1]


@dataclass(slots=True)
class _Found:
    """What comes out of some transactions: as it stands, or to be written anew."""

    pairs: list[tuple[Row, VerdictColumns]] = field(default_factory=list)
    filled: list[FillFacts] = field(default_factory=list)
    faults: list[tuple[ChainTransaction, Fault]] = field(default_factory=list)
    differing: list[Judged] = field(default_factory=list)
    unreadable: int = 0
    transfers: int = 0


def _part(judge: Judge, kept: Kept, evidence: Sequence[tuple[int, int, str, bytes]]) -> Counts:
    bulk.keyed_plans()
    hashes = [row[2] for row in evidence]
    found = _found(judge, kept, evidence)
    changes = transfers.judge(found.pairs)
    asked = fills.replace(judge.chain, hashes, found.filled)
    market_faults.write(judge.chain.id, hashes, found.faults)
    derive.refresh(changes=changes, asked=asked)
    _write_anew(judge, found.differing)
    return Counts(len(evidence), found.transfers, len(found.differing), found.unreadable)


def _found(judge: Judge, kept: Kept, evidence: Sequence[tuple[int, int, str, bytes]]) -> _Found:
    stored: dict[str, list[Row]] = defaultdict(list)
    for row in transfers.of_transactions(judge.chain.id, [row[2] for row in evidence]):
        if row.origin == CHAIN:
            stored[row.transaction_hash].append(row)
    tokens = tokens_of({row.nft_id for rows in stored.values() for row in rows})
    times = {row.block_number: row.timestamp for rows in stored.values() for row in rows}
    complete = checkpoints.complete_blocks(judge.chain.id)
    found = _Found()
    for _, number, hash_, packed in evidence:
        try:
            one = unpack(packed, hash_, number, times.get(number))
        except (ValueError, zlib.error):
            found.unreadable += 1
            continue
        own, moves = stored.get(hash_, ()), kept.moves(one)
        if not own and not moves:
            continue
        judged = judge.judge(one, moves, complete=number in complete)
        found.transfers += len(moves)
        found.faults += judged.faults
        found.filled += judge.fills(judged)
        rows = {row.place: row for row in own}
        if len(own) == len(moves) and all(_is_told(rows, tokens, move, one) for move in moves):
            columns = judge.columns(judged)
            found.pairs += [
                (rows[move.log_index, move.batch_index], c) for move, c in zip(moves, columns, strict=True)
            ]
        else:
            found.differing.append(judged)
    return found


def _is_told(
    rows: dict[tuple[int, int], Row],
    tokens: dict[int, tuple[str, str, str]],
    move: Move,
    one: ChainTransaction,
) -> bool:
    """Tell whether the rows of a transaction have one that says what a move of it does."""
    row = rows.get((move.log_index, move.batch_index))
    if row is None:
        return False
    contract, _, token_key = tokens[row.nft_id]
    return (
        row.from_address == move.sender
        and row.to_address == move.receiver
        and contract == move.contract
        and token_key == uint_key(move.token_id)
        and row.amount == uint_key(move.amount)
        and row.transaction_from == one.sender
        and row.value == uint_key(one.value)
        and row.block_number == one.block_number
        and row.timestamp == one.timestamp
    )


def _write_anew(judge: Judge, judged: Sequence[Judged]) -> None:
    """Put what the chain tells of some transactions in the place of what is stored of it."""
    if not judged:
        return
    taken = transfers.take_back(judge.chain.id, [one.transaction.hash for one in judged])
    facts = facts_of({}, judge, [one for one in judged if one.moves])
    written = factset.write(facts)
    left = taken.nft_ids - {row.id for row in written.rows.values()}
    removed = orphans.remove(left)
    derive.refresh(changes=TransferChanges(changed=taken.nft_ids - removed))
