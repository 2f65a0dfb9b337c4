"""What asks follow from, as it is kept: events of orders, fills, and what happened to their NFTs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from core.db import bulk
from core.db.keys import uint_from_key
from tokens.models import Contract
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


class Row(NamedTuple):
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


_EVENT = (
    *("kind", "exchange", "block_number", "log_index", "timestamp", "transaction_hash"),
    *("order_hash", "contract", "token_key", "maker", "operator", "nonce", "detail"),
)
_BY_ORDER = ("order_hash", "chain_id")
Key = tuple[Any, ...]


class Facts:
    """All that some asks follow from, read at once."""

    def __init__(self, rows: Sequence[Row], of: Mapping[int, Traded]) -> None:
        self.of = of
        self._fills: dict[Key, list[Fill]] = defaultdict(list)
        self._events: dict[Key, list[End]] = defaultdict(list)
        if not rows:
            return
        orders = {(row.order_hash, row.chain_id) for row in rows}
        told = (*_BY_ORDER, "transaction_hash", "units")
        for hash_, chain_id, transaction, units in bulk.rows_by(OrderFill, _BY_ORDER, list(orders), told):
            self._fills[hash_, chain_id].append(Fill(transaction, uint_from_key(units)))
        contracts = {of[row.nft_id].contract_id for row in rows if row.exchange or row.operator}
        self._addresses: dict[int, str] = dict(
            bulk.rows_by(Contract, ("id",), [(one,) for one in contracts], ("id", "address"))
        )
        wanted: dict[tuple[str, ...], set[Key]] = defaultdict(set)
        for row in rows:
            for columns, key in self._lookups(row):
                wanted[columns].add(key)
        for columns, keys in wanted.items():
            self._collect(columns, keys)
        self._place_fills()
        self._held = past.held_now({(row.nft_id, row.seller) for row in rows if row.seller})
        self._histories = past.histories({row.nft_id for row in rows if self._needs_history(row)})

    def state_of(self, row: Row) -> State:
        """Return what an ask is by all of it."""
        events = self._of(row)
        return state(_offer(row, self.transactions(row)), self._fills_of(row), events, self._holding(row))

    def transactions(self, row: Row) -> frozenset[str]:
        """Return the transactions whose fills the stated amount of an ask is less already."""
        if row.reflects:
            return frozenset(json.loads(row.reflects))
        return frozenset(one.transaction_hash for one in self._fills_of(row))

    def _fills_of(self, row: Row) -> list[Fill]:
        return self._fills.get((row.order_hash, row.chain_id), [])

    def _place_fills(self) -> None:
        """Note the blocks of the fills of orders of which their exchange said how much was taken as of one."""
        told = {
            (key[1], key[2])
            for key, events in self._events.items()
            if key[0] == _BY_ORDER and any(one.taken is not None for one in events)
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

    def _of(self, row: Row) -> list[End]:
        events: list[End] = []
        for columns, key in self._lookups(row):
            events += self._events.get((columns, *key), ())
        own = (None, self.of[row.nft_id].token_key)
        return [one for one in events if one.kind != OrderKind.APPROVED or one.token_key in own]

    def _lookups(self, row: Row) -> Iterator[tuple[tuple[str, ...], Key]]:
        """Yield how events are looked up for an ask, each way with its columns."""
        nft = self.of[row.nft_id]
        address = self._addresses.get(nft.contract_id, "")
        key: Key
        yield _BY_ORDER, (row.order_hash, row.chain_id)
        if row.exchange is not None and row.opened_block is not None:
            key = (row.exchange, address, nft.token_key, row.chain_id)
            yield ("exchange", "contract", "token_key", "chain_id"), key
        by_maker = ("maker", "exchange", "kind", "chain_id")
        if row.exchange is not None and row.maker is not None:
            yield by_maker, (row.maker, row.exchange, str(OrderKind.BULK_ENDED), row.chain_id)
            if row.nonce is not None:
                key = (row.maker, row.exchange, str(OrderKind.NONCE_ENDED), row.nonce, row.chain_id)
                yield ("maker", "exchange", "kind", "nonce", "chain_id"), key
        if row.operator is not None and row.maker is not None:
            key = (row.maker, row.operator, address, str(OrderKind.APPROVED), row.chain_id)
            yield ("maker", "operator", "contract", "kind", "chain_id"), key
        if row.exchange is not None and row.maker is not None:
            yield by_maker, (row.maker, row.exchange, str(OrderKind.APPROVED), row.chain_id)

    def _needs_history(self, row: Row) -> bool:
        return row.seller is not None and (not row.wakes or row.operator is not None)

    def _holding(self, row: Row) -> Holding:
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


def _offer(row: Row, reflects: frozenset[str]) -> Offer:
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
