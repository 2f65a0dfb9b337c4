"""Writing transfers: rows by their identity, merged field by field with what is stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key
from tokens.models import Chain
from tokens.store.facts import UNSET, Refuse, united
from tokens.store.nfts import NftIds, NftRow
from transfers.ledger import statements
from transfers.ledger.ledger import Event
from transfers.ledger.mixed import LackingError, Mixed, UnwritableError, applied, changes_of, lacking
from transfers.ledger.statements import Transaction
from transfers.ledger.transfer_facts import TransferFacts, VerdictColumns
from transfers.ledger.transfer_rows import CHAIN, COLUMNS, STATED, Key, Row, blank, merge, of_chain, rejudged
from transfers.ledger.values import Price, value_prices
from transfers.models import Transfer

_USD = COLUMNS.index("usd_value")
_OF_EVENT = (
    *("nft_id", "recent_key", "id", "block_number", "timestamp", "log_index", "batch_index"),
    *("from_address", "to_address", "amount", "transfer_type", "transaction_from", "markets"),
)
_of_event = attrgetter(*_OF_EVENT)
_OF_TRANSACTION = ("transaction_hash", "chain_id")


@dataclass(slots=True)
class TransferChanges:
    """What a batch of transfers changed, for the values that are derived from them."""

    arrived: dict[int, list[Event]] = field(default_factory=dict)
    """New transfers by NFT, in no order."""
    changed: set[int] = field(default_factory=set)
    """NFTs of which a transfer that was stored before has changed, come or gone."""

    @property
    def nft_ids(self) -> set[int]:
        """Every NFT with a new or changed transfer."""
        return self.changed | self.arrived.keys()


def write(facts: Sequence[TransferFacts], nfts: NftIds, refuse: Refuse) -> TransferChanges:
    """Write transfers, in the order of their lines, and return what changed.

    Facts that are judged are the chain's, any others were stated. Of what was stated a field that is not mentioned
    keeps what is stored, ``None`` clears it; a transfer without log index (an NFT's last transfer) joins the newest one
    of its transaction and NFT, else it gets log index 0. Where the chain and statements meet in a transaction, the
    rows follow from both (:mod:`transfers.ledger.resolving`). ``refuse`` is called for facts of an unknown transfer
    that lack what a row needs. Called within ``writing()``.
    """
    if not facts:
        return TransferChanges()
    batch = _Batch(facts, nfts, refuse)
    for one in facts:
        if one.log_index is not None:
            batch.take(one)
    for one in facts:
        if one.log_index is None:
            batch.take(one)
    batch.refuse_waiting()
    return batch.save()


def prepare(one: TransferFacts) -> None:
    """Make the row of a transfer that may be new, but for its ids: work that needs no database, ahead of ``write``."""
    if one.judged is not None:
        one.prepared = of_chain(one)
    elif one.log_index is not None and one.block_number is not UNSET and one.timestamp is not UNSET:
        key = (one.transaction_hash, one.log_index, one.batch_index, 0)
        one.prepared = merge(blank(key), one, None)


def is_whole(one: TransferFacts) -> bool:
    """Tell whether facts say all that a new transfer needs, and how many units it moves."""
    return one.block_number is not UNSET and one.timestamp is not UNSET and one.amount is not UNSET


class _Batch:
    """Rows under construction: ``stored`` as they are in the database, ``rows`` as they shall be.

    Transactions of which both the chain and statements tell are worked out as a whole, in ``mixed``.
    """

    def __init__(self, facts: Sequence[TransferFacts], nfts: NftIds, refuse: Refuse) -> None:
        self.nfts = nfts
        self.refuse = refuse
        slugs = sorted({one.chain for one in facts})
        self.chains: dict[str, int] = dict(Chain.objects.filter(slug__in=slugs).values_list("slug", "id"))
        known = [one for one in facts if one.chain in self.chains]
        told: dict[Transaction, set[int]] = {}
        for one in known:
            origin = STATED if one.judged is None else CHAIN
            told.setdefault((one.transaction_hash, self.chains[one.chain]), set()).add(
                origin if one.log_index is not None else -1
            )
        found = _read(_OF_TRANSACTION, list(told))
        for row in found:
            told[row.transaction_hash, row.chain_id].add(row.origin)
        apart = statements.read(list(told))
        self.mixed = {
            transaction: Mixed(transaction, apart.get(transaction, ()))
            for transaction, origins in told.items()
            if transaction in apart or origins not in ({STATED}, {CHAIN})
        }
        self.stored: dict[Key, Row] = {}
        for row in found:
            transaction = self.mixed.get((row.transaction_hash, row.chain_id))
            if transaction is None:
                self.stored[row.key] = row
            else:
                transaction.hold(row)
        self.rows: dict[Key, Row] = dict(self.stored)
        self.new: list[Key] = []
        self.waiting: dict[tuple[object, ...], list[TransferFacts]] = {}
        """Facts of unknown transfers that lack what a row needs."""

    def take(self, one: TransferFacts) -> None:
        """Take facts; those that lack something wait for others of the same transfer."""
        if one.chain not in self.chains:
            self.refuse(one, f"The chain {one.chain} is not known.")
            return
        key = (one.chain, one.transaction_hash, one.log_index, one.batch_index)
        place = (*key, one.identity if one.log_index is None else None)
        parts = [*self.waiting.pop(place, ()), one] if self.waiting else [one]
        try:
            self._take(one if len(parts) == 1 else replace(united(parts), prepared=None))
        except LackingError:
            self.waiting[place] = parts
        except UnwritableError as fault:
            self.refuse(one, str(fault))
            if parts[:-1]:
                self.waiting[place] = parts[:-1]

    def _take(self, one: TransferFacts) -> None:
        chain_id = self.chains[one.chain]
        nft = None if one.identity is None else self.nfts.rows[one.identity]
        mixed = self.mixed.get((one.transaction_hash, chain_id))
        if mixed is None:
            self._put(one, chain_id, nft)
        else:
            mixed.take(one, nft)

    def refuse_waiting(self) -> None:
        """Refuse what still lacks something."""
        for parts in self.waiting.values():
            for one in parts:
                nft = None if one.identity is None else self.nfts.rows[one.identity]
                self.refuse(one, str(lacking(one, nft)), waits=True)

    def save(self) -> TransferChanges:
        """Write what is new or differs."""
        new = [self.rows[key] for key in self.new]
        pairs = [(row, self.rows[key]) for key, row in self.stored.items() if self.rows[key] != row]
        return _save(new, pairs, self.mixed.values())

    def _put(self, one: TransferFacts, chain_id: int, nft: NftRow | None) -> None:
        assert one.log_index is not None
        key = (one.transaction_hash, one.log_index, one.batch_index, chain_id)
        before = self.rows.get(key)
        if before is not None:
            self.rows[key] = applied(before, one, nft)
            return
        if nft is None or one.block_number is UNSET or one.timestamp is UNSET:
            raise lacking(one, nft)
        row = one.prepared if isinstance(one.prepared, Row) else applied(blank(key), one, None)
        self.new.append(key)
        self.rows[key] = Row._make((0, chain_id, nft.contract_id, nft.id, *row[4:]))


def of_transactions(chain_id: int, hashes: Sequence[str]) -> list[Row]:
    """Return the transfers of some transactions, in no order."""
    return _read(_OF_TRANSACTION, [(hash_, chain_id) for hash_ in hashes])


def judge(pairs: Sequence[tuple[Row, VerdictColumns]]) -> TransferChanges:
    """Write what the rules make of indexed transfers now, where it differs from what they made of them before.

    What was stated of them stays. Called within ``writing()``.
    """
    apart = statements.read(list({row.key[::3] for row, _ in pairs}))
    mixed = {one: Mixed(one, some) for one, some in apart.items()}
    for row in _read(_OF_TRANSACTION, list(mixed)):
        mixed[row.key[::3]].hold(row)
    changed = []
    for row, judged in pairs:
        if row.key[::3] in mixed:
            mixed[row.key[::3]].judge(row.place, judged)
        elif (after := rejudged(row, judged)) != row:
            changed.append((row, after))
    return _save([], changed, mixed.values())


class TakenBack(NamedTuple):
    """Rows of the chain that went, and the NFTs of which a transfer has come, gone or changed."""

    rows: list[Row]
    nft_ids: set[int]


def take_back(chain_id: int, hashes: Sequence[str]) -> TakenBack:
    """Take back what the chain told of some transactions: only what was stated of them is left.

    The caller derives the NFTs anew. Called within ``writing()``.
    """
    keys = [(hash_, chain_id) for hash_ in hashes]
    apart = statements.read(keys)
    rows = _read(_OF_TRANSACTION, keys)
    mixed = {
        key: Mixed(key, apart.get(key, ()))
        for key in {row.key[::3] for row in rows if row.origin != CHAIN} | apart.keys()
    }
    for row in rows:
        if row.key[::3] in mixed:
            mixed[row.key[::3]].hold(row)
    for one in mixed.values():
        one.told.untell()
    lost = [row for row in rows if row.origin == CHAIN]
    bulk.delete_rows(Transfer, ("id",), [(row.id,) for row in lost if row.key[::3] not in mixed])
    written = _save([], [], mixed.values())
    return TakenBack(lost, written.nft_ids | {row.nft_id for row in lost})


def events_of(nft_ids: Iterable[int]) -> list[Event]:
    """Return all transfers of some NFTs, in no order."""
    return list(
        map(_event, bulk.rows_by(Transfer, ("nft_id",), [(nft_id,) for nft_id in nft_ids], _OF_EVENT))
    )


def _save(new: Sequence[Row], pairs: Sequence[tuple[Row, Row]], mixed: Collection[Mixed]) -> TransferChanges:
    """Write new rows, which get their ids here, rows as they were and shall be, and what mixed transactions come to."""
    found = TransferChanges()
    changes = changes_of(mixed)
    fresh = _ordered(new, [row for row in changes.new if not row.id])
    ids = bulk.take_ids(Transfer, len(fresh))
    known = {row.id for row in changes.gone}
    arrived = [Row._make((row_id, *row[1:])) for row_id, row in zip(ids, fresh, strict=True)]
    arrived += [row for row in changes.new if row.id]
    pairs = [*pairs, *changes.changed]
    valued = _valued([*arrived, *(after for _, after in pairs)])
    statements.replace(changes.before, changes.after)
    bulk.delete_rows(Transfer, ("id",), [(row.id,) for row in changes.gone])
    bulk.update_rows(Transfer, COLUMNS, valued[len(arrived) :])
    bulk.copy_rows(Transfer, COLUMNS, valued[: len(arrived)])
    for row in valued[: len(arrived)]:
        if row.id in known:
            found.changed.add(row.nft_id)
        else:
            found.arrived.setdefault(row.nft_id, []).append(_event(_of_event(row)))
    found.changed.update(row.nft_id for row in changes.gone)
    found.changed.update(row.nft_id for pair in pairs for row in pair)
    return found


def _ordered(plain: Sequence[Row], mixed: Sequence[Row]) -> list[Row]:
    """Return new rows in the order in which they get their ids, in which a dump has them.

    Lines keep theirs. The chain's own order never depends on which of its transfers were written at once.
    """
    rows = [*plain, *sorted(mixed, key=_place)]
    if mixed and all(row.origin == CHAIN for row in rows):
        rows.sort(key=_place)
    return rows


def _place(row: Row) -> tuple[object, ...]:
    return row.chain_id, row.block_number, row.log_index, row.batch_index, row.transaction_hash


def _event(columns: tuple[Any, ...]) -> Event:
    return Event._make((*columns[:9], uint_from_key(columns[9]), *columns[10:]))


def _read(keys: Sequence[str], values: Sequence[tuple[Any, ...]]) -> list[Row]:
    # SQLite keeps booleans as integers; equal all the same when rows are compared.
    return list(map(Row._make, bulk.rows_by(Transfer, keys, values, COLUMNS)))


def _valued(rows: list[Row]) -> list[Row]:
    """Return the rows with the values of their prices, at the rates that are known now."""
    prices = {
        place: Price(row.chain_id, row.nft_value_token, row.nft_value_amount, row.timestamp)
        for place, row in enumerate(rows)
        if row.nft_value_amount is not None and row.nft_value_token is not None
    }
    values = value_prices(prices.values())
    for place, row in enumerate(rows):
        if place not in prices and row.usd_value is None and row.eth_value is None:
            continue
        value = values[prices[place]] if place in prices else (None, None)
        if value != row[_USD : _USD + 2]:
            rows[place] = row._replace(usd_value=value[0], eth_value=value[1])
    return rows
