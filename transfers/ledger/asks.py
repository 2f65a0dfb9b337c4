"""Asks brought into line with what they follow from (``ask_states``): read by NFT, and written where they differ."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from core.db import bulk
from core.db.keys import uint_from_key, uint_key
from tokens.models import Ask, Contract
from transfers.ledger import past
from transfers.ledger.ask_states import End, Fill, Holding, Offer, State, state
from transfers.ledger.order_facts import OrderKind
from transfers.ledger.owners import has_one_owner
from transfers.models import OrderEvent, OrderFill, Transfer


class Traded(Protocol):
    """What asks need to know of their NFT."""

    @property
    def contract_id(self) -> int:
        """Its contract's row."""

    @property
    def token_key(self) -> str:
        """Its token id, as a key."""

    @property
    def standard(self) -> str:
        """Its contract's."""

    @property
    def owner_known(self) -> bool:
        """Whether it is known who holds it."""


class _Row(NamedTuple):
    """An ask as the database holds it; derived columns last."""

    id: int
    nft_id: int
    market_id: int
    chain_id: int
    order_hash: str
    stated_amount: str | None
    stated_status: str
    maker: str | None
    taker: str | None
    holder: str | None
    operator: str | None
    approved: bool | None
    exchange: str | None
    nonce: str | None
    offered: str | None
    lot: str | None
    wakes: bool
    gone_at: int | None
    opened_block: int | None
    opened_log: int | None
    valid_from: int
    seen_at: int | None
    valid_until: int
    reflects: str
    amount: str | None
    status: str
    reason: str
    check_at: int
    active: bool
    sole: bool

    @property
    def seller(self) -> str | None:
        """Who must hold the NFT."""
        return self.holder or self.maker


_DERIVED = ("reflects", "amount", "status", "reason", "check_at", "active", "sole")
_EVENT = (
    *("kind", "exchange", "block_number", "log_index", "timestamp", "transaction_hash"),
    *("order_hash", "contract", "token_key", "maker", "operator", "nonce", "detail"),
)
Key = tuple[Any, ...]


def settle(
    nft_ids: Collection[int], whole: Collection[int], of_nft: Callable[[int], Traded]
) -> dict[int, set[int]]:
    """Bring the asks of NFTs into line; return the marketplaces by NFT where one is active and has not ended.

    Of the NFTs in ``whole`` those that ended are worked out anew too: fills or events of them came or went. Called
    within ``writing()``.
    """
    rows = _read(nft_ids, whole)
    facts = _Facts(rows, {nft_id: of_nft(nft_id) for nft_id in {row.nft_id for row in rows}})
    after = {row.id: facts.state_of(row) for row in rows}
    alone = Counter(row.nft_id for row in rows if after[row.id].active)
    changed = []
    asked: dict[int, set[int]] = defaultdict(set)
    now = time.time()
    for row in rows:
        found = after[row.id]
        sole = found.active and alone[row.nft_id] == 1
        reflects = row.reflects or json.dumps(sorted(facts.transactions(row)), separators=(",", ":"))
        amount = None if found.amount is None else uint_key(found.amount)
        check_at = (
            0 if found.active and not row.active else row.check_at
        )  # it wakes to what nobody asked for yet
        values = (reflects, amount, found.status, found.reason, check_at, found.active, sole)
        if values != (*row[-7:-2], bool(row.active), bool(row.sole)):
            changed.append((row.id, *values))
        if found.active and row.valid_until > now:
            asked[row.nft_id].add(row.market_id)
    bulk.update_rows(Ask, ("id", *_DERIVED), changed)
    return asked


def of_orders(orders: Iterable[tuple[str, int]]) -> set[int]:
    """Return the NFTs of the asks of orders, named by hash and chain."""
    rows = bulk.rows_by(Ask, ("order_hash", "chain_id"), list(set(orders)), ("nft_id",))
    return {row[0] for row in rows}


def _read(nft_ids: Collection[int], whole: Collection[int]) -> list[_Row]:
    columns = ", ".join(f"a.{name}" for name in _Row._fields)
    rows: list[_Row] = []
    for ids, condition in (
        ([one for one in nft_ids if one not in whole], "a.status = 'open'"),
        ([one for one in nft_ids if one in whole], "true"),
    ):
        if ids:
            sql, parameter = bulk.id_list(ids)
            found = bulk.fetch(
                f"SELECT {columns} FROM {sql} wanted CROSS JOIN {Ask._meta.db_table} a "
                f"WHERE a.nft_id = wanted.id AND {condition}",
                [parameter],
            )
            rows += map(_Row._make, found)
    return rows


