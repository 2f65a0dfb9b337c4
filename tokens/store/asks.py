"""Writing asks: rows by their identity, merged field by field with what is stored."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import scaled, uint_from_key, uint_key
from tokens.models import Ask, Chain
from tokens.models.ask import FOREVER
from tokens.prices.currency_worths import currency_rows, keyed_worths
from tokens.prices.pricing import Worth
from tokens.store.facts import UNSET, AskFacts, Refuse, united
from tokens.store.nfts import NftIds, NftRow
from tokens.store.rates import rekey
from tokens.store.registers import currency_ids, market_ids

Key = tuple[str, int, int]
"""Identity of an ask: order hash, marketplace id, chain id."""

KEY_COLUMNS = ("order_hash", "market_id", "chain_id")
OPEN = "open"


class StatedAsk(NamedTuple):
    """Amount and status of an ask as they were stated.

    ``reflects``: the transactions whose fills were known by then, so that the amount is less them already; ``None``:
    not worked out yet.
    """

    amount: str | None
    status: str
    reflects: frozenset[str] | None = None

    @classmethod
    def of_text(cls, text: str) -> StatedAsk:
        """Return what an ask's ``stated`` says."""
        amount, status, reflects = json.loads(text)
        return cls(amount, status, None if reflects is None else frozenset(reflects))

    def text(self) -> str:
        """Return it as an ask's ``stated``."""
        reflects = None if self.reflects is None else sorted(self.reflects)
        return json.dumps((self.amount, self.status, reflects), separators=(",", ":"))


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
    amount: str | None
    maker: str | None
    valid_from: int
    valid_until: int
    status: str
    stated: str | None
    active: bool
    sole: bool

    @property
    def key(self) -> Key:
        """The ask's identity."""
        return self.order_hash, self.market_id, self.chain_id


COLUMNS = Row._fields


def write(facts: Sequence[AskFacts], nfts: NftIds, refuse: Refuse) -> set[int]:
    """Write asks, in the order of their lines, and return the NFTs whose asks changed.

    A field that is not mentioned keeps what is stored, ``None`` clears it; an ask that is filled or cancelled is not
    reopened. Unknown marketplaces and currencies are registered. ``refuse`` is called for facts of an unknown ask
    that together lack what a row needs.

    ``active`` and ``sole`` are provisional until ``derive.refresh`` has seen the NFTs
    that are returned, since they also depend on their owners and other asks. Called within ``writing()``.
    """
    if not facts:
        return set()
    rekey()
    return _Batch(facts, nfts, refuse).run(facts)


class _Batch:
    """Rows under construction: ``stored`` as they are in the database, ``rows`` as they shall be."""

    def __init__(self, facts: Sequence[AskFacts], nfts: NftIds, refuse: Refuse) -> None:
        self.nfts = nfts
        self.refuse = refuse
        slugs = {one.chain for one in facts}
        self.chains = dict(Chain.objects.filter(slug__in=slugs).values_list("slug", "id"))
        self.markets = market_ids(one.marketplace for one in facts)
        self.currencies = currency_ids(one.currency for one in facts if one.currency is not UNSET)
        self.worths: dict[int, Worth] = keyed_worths(currency_rows(int(time.time())))
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
            hash_, market_id, chain_id = key
            before = Row(
                *(
                    0,
                    chain_id,
                    0,
                    0,
                    market_id,
                    hash_,
                    0,
                    uint_key(0),
                    "",
                    None,
                    None,
                    0,
                    FOREVER,
                    OPEN,
                    None,
                ),
                active=True,
                sole=False,
            )
            self.new.append(key)
        self.rows[key] = self._merge(before, one, nft)

    def _key(self, one: AskFacts) -> Key:
        return one.order_hash, self.markets[one.marketplace], self.chains[one.chain]

    def _merge(self, row: Row, one: AskFacts, nft: NftRow | None) -> Row:
        currency_id = row.currency_id if one.currency is UNSET else self.currencies[one.currency]
        price = uint_from_key(row.price) if one.price is UNSET else scaled(one.price)
        amount = row.amount
        said = None if row.stated is None else StatedAsk.of_text(row.stated)
        is_filled = said is not None and said.status == OPEN != row.status
        if one.amount is not UNSET and not is_filled:  # what fills have closed no amount reopens
            amount = None if one.amount is None else uint_key(one.amount)
        valid_from, valid_until, status = row.valid_from, row.valid_until, row.status
        if one.valid_from is not UNSET:
            valid_from = one.valid_from or 0
        if one.valid_until is not UNSET:
            valid_until = FOREVER if one.valid_until is None else one.valid_until
        if one.status is not UNSET and (status == OPEN or one.status not in (OPEN, None)):
            status = one.status or OPEN
        if said is not None and not is_filled:
            said = StatedAsk(amount, status) if one.amount is not UNSET else said._replace(status=status)
        elif said is not None and one.status not in (UNSET, OPEN, None):
            said = said._replace(status=status)
        merged = row._replace(
            contract_id=row.contract_id if nft is None else nft.contract_id,
            nft_id=row.nft_id if nft is None else nft.id,
            currency_id=currency_id,
            price=uint_key(price),
            amount=amount,
            maker=row.maker if one.maker is UNSET else one.maker,
            valid_from=valid_from,
            valid_until=valid_until,
            status=status,
            stated=None if said is None else said.text(),
        )
        if status != OPEN:
            # It is never live again: its key rests as it is, its check constraint wants it inactive.
            resting = row.price_key or self._price_key(merged)
            return merged._replace(active=False, sole=False, price_key=resting)
        if merged == row:
            return row
        return merged._replace(price_key=self._price_key(merged), active=_has_units(amount))

    def _price_key(self, row: Row) -> str:
        return self.worths[row.currency_id].price_key(uint_from_key(row.price))


def _has_units(amount: str | None) -> bool:
    return amount is None or amount != uint_key(0)


def _lacking(one: AskFacts, nft: NftRow | None) -> str:
    names = (
        ("tokenId and its contract", nft is None),
        ("currency", one.currency is UNSET),
        ("price", one.price is UNSET),
    )
    return ", ".join(name for name, lacks in names if lacks)
