"""Writing asks: rows by their identity, merged field by field with what is stored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.db import bulk
from core.db.keys import scaled, uint_from_key, uint_key
from tokens.models import Ask, Chain, Contract, Nft
from tokens.models.ask import FOREVER
from tokens.prices.currency_worths import currency_rows, keyed_worths
from tokens.prices.lines import line_of
from tokens.prices.pricing import Worth
from tokens.store.facts import UNSET, AskFacts, Refuse, united
from tokens.store.nfts import NftIds, NftRow
from tokens.store.rates import rekey
from tokens.store.registers import currency_ids, market_ids

Key = tuple[str, int, int]
"""Identity of an ask: order hash, marketplace id, chain id."""

KEY_COLUMNS = ("order_hash", "market_id", "chain_id")
OPEN = "open"
LOADED = "load"
"""The source of an ask that says none."""
CHAIN = "chain"
"""The source of an ask of which logs alone tell."""


class Row(NamedTuple):
    """A row of the table as the database holds it."""

    id: int
    chain_id: int
    contract_id: int
    nft_id: int
    market_id: int
    order_hash: str
    currency_id: int
    price: str
    price_key: str
    start_price: str | None
    end_price: str | None
    price_from: int | None
    price_until: int | None
    stated_amount: str | None
    stated_status: str
    reflects: str
    status: str
    active: bool
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
    source: str
    seen_at: int | None
    gone_at: int | None
    opened_block: int | None
    opened_log: int | None
    valid_from: int
    valid_until: int

    @property
    def key(self) -> Key:
        return self.order_hash, self.market_id, self.chain_id


COLUMNS = Row._fields


def write(facts: Sequence[AskFacts], nfts: NftIds, refuse: Refuse) -> set[int]:
    """Write asks, in the order of their lines, and return the NFTs whose asks changed.

    A field that is not mentioned keeps what is stored, ``None`` clears it; an ask that is filled or cancelled is not
    reopened. An ask that a log opened has its terms from there, whoever else tells of it, before or after; its source
    is then who else does. Unknown marketplaces and currencies are registered. ``refuse`` is called for facts of an
    unknown ask that together lack what a row needs.

    What follows from it (amount left, status, reason, whether it is active) is as before until ``derive.refresh`` has
    seen the NFTs that are returned. Called within ``writing()``.
    """
    if not facts:
        return set()
    rekey()
    return _Batch(facts, nfts, refuse).run(facts)


def unchanged(facts: Sequence[AskFacts]) -> dict[int, int]:
    """Return which facts say no more of a stored ask than that it was seen again, by place, with the ask's id.

    When it was found gone, and the price of one that changes with time, do not count either. Called within
    ``writing()``.
    """
    if not facts:
        return {}
    batch = _Batch(facts, NftIds(), lambda *_, **__: None)
    nfts = {row.nft_id for row in batch.stored.values()}
    columns = ("id", "contract_id", "token_key")
    homes = {row[0]: row[1:] for row in bulk.rows_by(Nft, ("id",), [(one,) for one in nfts], columns)}
    addresses: dict[int, str] = dict(
        bulk.rows_by(Contract, ("id",), list({home[:1] for home in homes.values()}), ("id", "address"))
    )
    found = {}
    for place, one in enumerate(facts):
        row = batch.stored_as(one)
        if row is not None and batch.is_unchanged(row, one):
            contract_id, token_key = homes[row.nft_id]
            is_opened = row.opened_block is not None
            told = (one.address, one.token_key)
            if is_opened or all(
                new in (UNSET, old)
                for new, old in zip(told, (addresses[contract_id], token_key), strict=True)
            ):
                found[place] = row.id
    return found


class _Batch:
    """Rows under construction: ``stored`` as they are in the database, ``rows`` as they shall be."""

    def __init__(self, facts: Sequence[AskFacts], nfts: NftIds, refuse: Refuse) -> None:
        self.nfts = nfts
        self.refuse = refuse
        slugs = {one.chain for one in facts}
        self.chains = dict(Chain.objects.filter(slug__in=slugs).values_list("slug", "id"))
        self.markets = market_ids(one.marketplace for one in facts)
        self.currencies = currency_ids(one.currency for one in facts if one.currency is not UNSET)
        self.now = int(time.time())
        self.worths: dict[int, Worth] = keyed_worths(currency_rows(self.now))
        keys = {self._key(one) for one in facts if one.chain in self.chains}
        stored = map(Row._make, bulk.rows_by(Ask, KEY_COLUMNS, list(keys), COLUMNS))
        self.stored = {row.key: row for row in stored}
        self.rows: dict[Key, Row] = dict(self.stored)
        self.new: list[Key] = []
        self.waiting: dict[Key, list[AskFacts]] = {}
        """Facts of unknown asks that lack what a row needs."""

    def run(self, facts: Sequence[AskFacts]) -> set[int]:
        for one in facts:
            self._take(one)
        for parts in self.waiting.values():
            for one in parts:
                lacking = _lacking(one, None if one.identity is None else self.nfts.rows[one.identity])
                needed = lacking or "what other lines of it leave out"
                self.refuse(one, f"An ask that is not yet known needs {needed}.", waits=True)
        ids = dict(zip(self.new, bulk.take_ids(Ask, len(self.new)), strict=True))
        new = [self.rows[key]._replace(id=ids[key]) for key in self.new]
        bulk.copy_rows(Ask, COLUMNS, new)
        differing = [row for key, row in self.rows.items() if key in self.stored and row != self.stored[key]]
        bulk.update_rows(Ask, COLUMNS, differing)
        touched = {row.nft_id for row in (*new, *differing)}
        return touched | {self.stored[row.key].nft_id for row in differing}

    def stored_as(self, one: AskFacts) -> Row | None:
        """Return the row of the ask that facts are of."""
        return self.stored.get(self._key(one)) if one.chain in self.chains else None

    def is_unchanged(self, row: Row, one: AskFacts) -> bool:
        """Tell whether facts, apart from those of its NFT, leave a row as it is but for what changes by itself."""
        after = self._merge(row, one, None)
        by_itself: dict[str, Any] = {"seen_at": after.seen_at, "price_key": after.price_key}
        if row.end_price is not None and after.end_price is not None:
            by_itself["price"] = after.price
        if None not in (row.gone_at, after.gone_at):
            by_itself["gone_at"] = after.gone_at
        return row._replace(**by_itself) == after

    def _take(self, one: AskFacts) -> None:
        if one.chain not in self.chains:
            self.refuse(one, f"The chain {one.chain} is not known.")
            return
        key = self._key(one)
        nft = None if one.identity is None else self.nfts.rows[one.identity]
        before = self.rows.get(key)
        if before is None:
            parts = self.waiting.setdefault(key, [])
            parts.append(one)
            one = united(parts)
            nft = None if one.identity is None else self.nfts.rows[one.identity]
            if _lacking(one, nft):
                return
            del self.waiting[key]
            before = _blank(*key)
            self.new.append(key)
        self.rows[key] = self._merge(before, one, nft)

    def _key(self, one: AskFacts) -> Key:
        return one.order_hash, self.markets[one.marketplace], self.chains[one.chain]

    def _merge(self, row: Row, one: AskFacts, nft: NftRow | None) -> Row:
        if row.opened_block is not None and one.opened is UNSET:
            one, nft = _beside(one, row), None
        elif one.opened is not UNSET and row.nft_id is not None and row.source != CHAIN:
            one = replace(one, source=UNSET)
        changes: dict[str, Any] = {
            name: value for name in _PLAIN if (value := getattr(one, name)) is not UNSET
        }
        if nft is not None:
            changes |= {"contract_id": nft.contract_id, "nft_id": nft.id}
        if one.currency is not UNSET:
            changes["currency_id"] = self.currencies[one.currency]
        for name, empty in _DEFAULTS.items():
            if (value := getattr(one, name)) is not UNSET:
                changes[name] = empty if value is None else value
        for name in _NUMBERS:
            if (value := getattr(one, name)) is not UNSET:
                changes[name] = None if value is None else uint_key(value)
        if one.opened is not UNSET:
            changes["opened_block"], changes["opened_log"] = one.opened
        is_over = row.stated_status == OPEN != row.status
        if one.amount is not UNSET and not is_over:  # what fills or events have closed no amount reopens
            amount = None if one.amount is None else uint_key(one.amount)
            # What a log opens is untouched, whenever its fills are read.
            changes |= {"stated_amount": amount, "reflects": "" if one.opened is UNSET else "[]"}
        if one.status is not UNSET and (row.stated_status == OPEN or one.status not in (OPEN, None)):
            changes["stated_status"] = one.status or OPEN
        return self._priced(row._replace(**changes), one)

    def _priced(self, row: Row, one: AskFacts) -> Row:
        """Return an ask with its price as of now, and its sort key."""
        start = row.start_price or row.price if one.price is UNSET else uint_key(scaled(one.price))
        end = row.end_price
        if one.end_price is not UNSET:
            end = None if one.end_price is None else uint_key(scaled(one.end_price))
        row = row._replace(price=start, start_price=None if end is None else start, end_price=end)
        line = line_of(row.start_price, row.end_price, row.price_from, row.price_until)
        if line is not None:
            row = row._replace(price=uint_key(line.at(self.now)))
        return row._replace(price_key=self.worths[row.currency_id].price_key(uint_from_key(row.price)))


def _beside(one: AskFacts, row: Row) -> AskFacts:
    """Return what facts add to an ask that a log opened."""
    source = LOADED if one.source is UNSET and row.source == CHAIN else one.source
    return AskFacts(
        *(one.chain, one.marketplace, one.order_hash),
        status=one.status,
        source=source,
        seen_at=one.seen_at,
        gone_at=one.gone_at,
    )


_PLAIN = (
    "maker",
    "taker",
    "holder",
    "operator",
    "approved",
    "exchange",
    "price_from",
    "price_until",
    "seen_at",
    "gone_at",
)
"""Columns that hold what was stated as it is."""
_NUMBERS = ("nonce", "offered", "lot")
_DEFAULTS = {"valid_from": 0, "valid_until": FOREVER, "wakes": True, "source": LOADED}
"""Columns that hold something else where nothing is stated."""


def _blank(order_hash: str, market_id: int, chain_id: int) -> Row:
    """Return a new ask of which nothing but its identity is known; whether it is live, the ledger works out."""
    unknown = dict.fromkeys(Row._fields)
    known = {"order_hash": order_hash, "market_id": market_id, "chain_id": chain_id, "id": 0, "active": False}
    texts = {"price": uint_key(0), "price_key": "", "stated_status": OPEN, "status": OPEN, "reflects": ""}
    return Row(**(unknown | known | texts | _DEFAULTS))  # type: ignore[arg-type]


def _lacking(one: AskFacts, nft: NftRow | None) -> str:
    names = (
        ("tokenId and its contract", nft is None),
        ("currency", one.currency is UNSET),
        ("price", one.price is UNSET),
    )
    return ", ".join(name for name, lacks in names if lacks)