class _Facts:
    """All that some asks follow from, read at once."""

    def __init__(self, rows: Sequence[_Row], of: Mapping[int, Traded]) -> None:
        self.of = of
        self._fills: dict[Key, list[Fill]] = defaultdict(list)
        self._events: dict[Key, list[End]] = defaultdict(list)
        if not rows:
            return
        orders = {(row.order_hash, row.chain_id) for row in rows}
        columns = ("order_hash", "chain_id", "transaction_hash", "units")
        for hash_, chain_id, transaction, units in bulk.rows_by(
            OrderFill, columns[:2], list(orders), columns
        ):
            self._fills[hash_, chain_id].append(Fill(transaction, uint_from_key(units)))
        contracts = {of[row.nft_id].contract_id for row in rows if row.exchange or row.operator}
        self._addresses: dict[int, str] = dict(
            bulk.rows_by(Contract, ("id",), [(one,) for one in contracts], ("id", "address"))
        )
        for names, by in _COLUMNS_OF.items():
            keys = {key for row in rows if (key := names(row, of[row.nft_id], self._addresses))}
            self._collect(by, keys)
        self._place_fills()
        self._held = past.held_now({(row.nft_id, row.seller) for row in rows if row.seller})
        self._histories = past.histories({row.nft_id for row in rows if self._needs_history(row)})

    def state_of(self, row: _Row) -> State:
        """Return what an ask is by all of it."""
        events = self._of(row)
        return state(_offer(row, self.transactions(row)), self._fills_of(row), events, self._holding(row))

    def transactions(self, row: _Row) -> frozenset[str]:
        """Return the transactions whose fills the stated amount of an ask is less already."""
        if row.reflects:
            return frozenset(json.loads(row.reflects))
        return frozenset(one.transaction_hash for one in self._fills_of(row))

    def _fills_of(self, row: _Row) -> list[Fill]:
        return self._fills.get((row.order_hash, row.chain_id), [])

    def _place_fills(self) -> None:
        """Note the blocks of the fills of orders of which their exchange said how much was taken as of one."""
        told = {
            (key[1], key[2])
            for key, events in self._events.items()
            if key[0] == _COLUMNS_OF[_by_order] and any(one.taken is not None for one in events)
        }
        keys = {(fill.transaction_hash, key[1]) for key in told for fill in self._fills.get(key, ())}
        columns = ("transaction_hash", "chain_id")
        rows = bulk.rows_by(Transfer, columns, list(keys), (*columns, "block_number"))
        blocks = {(hash_, chain_id): block for hash_, chain_id, block in rows}
        for key in told & self._fills.keys():
            self._fills[key] = [
                fill._replace(block=blocks.get((fill.transaction_hash, key[1]))) for fill in self._fills[key]
            ]

    def _collect(self, columns: tuple[str, ...], keys: Collection[Key]) -> None:
        wanted = (*columns, *_EVENT)
        for found in bulk.rows_by(OrderEvent, columns, list(keys), wanted):
            key, event = found[: len(columns)], dict(zip(_EVENT, found[len(columns) :], strict=True))
            self._events[columns, *key].append(_end(event))

    def _of(self, row: _Row) -> list[End]:
        events: list[End] = []
        for names, columns in _COLUMNS_OF.items():
            key = names(row, self.of[row.nft_id], self._addresses)
            if key:
                events += self._events.get((columns, *key), ())
        own = (None, self.of[row.nft_id].token_key)
        return [one for one in events if one.kind != OrderKind.APPROVED or one.token_key in own]

    def _needs_history(self, row: _Row) -> bool:
        return row.seller is not None and (not row.wakes or row.operator is not None)

    def _holding(self, row: _Row) -> Holding:
        who = row.seller
        if who is None:
            return Holding(False)
        nft, units = self.of[row.nft_id], self._held.get((row.nft_id, who), 0)
        if not self._needs_history(row):
            return Holding(nft.owner_known, units)
        offer = _offer(row, frozenset())
        left_since, moved, balance = False, (-1, -1), units
        one_owner = has_one_owner(nft.standard)
        for event in reversed(self._histories[row.nft_id]):
            if who in (event.sender, event.receiver):
                moved = max(moved, (event.block, event.log_index))
            # What has one owner may move without its sender having held it.
            is_gone = event.receiver != who if one_owner else event.sender == who and balance == 0
            left_since |= is_gone and offer.is_before((event.block, event.log_index), event.timestamp)
            balance += event.amount * ((event.sender == who) - (event.receiver == who))
        return Holding(nft.owner_known, units, left_since, moved)


