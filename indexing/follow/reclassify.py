"""Judges stored transfers again by the evidence that is kept of their transactions, without a node."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.addresses import ZERO_ADDRESS
from core.db import bulk
from core.db.keys import uint_from_key
from core.db.writing import writing
from indexing.decode.moves import Move
from indexing.judge.markets.listings import names_in
from indexing.judge.verdicts import Fault, Verdict
from indexing.models import Evidence
from indexing.node.transactions import ChainTransaction
from indexing.write import checkpoints, market_faults
from indexing.write import listings as stored_listings
from indexing.write import punk_bids as stored_bids
from indexing.write.evidence import unpack
from indexing.write.judging import Judge, markets_of
from tokens.models import Nft
from tokens.store import chains
from transfers.ledger import derive, fills, transfers
from transfers.ledger.transfer_facts import FillFacts, VerdictColumns
from transfers.ledger.transfer_rows import CHAIN, Row, verdict_of
from transfers.models import Transfer

AT_ONCE = 1_000
"""Transactions judged and written together."""


class Counts(NamedTuple):
    """What was done: transactions and transfers judged, NFTs with one that was another thing before, faults now."""

    transactions: int = 0
    transfers: int = 0
    changed_nfts: int = 0
    faults: int = 0


class NothingKeptError(Exception):
    """Nothing is kept that a transfer could be explained by; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Anew:
    """A stored transfer, and what the rules make today of its transaction."""

    row: Row
    verdict: Verdict
    place: int
    """Among the moves of the verdict."""
    columns: VerdictColumns

    @property
    def differs(self) -> bool:
        """Whether the table says anything else: all of it, or what was stated there; names of currencies apart."""
        (*price, kind), rest = _parts(verdict_of(self.row))
        (*price_now, kind_now), rest_now = _parts(self.columns)
        if (price, kind) != (price_now, kind_now):
            return True
        pairs = zip(rest, rest_now, strict=True)
        return any(before != now for before, now in pairs if self.row.judged or before not in (None, []))


def reclassify(judge: Judge, since_block: int = 0) -> Iterator[Counts]:
    """Judge the transactions of a chain again, in the order of blocks from ``since_block`` on.

    Yields what each part was. Each is one transaction of the database, so that a run that is cut short is finished by
    the next one. What another source stated stays. Beside an indexer it is safe: what that writes meanwhile it has
    judged itself, by rules that may be newer.
    """
    place = (since_block, 0)
    last = (
        Evidence.objects.filter(chain_id=judge.chain.id).order_by("-id").values_list("id", flat=True).first()
    )
    while last is not None:
        with writing():
            rows = evidence_behind(judge.chain.id, place, last)
            if not rows:
                return
            counts = _part(judge, rows)
        yield counts
        place = rows[-1][1], rows[-1][0]


def _part(judge: Judge, evidence: Sequence[tuple[int, int, str, bytes]]) -> Counts:
    bulk.keyed_plans()
    hashes = [row[2] for row in evidence]
    stored: dict[str, list[Row]] = defaultdict(list)
    for row in transfers.of_transactions(judge.chain.id, hashes):
        stored[row.transaction_hash].append(row)
    tokens = tokens_of({row.nft_id for rows in stored.values() for row in rows})
    pairs: list[tuple[Row, VerdictColumns]] = []
    filled: list[FillFacts] = []
    faults: list[tuple[ChainTransaction, Fault]] = []
    complete = checkpoints.complete_blocks(judge.chain.id)
    for _, number, hash_, packed in evidence:
        if own := _moves(stored.get(hash_, ()), tokens):
            transaction = unpack(packed, hash_, number, own[0][0].timestamp)
            one = judge.judge(transaction, [move for _, move in own], complete=number in complete)
            pairs += zip((row for row, _ in own), judge.columns(one), strict=True)
            filled += judge.fills(one)
            faults += one.faults
    changes = transfers.judge(pairs)
    asked = fills.replace(judge.chain, hashes, filled)
    market_faults.write(judge.chain.id, hashes, faults)
    derive.refresh(changes=changes, asked=asked)
    return Counts(len(evidence), len(pairs), len(changes.changed), len(faults))


def anew(transfer: Transfer) -> Anew:
    """Judge a transfer's transaction again by what is kept of it, as :func:`reclassify` does, and write nothing.

    Raises :class:`NothingKeptError`.
    """
    key = transfer.chain_id, transfer.transaction_hash
    kept = Evidence.objects.filter(chain_id=key[0], transaction_hash=key[1]).first()
    if kept is None:
        raise NothingKeptError("No evidence is kept of its transaction, which was not indexed from a node.")
    number = kept.block_number
    try:
        transaction = unpack(bytes(kept.packed), key[1], number, transfer.timestamp)
    except (ValueError, zlib.error) as fault:
        raise NothingKeptError(f"The evidence of its transaction cannot be read: {fault}") from None
    rows = transfers.of_transactions(key[0], [key[1]])
    own = _moves(rows, tokens_of({row.nft_id for row in rows}))
    place = next((at for at, (row, _) in enumerate(own) if row.id == transfer.pk), None)
    if place is None:
        raise NothingKeptError("The evidence of its transaction has no such log: the transfer was stated.")
    chain = chains.known()[transfer.chain.slug]
    bids = stored_bids.load(key[0], {log.address for log in transaction.logs})
    listings = stored_listings.load(key[0], names_in(transaction.logs))
    judge = Judge(chain, markets_of(chain), bids=bids, listings=listings)
    one = judge.judge(
        transaction, [move for _, move in own], complete=number in checkpoints.complete_blocks(key[0])
    )
    row, move = own[place]
    return Anew(row, one.verdict, one.verdict.moves.index(move), judge.columns(one)[place])


def _parts(one: VerdictColumns) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return price and type, and all else that is judged."""
    price = one.nft_value_token, one.nft_value_amount
    return (*price, one.transfer_type), (one.is_commercial, json.loads(one.markets), json.loads(one.swaps))


def _moves(rows: Iterable[Row], tokens: Mapping[int, tuple[str, str, str]]) -> list[tuple[Row, Move]]:
    """Return the stored transfers of a transaction with the moves that its logs told of, in log order.

    ``tokens`` are what :func:`tokens_of` returns. Rows that came from elsewhere than the chain are left out.
    """
    of_chain = sorted((row for row in rows if row.origin == CHAIN), key=lambda row: row.place)
    return [(row, _move(row, *tokens[row.nft_id])) for row in of_chain]


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


def evidence_behind(chain_id: int, place: tuple[int, int], last: int) -> list[tuple[int, int, str, bytes]]:
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
