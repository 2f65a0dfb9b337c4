"""Writing transfers: rows by their identity, merged field by field with what is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nftsite.db import bulk
from nftsite.db.keys import recency_key, scaled, uint_from_key, uint_key
from tokens.facts import UNSET
from tokens.models import Chain
from tokens.store.nfts import NftIds, NftRow
from transfers.facts import TransferFacts
from transfers.models import Transfer
from transfers.store.owners import Event
from transfers.store.values import Price, value_prices

Refuse = Callable[[TransferFacts, str], None]
Key = tuple[str, int, int, int]
"""Identity of a transfer: transaction hash, log index, batch index, chain id."""

KEY_COLUMNS = ("transaction_hash", "log_index", "batch_index", "chain_id")


class Row(NamedTuple):
    """A row of the table as the database holds it, in the order of ``COLUMNS``."""

    id: int
    chain_id: int
    contract_id: int
    nft_id: int
    block_number: int
    transaction_hash: str
    log_index: int
    batch_index: int
    timestamp: int
    recent_key: str
    from_address: str | None
    to_address: str | None
    transaction_from: str | None
    amount: str
    value: str | None
    nft_value_token: str | None
    nft_value_name: str | None
    nft_value_amount: str | None
    usd_value: str | None
    eth_value: str | None
    stated_usd_value: str | None
    stated_eth_value: str | None
    is_commercial: bool | None
    transfer_type: str | None
    markets: str
    swaps: str
    native: str | None

    @property
    def key(self) -> Key:
        """The transfer's identity."""
        return self.transaction_hash, self.log_index, self.batch_index, self.chain_id


COLUMNS = Row._fields
_USD = COLUMNS.index("usd_value")
_NOTHING_KNOWN = (0, "", None, None, None, uint_key(1), *(None,) * 10, "[]", "[]", None)
"""The columns from ``timestamp`` on of a transfer of one unit of which nothing else is known."""


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
        one.prepared = _merge(_blank(key), one, None)


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
        row = _merge(before, one, nft)
        if row is None:
            self.refuse(one, _OUT_OF_RANGE)
        else:
            self.rows[key] = row

    def _create(self, key: Key, one: TransferFacts, nft: NftRow | None) -> None:
        if nft is None or one.block_number is UNSET or one.timestamp is UNSET:
            self.refuse(one, f"A transfer that is not yet known needs {_lacking(one, nft)}.")
            return
        row = one.prepared if isinstance(one.prepared, Row) else _merge(_blank(key), one, None)
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


def _blank(key: Key) -> Row:
    return Row._make((0, key[3], 0, 0, 0, *key[:3], *_NOTHING_KNOWN))


def _merge(row: Row, one: TransferFacts, nft: NftRow | None) -> Row | None:
    """Return the row with the facts applied, or ``None`` when its place does not fit into a key."""
    block = row.block_number if one.block_number is UNSET else one.block_number
    timestamp = row.timestamp if one.timestamp is UNSET else one.timestamp
    recent_key = row.recent_key
    if not recent_key or (block, timestamp) != (row.block_number, row.timestamp):
        try:
            recent_key = recency_key(timestamp, block, row.log_index, row.batch_index)
        except ValueError:
            return None
    token, name, amount = row.nft_value_token, row.nft_value_name, row.nft_value_amount
    price = one.nft_value
    if price is None:
        token = name = amount = None
    elif price is not UNSET:
        token, name, amount = price.token_address, price.token_name, uint_key(price.amount)
    usd, eth, markets, swaps = one.usd_value, one.eth_value, one.markets, one.swaps
    return Row(
        row.id,
        row.chain_id,
        row.contract_id if nft is None else nft.contract_id,
        row.nft_id if nft is None else nft.id,
        block,
        row.transaction_hash,
        row.log_index,
        row.batch_index,
        timestamp,
        recent_key,
        row.from_address if one.from_address is UNSET else one.from_address,
        row.to_address if one.to_address is UNSET else one.to_address,
        row.transaction_from if one.transaction_from is UNSET else one.transaction_from,
        row.amount if one.amount is UNSET else uint_key(one.amount),
        row.value if one.value is UNSET else None if one.value is None else uint_key(one.value),
        token,
        name,
        amount,
        row.usd_value,
        row.eth_value,
        row.stated_usd_value if usd is UNSET else None if usd is None else uint_key(scaled(usd)),
        row.stated_eth_value if eth is UNSET else None if eth is None else uint_key(scaled(eth)),
        row.is_commercial if one.is_commercial is UNSET else one.is_commercial,
        (row.transfer_type or one.assumed_type) if one.transfer_type is UNSET else one.transfer_type,
        row.markets if markets is UNSET else _json(markets or []),
        row.swaps if swaps is UNSET else "[]" if swaps is None else swaps,
        row.native if one.native is UNSET else one.native,
    )


def _json(slugs: list[str]) -> str:
    return json.dumps(slugs, separators=(",", ":")) if slugs else "[]"


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
