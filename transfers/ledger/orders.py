"""Order events of the chain, as they are kept, and the NFTs that they concern."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.db import bulk
from core.db.keys import token_key, uint_key
from tokens.models import Ask, Contract, Nft
from tokens.store.chains import ChainRow
from transfers.ledger import asks
from transfers.ledger.order_facts import NonceRule, OrderKind
from transfers.ledger.order_facts import OrderEvent as Told
from transfers.models import OrderEvent

_PLACE = ("chain_id", "block_number", "log_index", "place")
COLUMNS = (
    *(*_PLACE, "transaction_hash", "timestamp", "kind", "market", "exchange", "contract", "token_key"),
    *("order_hash", "maker", "operator", "nonce", "detail", "raw"),
)
_IN_COLUMNS = frozenset(
    (
        *("kind", "market", "exchange", "log_index", "place", "contract", "token_id", "order_hash"),
        *("maker", "operator", "nonce", "nonces"),
    )
)


class Placed(NamedTuple):
    """What a log says of orders, where it says so. ``raw``: JSON of the log; empty where a call told it."""

    told: Told
    block_number: int
    timestamp: int
    transaction_hash: str
    raw: str = ""


class Row(NamedTuple):
    """An event as it is kept."""

    chain_id: int
    block_number: int
    log_index: int
    place: int
    transaction_hash: str
    timestamp: int
    kind: str
    market: str
    exchange: str
    contract: str | None
    token_key: str | None
    order_hash: str | None
    maker: str | None
    operator: str | None
    nonce: str | None
    detail: str
    raw: str

    @property
    def name(self) -> str:
        """The hash of the ask that it opens: the order's own, or one of this log."""
        return self.order_hash or f"{self.transaction_hash}:{self.log_index}"


def write(chain: ChainRow, placed: Sequence[Placed]) -> list[Row]:
    """Keep events that are not kept yet, and return the new ones. Called within ``writing()``."""
    rows = {(row.block_number, row.log_index, row.place): row for one in placed for row in _rows(chain, one)}
    keys = [(chain.id, *place) for place in rows]
    for _, *place in bulk.rows_by(OrderEvent, _PLACE, keys, _PLACE):
        del rows[tuple(place)]
    new = [rows[place] for place in sorted(rows)]
    bulk.copy_rows(OrderEvent, COLUMNS, new)
    return new


def events_by(chain_id: int, columns: tuple[str, ...], keys: Iterable[tuple[Any, ...]]) -> list[Row]:
    """Return the events of a chain that have one of some keys in columns."""
    wanted = [(*key, chain_id) for key in keys]
    return list(map(Row._make, bulk.rows_by(OrderEvent, (*columns, "chain_id"), wanted, COLUMNS)))


def drop(rows: Iterable[Row]) -> None:
    """Delete events. Called within ``writing()``."""
    bulk.delete_rows(OrderEvent, _PLACE, [row[: len(_PLACE)] for row in rows])


def touched(events: Iterable[Row]) -> set[int]:
    """Return the NFTs whose asks events may concern."""
    events = list(events)
    found = asks.of_orders((one.name, one.chain_id) for one in events)
    for columns, keys in (
        (
            ("maker", "exchange", "chain_id"),
            {
                (one.maker, one.exchange, one.chain_id)
                for one in events
                if one.exchange and one.kind in _OF_MAKERS
            },
        ),
        (
            ("maker", "operator", "chain_id"),
            {
                (one.maker, one.operator, one.chain_id)
                for one in events
                if one.kind == OrderKind.APPROVED and one.token_key is None
            },
        ),
    ):
        found.update(row[0] for row in bulk.rows_by(Ask, columns, list(keys), ("nft_id",)))
    named = {(one.contract, one.token_key, one.chain_id) for one in events if one.token_key is not None}
    return found | set(nfts_named(named).values())


_OF_MAKERS = frozenset((OrderKind.BULK_ENDED, OrderKind.NONCE_ENDED, OrderKind.APPROVED))


def nfts_named(named: Iterable[tuple[str | None, str | None, int]]) -> dict[tuple[str, str, int], int]:
    """Return the ids of the NFTs that are known, by contract address, token key and chain id."""
    named = set(named)
    addresses = {(chain_id, contract) for contract, _, chain_id in named}
    contracts = {
        (address, chain_id): row_id
        for row_id, address, chain_id in bulk.rows_by(
            Contract, ("chain_id", "address"), list(addresses), ("id", "address", "chain_id")
        )
    }
    keys = {
        (contracts[contract, chain_id], key): (contract, key, chain_id)
        for contract, key, chain_id in named
        if (contract, chain_id) in contracts
    }
    rows = bulk.rows_by(Nft, ("contract_id", "token_key"), list(keys), ("id", "contract_id", "token_key"))
    return {keys[contract_id, key]: nft_id for nft_id, contract_id, key in rows}  # type: ignore[misc]


def _rows(chain: ChainRow, placed: Placed) -> Iterator[Row]:
    told = placed.told
    usual = Told._field_defaults
    detail = {
        name: value
        for name, value in told._asdict().items()
        if name not in _IN_COLUMNS and value is not usual.get(name)
    }
    kind = str(told.kind)
    nonces: Sequence[int | None] = told.nonces or (told.nonce,)
    if told.rule == NonceRule.LISTED:
        kind = str(OrderKind.NONCE_ENDED)
    for at, nonce in enumerate(nonces):
        yield Row(
            chain.id,
            placed.block_number,
            told.log_index,
            told.place + at,
            placed.transaction_hash,
            placed.timestamp,
            kind,
            told.market,
            told.exchange,
            told.contract,
            None if told.token_id is None else token_key(str(told.token_id)),
            told.order_hash,
            told.maker,
            told.operator,
            None if nonce is None else uint_key(nonce),
            json.dumps(detail, separators=(",", ":")),
            placed.raw if at == 0 else "",
        )


def detail_of(row: Row) -> dict[str, Any]:
    """Return what an event says besides its columns."""
    found: dict[str, Any] = json.loads(row.detail)
    return found
