"""The asks that order events open, reprice and end: brought into being, and taken back with their events."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key, unscaled
from tokens.models import Ask, CurrencyToken
from tokens.models.ask import FOREVER
from tokens.store.asks import CHAIN
from tokens.store.chains import ChainRow
from tokens.store.facts import AskFacts
from transfers.ledger import past
from transfers.ledger.order_facts import OrderKind
from transfers.ledger.orders import COLUMNS, Row, detail_of, events_by, nfts_named, touched
from transfers.models import OrderEvent


class Forgotten(NamedTuple):
    """What was taken back: the NFTs that it concerned, and asks that are repriced by what is left."""

    nft_ids: set[int]
    repriced: list[AskFacts]


def forget(chain: ChainRow, last_good: int) -> Forgotten:
    """Take back the events of blocks after one, and the asks that they opened. Called within ``writing()``.

    Those that others tell of too go on by the terms that the chain had them at; what contracts were asked about asks,
    they are asked again.
    """
    columns = ", ".join(COLUMNS)
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
    told = sorted(events_by(chain_id, ("exchange",), [(pool,) for pool in pools]))
    quotes = {row.exchange: row for row in told if row.kind == OrderKind.QUOTED}
    own = [(pool, pool, chain_id) for pool in pools]
    named = set(bulk.rows_by(Ask, ("maker", "exchange", "chain_id"), own, ("order_hash",)))
    named |= {(one.name,) for one in events if one.exchange in pools and one.kind == OrderKind.OPENED}
    told = sorted(events_by(chain_id, ("order_hash",), named))
    opened = {row.name: row for row in told if row.kind == OrderKind.OPENED}
    for row in opened.values():
        yield row, [quotes[row.exchange]] if row.exchange in quotes else []


def _first_purchase(one: Row) -> int | None:
    """Return when the first of an order was bought, in Unix seconds: from then on some stay open for a while."""
    rows = events_by(one.chain_id, ("order_hash",), [(one.order_hash,)])
    return min((row.timestamp for row in rows if row.kind == OrderKind.ENDED), default=None)


def _opened(chain_id: int, events: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """Return the openings among events, and those that repriced ones are of, each with all that repriced it."""
    terms = [one for one in events if one.kind in _TERMS]
    nfts = {(one.exchange, one.contract, one.token_key) for one in terms if one.token_key is not None}
    kept = set(events_by(chain_id, ("exchange", "contract", "token_key"), nfts))
    # Of an NFT's orders those that have a name are repriced by it alone.
    orders = {(one.order_hash,) for one in (*terms, *kept) if one.order_hash and one.kind in _TERMS}
    kept.update(events_by(chain_id, ("order_hash",), orders))
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
