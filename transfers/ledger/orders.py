"""Order events of the chain: kept, and the asks that they open, reprice and end brought into being and into line."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from core.db import bulk
from core.db.keys import token_key, uint_from_key, uint_key, unscaled
from tokens.models import Ask, Contract, CurrencyToken, Nft
from tokens.models.ask import FOREVER
from tokens.store.asks import CHAIN
from tokens.store.chains import ChainRow
from tokens.store.facts import AskFacts
from transfers.ledger import asks, past
from transfers.ledger.order_facts import NonceRule, OrderKind
from transfers.ledger.order_facts import OrderEvent as Told
from transfers.models import OrderEvent

_PLACE = ("chain_id", "block_number", "log_index", "place")
_COLUMNS = (
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
    bulk.copy_rows(OrderEvent, _COLUMNS, new)
    return new


def events_by(chain: ChainRow, columns: tuple[str, ...], keys: Iterable[tuple[Any, ...]]) -> list[Row]:
    """Return the events that have one of some keys in columns, the chain's id being added to both."""
    wanted = [(*key, chain.id) for key in keys]
    return list(map(Row._make, bulk.rows_by(OrderEvent, (*columns, "chain_id"), wanted, _COLUMNS)))


def drop(rows: Iterable[Row]) -> None:
    """Delete events. Called within ``writing()``."""
    bulk.delete_rows(OrderEvent, _PLACE, [row[: len(_PLACE)] for row in rows])


class Forgotten(NamedTuple):
    """What was taken back: the NFTs that it concerned, and asks that are repriced by what is left."""

    nft_ids: set[int]
    repriced: list[AskFacts]


def forget(chain: ChainRow, last_good: int) -> Forgotten:
    """Take back the events of blocks after one, and the asks that they opened. Called within ``writing()``.

    Those that others tell of too go on by the terms that the chain had them at; what contracts were asked about asks,
    they are asked again.
    """
    columns = ", ".join(_COLUMNS)
    gone = [
        Row._make(row)
        for row in bulk.fetch(
            f"SELECT {columns} FROM {OrderEvent._meta.db_table} WHERE chain_id = %s AND block_number > %s",
            [chain.id, last_good],
        )
    ]
    nft_ids = touched(gone)
    bulk.update_rows(Ask, ("nft_id", "check_at"), [(nft_id, 0) for nft_id in sorted(nft_ids)])
    OrderEvent.objects.filter(chain_id=chain.id, block_number__gt=last_good).delete()
    opened = [(one.name, chain.id) for one in gone if one.kind == OrderKind.OPENED]
    rows = bulk.rows_by(Ask, ("order_hash", "chain_id"), opened, ("id", "source"))
    bulk.delete_rows(Ask, ("id",), [(row_id,) for row_id, source in rows if source == CHAIN])
    told = [(row_id, None, None) for row_id, source in rows if source != CHAIN]
    bulk.update_rows(Ask, ("id", "opened_block", "opened_log"), told)
    return Forgotten(nft_ids, asks_of(chain, [one for one in gone if one.kind in _TERMS]))


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


def asks_of(chain: ChainRow, events: Sequence[Row]) -> list[AskFacts]:
    """Return the asks that events open or reprice, as all that is kept of them says.

    What is priced in a token that is no known currency opens none, and is gone where it was priced in another before:
    its event is kept, and tells why.
    """
    opened = [*_opened(chain.id, events), *_quoted(chain.id, events)]
    found = [(one, repriced, _terms(one, repriced)) for one, repriced in opened]
    named = {terms.get("currency") for one, _, now in found for terms in (detail_of(one), now)}
    currencies = currencies_at(chain.id, named)
    makers = _makers([one for one, _, _ in found if one.maker is None])
    facts = []
    for one, repriced, terms in found:
        detail = terms
        if "lasts" in detail and (begun := _first_purchase(one)) is not None:
            detail["valid_until"] = begun + detail["lasts"]
        if detail.get("currency") not in currencies:  # repriced in what is none: at no price that can be told
            detail = detail_of(one) | {"gone": bool(repriced)}
        if detail.get("currency") in currencies and one.contract and one.token_key:
            facts.append(_facts(chain, one, detail, currencies[detail["currency"]], makers))
    return facts


