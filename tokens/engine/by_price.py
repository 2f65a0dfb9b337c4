"""NFTs in the order of their lowest or highest live ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import connection
from django.db.models import BooleanField, Count, Exists, F, Func, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.sql.compiler import SQLCompiler

from core.db.keyset import Lists, after, first_of_each, merge, sifted
from tokens.engine.ask_conditions import below, live_asks, priced_within, within
from tokens.engine.conditions import Walked, filtered
from tokens.engine.scope_lists import (
    SMALL,
    asked_lists,
    ids_of,
    in_scope,
    is_rare,
    market_lists,
    named_by_tokens,
    scopes,
    walks_markets,
)
from tokens.models import Ask, NftTrait
from tokens.query.ordering import Order
from tokens.query.resolving import Resolved

_READ = ("key", "nft_id", "id", "sole", "currency_id", "price")
"""What the conditions on a walked ask look at, its sort key first."""


def walk_asks(
    resolved: Resolved, order: Order, start: tuple[Any, int] | None, size: int
) -> list[tuple[Any, ...]]:
    """Return the first ``size`` NFTs with live asks behind a (price key, NFT id), as such pairs."""
    driver, few = _few(resolved)
    if few is not None:
        nfts = _together(resolved, order, few, driver)
        if start is not None:
            nfts = nfts.filter(after("key", "nft_id", *start))
        return merge([Lists(_ordered(nfts, size))], size)
    lists = ask_lists(resolved)
    asks = lists.query
    if start is not None:
        asks = asks.filter(after("key", "nft_id", *start))
    if resolved.price_keys is not None:
        # An NFT whose ask is within the bounds has no higher lowest ask than that, and no lower highest one.
        bounds = resolved.price_keys
        asks = (
            asks.filter(key__lte=bounds.high) if order.asks == "lowest" else asks.filter(key__gte=bounds.low)
        )
    if len(lists.fillings) == 1 or connection.vendor != "postgresql":
        rows = _decisive(asks, resolved, order)
        return merge([replace(lists, query=_ordered(rows, size))], size)
    # Conditions that stand in every list are planned for every list, which takes longer than to read them.
    merged = replace(lists, query=asks.order_by("key", "nft_id").values_list(*_READ))
    kept = _decisive(Ask.objects.annotate(key=F("price_key")), resolved, order)
    return sifted(merged, ("price_key", *_READ[1:]), _ordered(kept, size))


def _ordered(asks: QuerySet[Any, Any], size: int) -> QuerySet[Any, Any]:
    return asks.order_by("key", "nft_id").values_list("key", "nft_id")[:size]


def _keyed(asks: QuerySet[Any, Any], resolved: Resolved) -> QuerySet[Any, Any]:
    """Return asks with the sort ``key`` that they have at the moment of the request."""
    keyed: QuerySet[Any, Any] = asks.annotate(key=resolved.due.price_key())
    return keyed


def ask_lists(resolved: Resolved) -> Lists:
    """Return the lists of live asks to walk, each with its sort ``key``."""
    if walks_markets(resolved):
        anywhere = live_asks(replace(resolved, market_ids=None))
        return market_lists(resolved, _keyed(anywhere, resolved))
    return Lists(_keyed(live_asks(resolved), resolved).filter(**in_scope(resolved)), scopes(resolved))


def _decisive(asks: QuerySet[Any, Any], resolved: Resolved, order: Order) -> QuerySet[Any, Any]:
    """Keep the asks that decide their NFT's place, of the NFTs that match."""
    # Of equal asks of an NFT one counts, no matter which: this one starts the index where the better ones are.
    better = after("key", "id", OuterRef("key"), OuterRef("id"), descending=order.asks == "lowest")
    rivals = _keyed(live_asks(resolved), resolved).filter(better, nft_id=OuterRef("nft_id"))
    alone, among = Q(sole=True), Q(sole=False)
    if resolved.price is not None and (cheaper := below(resolved.price)):
        among &= ~cheaper  # whatever else the NFT is offered for
    among &= ~Q(Exists(rivals))
    if resolved.price is not None:
        alone &= within(resolved.price)
        among &= _fits(resolved, order)
    return filtered(asks.filter(alone | among), replace(resolved, price=None), Walked("asks", "nft_id"))


def _fits(resolved: Resolved, order: Order) -> Q:
    """Return the condition on the ask that decides the place of an NFT with several that its price is within bounds."""
    assert resolved.price is not None
    assert resolved.price_keys is not None
    fits = priced_within(resolved.price, resolved, "nft_id")
    if order.asks == "highest":
        return fits
    # Within the bounds and the NFT's lowest: above the floor no other can be below them, and none is looked for.
    return Q(within(resolved.price), key__gt=resolved.price_keys.floor) | fits


class _OneOf(Func):
    """Tells whether an ask is of one of a query's NFTs, which are read first.

    PostgreSQL joins with what it takes for a long list by reading all asks, and sizes of a trait's lists mislead it.
    """

    def __init__(self, nfts: QuerySet[Any, Any]) -> None:
        super().__init__(F("nft_id"), Subquery(nfts), output_field=BooleanField())

    def as_sql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        (column, none), (nfts, parameters) = map(compiler.compile, self.get_source_expressions())
        among = f"= ANY(ARRAY{nfts})" if connection.vendor == "postgresql" else f"IN {nfts}"
        return f"{column} {among}", [*none, *parameters]


def _few(resolved: Resolved) -> tuple[str, Any]:
    """Return the ids of a small set that holds every match, all in the scope, and the name of the filter it stands for.

    ``None`` in their place where there is no such set.
    """
    if resolved.nft_ids is not None:
        return "ids", resolved.nft_ids
    for number, group in sorted(enumerate(resolved.trait_groups), key=lambda pair: pair[1].size):
        if is_rare(group, resolved):
            return f"traits{number}", NftTrait.objects.filter(trait_id__in=group.ids).values("nft_id")
    if resolved.held is not None:
        (rows,) = first_of_each([([ids_of(asked_lists(resolved), SMALL + 1)], SMALL + 1)])
        if len(rows) <= SMALL:
            return "asked", [nft_id for (nft_id,) in rows]
    if resolved.token_keys is not None and resolved.asks_more_than_tokens:
        return "token_keys", named_by_tokens(resolved).values("id")
    return "", None


def _together(resolved: Resolved, order: Order, few: Any, driver: str) -> QuerySet[Any, Any]:
    """Return the NFTs of a small set that match with the ``key`` of each, from all its asks at once."""
    asks = live_asks(resolved).filter(Q(_OneOf(few)) if isinstance(few, QuerySet) else Q(nft_id__in=few))
    asks = filtered(asks, replace(resolved, price=None), Walked(driver, "nft_id"))
    best = Min if order.asks == "lowest" else Max
    nfts = asks.order_by().values("nft_id").annotate(key=best(resolved.due.price_key()))
    if resolved.price is not None:
        nfts = nfts.annotate(fitting=Count("id", filter=within(resolved.price))).filter(fitting__gt=0)
        if cheaper := below(resolved.price):
            nfts = nfts.annotate(cheaper=Count("id", filter=cheaper)).filter(cheaper=0)
    return nfts