def _offer(row: _Row, reflects: frozenset[str]) -> Offer:
    return Offer(
        order_hash=row.order_hash,
        amount=None if row.stated_amount is None else uint_from_key(row.stated_amount),
        status=row.stated_status,
        reflects=reflects,
        maker=row.maker,
        taker=row.taker,
        holder=row.holder,
        operator=row.operator,
        approved=None if row.approved is None else bool(row.approved),
        exchange=row.exchange,
        nonce=None if row.nonce is None else uint_from_key(row.nonce),
        wakes=bool(row.wakes),
        gone=row.gone_at is not None,
        opened=None if row.opened_block is None else (row.opened_block, row.opened_log or 0),
        valid_from=row.valid_from,
        seen_at=row.seen_at,
        offered=None if row.offered is None else uint_from_key(row.offered),
        lot=None if row.lot is None else uint_from_key(row.lot),
    )


def _end(event: Mapping[str, Any]) -> End:
    detail = json.loads(event["detail"])
    return End(
        kind=event["kind"],
        exchange=event["exchange"],
        block=event["block_number"],
        log_index=event["log_index"],
        timestamp=event["timestamp"],
        order_hash=event["order_hash"],
        taker=detail.get("taker"),
        outcome=detail.get("outcome"),
        units=detail.get("units"),
        transaction_hash=event["transaction_hash"],
        rule=detail.get("rule"),
        nonce=None if event["nonce"] is None else uint_from_key(event["nonce"]),
        lot=detail.get("lot", 1),
        replaces=bool(detail.get("replaces")),
        per_taker=bool(detail.get("per_taker")),
        is_approved=detail.get("is_approved"),
        delivers=detail.get("delivers"),
        taken=tuple(detail["taken"]) if "taken" in detail else None,
        token_key=event["token_key"],
    )


def _by_order(row: _Row, nft: Traded, addresses: Mapping[int, str]) -> Key | None:
    return row.order_hash, row.chain_id


def _by_nft(row: _Row, nft: Traded, addresses: Mapping[int, str]) -> Key | None:
    if row.exchange is None or row.opened_block is None:
        return None
    return row.exchange, addresses.get(nft.contract_id, ""), nft.token_key, row.chain_id


def _by_counter(row: _Row, nft: Traded, addresses: Mapping[int, str]) -> Key | None:
    if row.exchange is None or row.maker is None:
        return None
    return row.maker, row.exchange, str(OrderKind.BULK_ENDED), row.chain_id


def _by_exchange_approval(row: _Row, nft: Traded, addresses: Mapping[int, str]) -> Key | None:
    if row.exchange is None or row.maker is None:
        return None
    return row.maker, row.exchange, str(OrderKind.APPROVED), row.chain_id


def _by_nonce(row: _Row, nft: Traded, addresses: Mapping[int, str]) -> Key | None:
    if row.exchange is None or row.maker is None or row.nonce is None:
        return None
    return row.maker, row.exchange, str(OrderKind.NONCE_ENDED), row.nonce, row.chain_id


def _by_approval(row: _Row, nft: Traded, addresses: Mapping[int, str]) -> Key | None:
    if row.operator is None or row.maker is None:
        return None
    contract = addresses.get(nft.contract_id, "")
    return row.maker, row.operator, contract, str(OrderKind.APPROVED), row.chain_id


_COLUMNS_OF = {
    _by_order: ("order_hash", "chain_id"),
    _by_nft: ("exchange", "contract", "token_key", "chain_id"),
    _by_counter: ("maker", "exchange", "kind", "chain_id"),
    _by_nonce: ("maker", "exchange", "kind", "nonce", "chain_id"),
    _by_approval: ("maker", "operator", "contract", "kind", "chain_id"),
    _by_exchange_approval: ("maker", "exchange", "kind", "chain_id"),
}
"""How events are looked up for an ask, each way with its columns."""