def _terms(one: Row, repriced: Sequence[Row]) -> dict[str, Any]:
    """Return what an order was opened at, as whatever repriced it has it now."""
    detail = detail_of(one)
    for later in map(detail_of, repriced):
        if _TIMES & later.keys():  # told anew, all of them
            detail = {name: value for name, value in detail.items() if name not in _TIMES}
        detail |= later
    return detail


_TIMES = frozenset(("valid_from", "valid_until", "lasts"))


def _quoted(chain_id: int, events: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Yield what pools hold, or held, that were quoted or got something, each with the newest quote of its pool."""
    pools = {one.exchange for one in events if one.kind == OrderKind.QUOTED}
    pools |= {one.exchange for one in events if one.kind == OrderKind.OPENED and one.exchange == one.maker}
    keys = [(pool, chain_id) for pool in pools]
    quotes: dict[str, Row] = {}
    for row in sorted(map(Row._make, bulk.rows_by(OrderEvent, ("exchange", "chain_id"), keys, _COLUMNS))):
        if row.kind == OrderKind.QUOTED:
            quotes[row.exchange] = row
    own = [(pool, pool, chain_id) for pool in pools]
    named = set(bulk.rows_by(Ask, ("maker", "exchange", "chain_id"), own, ("order_hash", "chain_id")))
    named |= {
        (one.name, chain_id) for one in events if one.exchange in pools and one.kind == OrderKind.OPENED
    }
    opened: dict[str, Row] = {}
    for row in sorted(
        map(Row._make, bulk.rows_by(OrderEvent, ("order_hash", "chain_id"), list(named), _COLUMNS))
    ):
        if row.kind == OrderKind.OPENED:
            opened[row.name] = row
    for row in opened.values():
        yield row, [quotes[row.exchange]] if row.exchange in quotes else []


def _first_purchase(one: Row) -> int | None:
    """Return when the first of an order was bought, in Unix seconds: from then on some stay open for a while."""
    rows = bulk.rows_by(
        OrderEvent, ("order_hash", "chain_id"), [(one.order_hash, one.chain_id)], ("kind", "timestamp")
    )
    return min((moment for kind, moment in rows if kind == OrderKind.ENDED), default=None)


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


def _opened(chain_id: int, events: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """Return the openings among events, and those that repriced ones are of, each with all that repriced it."""
    nfts = {
        (one.exchange, one.contract, one.token_key, chain_id)
        for one in events
        if one.token_key is not None and one.kind in _TERMS
    }
    columns = ("exchange", "contract", "token_key", "chain_id")
    kept = set(map(Row._make, bulk.rows_by(OrderEvent, columns, list(nfts), _COLUMNS)))
    # Of an NFT's orders those that have a name are repriced by it alone.
    orders = {(one.order_hash, chain_id) for one in (*events, *kept) if one.order_hash and one.kind in _TERMS}
    kept.update(map(Row._make, bulk.rows_by(OrderEvent, ("order_hash", "chain_id"), list(orders), _COLUMNS)))
    told = sorted(kept, key=lambda row: (row.block_number, row.log_index, row.place))
    found: dict[str, tuple[Row, list[Row]]] = {}
    newest: dict[tuple[str, str | None, str | None], str] = {}
    for one in told:
        place = one.exchange, one.contract, one.token_key
        if one.kind == OrderKind.OPENED and one.exchange != one.maker:  # what a pool holds is ``_quoted``
            found[one.name] = one, []
            newest[place] = one.name
        elif one.kind == OrderKind.REPRICED:
            name = one.order_hash or newest.get(place)
            if name in found:
                found[name][1].append(one)
    return list(found.values())


_TERMS = frozenset((OrderKind.OPENED, OrderKind.REPRICED, OrderKind.ENDED, OrderKind.QUOTED))
"""What an ask's terms may follow from: some last from their first purchase on."""


class Currency(NamedTuple):
    """What an order is priced in."""

    symbol: str
    decimals: int


def currencies_at(chain_id: int, addresses: Iterable[str | None] | None = None) -> dict[str, Currency]:
    """Return the known currencies of a chain by their contracts: those at some addresses, or all."""
    rows = CurrencyToken.objects.filter(chain_id=chain_id)
    if addresses is not None:
        rows = rows.filter(address__in=[address for address in addresses if address is not None])
    return {
        address: Currency(symbol, decimals)
        for address, symbol, decimals in rows.values_list("address", "currency__symbol", "decimals")
    }


def _makers(rows: Sequence[Row]) -> Mapping[tuple[int, int, int], str]:
    """Return who offered an NFT where the log does not say: who held it then, or brought it into escrow.

    By block, log index and place of the opening.
    """
    nfts = nfts_named((one.contract, one.token_key, one.chain_id) for one in rows)
    histories = past.histories(set(nfts.values()))
    found = {}
    for one in rows:
        nft_id = nfts.get((one.contract or "", one.token_key or "", one.chain_id))
        held: list[str | None] = []
        for event in histories.get(nft_id or 0, ()):
            if (event.block, event.log_index) <= (one.block_number, one.log_index):
                held = [event.sender, event.receiver]
        if held:
            who = held[0] if held[1] == detail_of(one).get("holder") else held[1]
            if who is not None:
                found[one.block_number, one.log_index, one.place] = who
    return found


def _facts(
    chain: ChainRow,
    one: Row,
    detail: Mapping[str, Any],
    currency: Currency,
    makers: Mapping[tuple[int, int, int], str],
) -> AskFacts:
    price, end = detail.get("price") or 0, detail.get("end_price")
    lot = detail.get("lot", 1)
    seconds = detail.get("price_seconds")
    facts = AskFacts(chain.slug, one.market, one.name)
    contract, key = one.contract or "", one.token_key or ""
    facts.address, facts.token_key, facts.identity = contract, key, (chain.slug, contract, key)
    facts.currency, facts.price = currency.symbol, whole(price, currency, lot)
    facts.end_price = None if end is None else whole(end, currency, lot)
    facts.price_from = detail.get("price_from") or (None if seconds is None else one.timestamp)
    facts.price_until = detail.get("price_until") or (None if seconds is None else one.timestamp + seconds)
    facts.amount = facts.offered = lot * (detail.get("units") or 1)
    facts.lot = None if lot == 1 else lot
    facts.maker = one.maker or makers.get((one.block_number, one.log_index, one.place))
    facts.taker, facts.holder, facts.operator = detail.get("taker"), detail.get("holder"), one.operator
    facts.exchange = one.exchange
    facts.nonce = None if one.nonce is None else uint_from_key(one.nonce)
    facts.valid_from = detail.get("valid_from") or one.timestamp
    facts.valid_until = min(detail.get("valid_until") or FOREVER, FOREVER)
    facts.wakes = detail.get("wakes", True)
    facts.source = CHAIN
    # A pool may sell nothing now; and what no other source tells of may be priced in what is no known currency now.
    if one.exchange == one.maker or one.order_hash is None:
        is_gone = detail.get("gone") or detail.get("price") is None
        facts.gone_at = one.timestamp if is_gone else None
    facts.opened = one.block_number, one.log_index
    return facts


def whole(base_units: int, currency: Currency, lot: int) -> Decimal:
    """Return what one unit of a lot costs in whole units of a currency, cut to the 18 places that an ask has."""
    return unscaled(base_units * 10**18 // (10**currency.decimals * lot))
