"""What facets say, read at a bounded cost: numbers that are kept, ends of indexes, and counts that stop early.

All statements together touch a few hundred pages of the database, however much a contract has: ``docs/performance.md``.
"""

# ruff: noqa: S608 - statements are written here; values are parameters

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from core.db.keys import uint_from_key, unscaled
from core.db.keyset import Lists, concatenate, merge
from core.db.reading import fetched
from core.db.statements import Slot
from tokens.models import Ask, Chain, Contract, Currency, Market, NftMarket, TraitValue
from tokens.models.trait import KIND, pair_key

VALUES = 20
"""Values of a kind that a facet shows: the most frequent ones."""
KINDS = 20
"""Kinds of traits of a contract that are shown, in the order of their names."""
SOUGHT = 500
"""Most frequent values of a kind in which a text is looked for."""
MARKETS = 60
"""Marketplaces that are looked for in a contract, the first that became known."""
CURRENCIES = 6
"""Currencies of a contract's asks that are told apart."""
COUNTED = 150
"""Live asks of a currency up to which they are counted."""
_SEEN = 1_500
"""Asks of a currency, ended ones among them, in which live ones are looked for."""
_NEAR = 50
"""Postings and asks of a contract at a marketplace in which one is looked for that a query would find."""
_LIVE = "valid_from <= %(now)s AND valid_until > %(now)s"
_LONG_WORD = re.compile(r"[0-9A-Za-z_-]{40}")
_ENDS = 20
"""Asks from either end of the prices among which the first live one is looked for."""


class Trait(NamedTuple):
    """A trait of a contract, and how many NFTs have it."""

    kind: str
    value: str
    nfts: int


class Offer(NamedTuple):
    """Live asks of a contract in one currency: how many, ``COUNTED`` at most, and the ends of their prices.

    ``family`` is the native currency where this one wraps it: a query for that one finds these too.
    """

    symbol: str
    family: str
    asks: int
    lowest: Decimal | None
    highest: Decimal | None


def kinds(contract_id: int) -> list[str]:
    """Return the first kinds of a contract's traits, by the beginnings of their names: a step of an index each."""
    kind, table = "substr(v.type, 1, 60)", TraitValue._meta.db_table
    first = f"SELECT {kind} FROM {table} v WHERE v.contract_id = %(contract)s"
    rows = fetched(
        f"WITH RECURSIVE found(kind, place) AS ("
        f"SELECT * FROM (SELECT ({first} ORDER BY {kind} LIMIT 1), 1) begin UNION ALL "
        f"SELECT ({first} AND {kind} > found.kind ORDER BY {kind} LIMIT 1), place + 1 FROM found "
        f"WHERE found.kind IS NOT NULL AND place < %(most)s) "
        f"SELECT kind FROM found WHERE kind IS NOT NULL ORDER BY place",
        {"contract": contract_id, "most": KINDS + 1},
    )
    return [row[0] for row in rows]


def frequent(contract_id: int, beginnings: Sequence[str]) -> list[Trait]:
    """Return the most frequent values of each kind of traits (one more than are shown), in no order."""
    rows = _values(contract_id, VALUES + 1)
    found = concatenate([Lists(rows, [{"kind": one} for one in beginnings])])
    return [Trait._make(row) for row in found if not leads_away(row[1])]


def containing(contract_id: int, kind: str, text: str) -> list[Trait]:
    """Return frequent values of a kind that hold a text in any letter case, and the one that is just that text."""
    rows = concatenate([Lists(_values(contract_id, SOUGHT), [{"kind": kind[:60]}])])
    known = [Trait._make(row) for row in rows]
    exact = TraitValue.objects.filter(contract_id=contract_id, pair_key=pair_key(kind, text))
    known += [Trait._make(row) for row in exact.values_list("type", "value", "count")]
    found = {
        one
        for one in known
        if one.kind == kind and text.casefold() in one.value.casefold() and not leads_away(one.value)
    }
    return by_count(found)[: VALUES + 1]


def leads_away(value: str) -> bool:
    """Tell whether a value has an address of content in it, or what is as long as the name of one.

    It is left out: it may be that of media which an operator withholds, and nobody chooses by it.
    """
    return "://" in value or "data:" in value.casefold() or _LONG_WORD.search(value) is not None


def by_count(traits: Iterable[Trait]) -> list[Trait]:
    """Return traits with the most frequent first."""
    return sorted(traits, key=lambda one: (-one.nfts, one.value))


def _values(contract_id: int, most: int) -> QuerySet[TraitValue, Any]:
    rows = TraitValue.objects.alias(beginning=KIND).filter(contract_id=contract_id, beginning=Slot("kind"))
    return rows.order_by("-count", "id").values_list("type", "value", "count")[:most]


