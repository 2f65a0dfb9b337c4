"""Writing transfers: rows by their identity, merged field by field with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nftsite.db import bulk
from nftsite.db.keys import uint_from_key
from tokens.facts import UNSET
from tokens.models import Chain
from tokens.store.nfts import NftIds, NftRow
from transfers.facts import JudgedFacts, TransferFacts
from transfers.models import Transfer
from transfers.store.ledger import Event
from transfers.store.transfer_rows import COLUMNS, KEY_COLUMNS, Key, Row, blank, merge, rejudged
from transfers.store.values import Price, value_prices

Refuse = Callable[[TransferFacts, str], None]
_USD = COLUMNS.index("usd_value")
_OUT_OF_RANGE = "The block number, time, log index or batch index is out of range."


@dataclass(slots=True)
class Moves:
    """What a batch of transfers changed, for the values that are derived from them."""

    arrived: dict[int, list[Event]] = field(default_factory=dict)
    """New transfers by NFT, in no order."""
    changed: set[int] = field(default_factory=set)
    """NFTs of which a transfer that was stored before has changed, come or gone."""

    @property
    def nft_ids(self) -> set[int]:
        """Every NFT with a new or changed transfer."""
        return self.changed | self.arrived.keys()


def write(facts: Sequence[TransferFacts], nfts: NftIds, refuse: Refuse) -> Moves:
    """Write transfers, in the order of their lines, and return what changed.

    A field that is not mentioned keeps what is stored, ``None`` clears it. A transfer without log index (an NFT's
    last transfer as stated) joins the newest one of its transaction and NFT, else it gets log index 0. ``refuse`` is
    called for facts of an unknown transfer that lack what a row needs. Called within ``writing()``.
    """
    batch = _Batch(facts, nfts, refuse)
    for one in facts:
        if one.log_index is not None:
            batch.take(one)
    for one in facts:
        if one.log_index is None:
            batch.join(one)
    return batch.save()


def prepare(one: TransferFacts) -> None:
    """Make the row of a transfer that may be new, but for its ids: work that needs no database, ahead of ``write``."""
    if one.log_index is not None and one.block_number is not UNSET and one.timestamp is not UNSET:
        key = (one.transaction_hash, one.log_index, one.batch_index, 0)
        one.prepared = merge(blank(key), one, None)


def is_whole(one: TransferFacts) -> bool:
    """Tell whether facts say all that a new transfer needs, and how many units it moves."""
    return one.block_number is not UNSET and one.timestamp is not UNSET and one.amount is not UNSET


class _Batch:
    """Rows under construction: ``stored`` as they are in the database, ``rows`` as they shall be."""

    def __init__(self, facts: Sequence[TransferFacts], nfts: NftIds, refuse: Refuse) -> None:
        self.nfts = nfts
        self.refuse = refuse
        slugs = sorted({one.chain for one in facts})
        self.chains: dict[str, int] = dict(
            Chain.objects.filter(slug__in=slugs).values_list("slug", "id") if slugs else ()
        )
        known = [one for one in facts if one.chain in self.chains]
        keys = {self._key(one, one.log_index) for one in known if one.log_index is not None}
        self.stored = {row.key: row for row in _read(KEY_COLUMNS, list(keys))}
        loose = {(one.transaction_hash, self.chains[one.chain]) for one in known if one.log_index is None}
        found = _read(("transaction_hash", "chain_id"), list(loose))
        self.stored.update((row.key, row) for row in found)
        self.rows: dict[Key, Row] = dict(self.stored)
        self.new: list[Key] = []
        most = len(keys - self.stored.keys()) + sum(one.log_index is None for one in known)
        self.ids = iter(bulk.take_ids(Transfer, most))
        self.by_transaction: dict[tuple[str, int], list[Key]] = {key: [] for key in loose}
        if loose:
            for key in self.rows:
                self._index(key)

    def take(self, one: TransferFacts) -> None:
        """Take facts that name their log index."""
        if one.chain not in self.chains:
            self.refuse(one, f"The chain {one.chain} is not known.")
            return
        assert one.log_index is not None
        self._put(self._key(one, one.log_index), one)

    def join(self, one: TransferFacts) -> None:
        """Take facts without log index."""
        nft = self._nft(one)
        if nft is None:
            self.refuse(one, "A transfer must name its token.")
            return
        siblings = [self.rows[key] for key in self.by_transaction[one.transaction_hash, nft.chain_id]]
        same = [row for row in siblings if row.nft_id == nft.id]
        if same:
            self._put(min(same, key=lambda row: (row.recent_key, row.id)).key, one)
            return
        # Several NFTs may state the one transaction as their last: each is a transfer of its own.
        used = {row.batch_index for row in siblings if row.log_index == 0}
        free = next(index for index in range(len(used) + 1) if index not in used)
        self._put((one.transaction_hash, 0, free, nft.chain_id), one)

    def save(self) -> Moves:
        """Write what is new or differs."""
        moves = Moves()
        new = _valued([self.rows[key] for key in self.new])
        bulk.copy_rows(Transfer, COLUMNS, new)
        for row in new:
            moves.arrived.setdefault(row.nft_id, []).append(_event(row))
        differing = [row for key, row in self.rows.items() if key in self.stored and row != self.stored[key]]
        changed = _valued(differing)
        bulk.update_rows(Transfer, COLUMNS, changed)
        for row in changed:
            moves.changed.update((row.nft_id, self.stored[row.key].nft_id))
        return moves

    def _put(self, key: Key, one: TransferFacts) -> None:
        before = self.rows.get(key)
        nft = self._nft(one)
        if before is None:
            self._create(key, one, nft)
            return
        row = merge(before, one, nft)
        if row is None:
            self.refuse(one, _OUT_OF_RANGE)
        else:
            self.rows[key] = row

    def _create(self, key: Key, one: TransferFacts, nft: NftRow | None) -> None:
        if nft is None or one.block_number is UNSET or one.timestamp is UNSET:
            self.refuse(one, f"A transfer that is not yet known needs {_lacking(one, nft)}.")
            return
        row = one.prepared if isinstance(one.prepared, Row) else merge(blank(key), one, None)
        if row is None:
            self.refuse(one, _OUT_OF_RANGE)
            return
        self.new.append(key)
        self.rows[key] = Row._make((next(self.ids), key[3], nft.contract_id, nft.id, *row[4:]))
        if key[::3] in self.by_transaction:
            self._index(key)

    def _index(self, key: Key) -> None:
        self.by_transaction.setdefault(key[::3], []).append(key)

    def _nft(self, one: TransferFacts) -> NftRow | None:
        return None if one.identity is None else self.nfts.rows[one.identity]

    def _key(self, one: TransferFacts, log_index: int) -> Key:
        return one.transaction_hash, log_index, one.batch_index, self.chains[one.chain]


def of_transactions(chain_id: int, hashes: Sequence[str]) -> list[Row]:
    """Return the transfers of some transactions, in no order."""
    return _read(("transaction_hash", "chain_id"), [(hash_, chain_id) for hash_ in hashes])


def judge(pairs: Sequence[tuple[Row, JudgedFacts]]) -> Moves:
    """Write what the rules make of stored transfers now, where it differs from what they made of them before.

    Called within ``writing()``.
    """
    before = {row.id: row for row, _ in pairs}
    after = _valued([rejudged(row, judged) for row, judged in pairs])
    changed = [row for row in after if row != before[row.id]]
    bulk.update_rows(Transfer, COLUMNS, changed)
    return Moves(changed={row.nft_id for row in changed})


def events_of(nft_ids: Iterable[int]) -> list[Event]:
    """Return all transfers of some NFTs, in no order."""
    columns = (
        *("nft_id", "recent_key", "id", "block_number", "timestamp", "log_index", "batch_index"),
        *("from_address", "to_address", "amount", "transfer_type", "transaction_from", "markets"),
    )
    rows = bulk.rows_by(Transfer, ("nft_id",), [(nft_id,) for nft_id in nft_ids], columns)
    return [Event._make((*row[:9], uint_from_key(row[9]), *row[10:])) for row in rows]


def _event(row: Row) -> Event:
    return Event(
        row.nft_id,
        row.recent_key,
        row.id,
        row.block_number,
        row.timestamp,
        row.log_index,
        row.batch_index,
        row.from_address,
        row.to_address,
        uint_from_key(row.amount),
        row.transfer_type,
        row.transaction_from,
        row.markets,
    )


def _read(keys: Sequence[str], values: Sequence[tuple[Any, ...]]) -> list[Row]:
    # SQLite keeps booleans as integers; equal all the same when rows are compared.
    return list(map(Row._make, bulk.rows_by(Transfer, keys, values, COLUMNS)))


def _lacking(one: TransferFacts, nft: NftRow | None) -> str:
    names = (
        ("tokenId and its contract", nft is None),
        ("blockNumber", one.block_number is UNSET),
        ("timestamp", one.timestamp is UNSET),
    )
    return ", ".join(name for name, lacks in names if lacks)


def _valued(rows: list[Row]) -> list[Row]:
    """Return the rows with the values of their prices, at the rates that are known now."""
    prices = {
        place: Price(row.chain_id, row.nft_value_token, row.nft_value_amount, row.timestamp)
        for place, row in enumerate(rows)
        if row.nft_value_amount is not None and row.nft_value_token is not None
    }
    values = value_prices(prices.values())
    for place, row in enumerate(rows):
        value = values[prices[place]] if place in prices else (None, None)
        if value != row[_USD : _USD + 2]:
            rows[place] = row._replace(usd_value=value[0], eth_value=value[1])
    return rows