def markets(contract_id: int, now: int) -> list[str]:
    """Return the marketplaces on which a query finds NFTs of a contract: traded there, or with a live ask.

    One with more postings than are looked at is named unseen.
    """
    postings, asks = NftMarket._meta.db_table, Ask._meta.db_table
    here = "market_id = m.id AND contract_id = %(contract)s"
    posted = f"SELECT traded FROM {postings} WHERE {here} ORDER BY recent_key LIMIT {_NEAR}"
    asked = (
        f"SELECT valid_from, valid_until FROM {asks} WHERE {here} AND active ORDER BY price_key LIMIT {_NEAR}"
    )
    rows = fetched(
        f"SELECT m.slug FROM (SELECT id, slug FROM {Market._meta.db_table} ORDER BY id LIMIT {MARKETS}) m "
        f"WHERE EXISTS (SELECT 1 FROM ({posted}) near WHERE traded) "
        f"OR EXISTS (SELECT 1 FROM ({asked}) near WHERE {_LIVE}) "
        f"OR (SELECT count(*) FROM ({posted}) near) = {_NEAR}",
        {"contract": contract_id, "now": now},
    )
    return sorted(row[0] for row in rows)


def offers(contract_id: int, now: int) -> list[Offer]:
    """Return the live asks of a contract by currency, most first."""
    asks, currencies = Ask._meta.db_table, Currency._meta.db_table
    of_contract = f"FROM {asks} a WHERE a.contract_id = %(contract)s AND a.active"
    of_one = f"{of_contract} AND a.currency_id = found.id"
    step = "ORDER BY a.currency_id LIMIT 1"

    def end(function: str, way: str) -> str:
        near = f"SELECT a.price, a.valid_from, a.valid_until {of_one} ORDER BY a.price {way} LIMIT {_ENDS}"
        return f"(SELECT {function}(price) FROM ({near}) near WHERE {_LIVE})"

    cut = f"SELECT a.valid_from, a.valid_until {of_one} LIMIT {_SEEN}"
    counted = f"SELECT 1 FROM ({cut}) cut WHERE {_LIVE} LIMIT {COUNTED}"
    rows = fetched(
        f"WITH RECURSIVE found(id, place) AS ("
        f"SELECT * FROM (SELECT (SELECT a.currency_id {of_contract} {step}), 1) begin UNION ALL "
        f"SELECT (SELECT a.currency_id {of_contract} AND a.currency_id > found.id {step}), place + 1 FROM found "
        f"WHERE found.id IS NOT NULL AND place < {CURRENCIES}) "
        f"SELECT c.symbol, coalesce(w.symbol, c.symbol), (SELECT count(*) FROM ({counted}) counted), "
        f"{end('min', 'ASC')}, {end('max', 'DESC')} "
        f"FROM found JOIN {currencies} c ON c.id = found.id LEFT JOIN {currencies} w ON w.id = c.wraps_id",
        {"contract": contract_id, "now": now},
    )
    found = [Offer(*row[:3], *(key and unscaled(uint_from_key(key)) for key in row[3:])) for row in rows]
    return sorted((one for one in found if one.asks), key=lambda one: (-one.asks, one.symbol))


class Collection(NamedTuple):
    """A contract as pages name it."""

    chain: str
    address: str
    name: str
    nfts: int


def collections(chain: str | None) -> list[Collection]:
    """Return the largest collections, of one chain or of all: so many that a facet is full."""
    chains = Chain.objects.all() if chain is None else Chain.objects.filter(slug=chain)
    rows = Contract.objects.filter(chain_id=Slot("chain")).order_by("-nft_count", "-id")
    lists = Lists(
        rows.values_list("nft_count", "id")[: VALUES + 1],
        [{"chain": row_id} for row_id in chains.values_list("id", flat=True)],
    )
    ids = [row[1] for row in merge([lists], VALUES + 1, descending=True)] if lists.fillings else []
    found = Contract.objects.filter(pk__in=ids).exclude(address="").order_by("-nft_count", "-id")
    columns = found.values_list("chain__slug", "address", "name", "nft_count", "symbol")
    return [Collection(*row[:2], row[2] or row[4] or row[1], row[3]) for row in columns[:VALUES]]


def named(contract_ids: Sequence[int]) -> list[Collection]:
    """Return what contracts are called, the largest first."""
    rows = Contract.objects.filter(pk__in=contract_ids).order_by("-nft_count")
    columns = rows.annotate(slug=F("chain__slug")).values_list(
        "slug", "address", "name", "nft_count", "symbol"
    )
    return [Collection(*row[:2], row[2] or row[4] or row[1], row[3]) for row in columns]
