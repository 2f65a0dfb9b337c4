"""The engine of NFTs by Token: which NFTs match, in which order, at the cost of a page.

Every filter value is a posting list kept in the order of each sort key. One list is walked in that order, the others
are looked up on (key, NFT), and the wide rows are read last, by the caller. Which list is walked:

- a small set that is no list in the order (token ids, a price range, the asks of a small list): its ids;
- else the shortest list: a group of trait values, the marketplaces, or all of the contract or chain.

Values that are alternatives (several marketplaces, the chains of an address) are one walk each, merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest, Least

from nftsite.db.fields import KeyField
from nftsite.db.keys import NEVER
from nftsite.db.keyset import Filling, Lists, Slot, after, first_of_each, merge, merge_many
from tokens.conditions import (
    ENDLESS,
    MANY,
    TRAIT_LISTS,
    Walked,
    filtered,
    has_live_ask,
    list_of,
    live_asks,
    nft_column,
    priced,
    within,
)
from tokens.models import Nft, NftMarket, NftTrait
from tokens.ordering import Order
from tokens.resolving import PriceRange, Resolved

SMALL = 2_000
"""A set of at most so many NFTs is read whole rather than walked."""


class Place(NamedTuple):
    """Where an NFT stands in an order. ``phase`` 1 follows 0: with an order by asks, the NFTs without a live ask."""

    phase: int
    key: Any
    nft_id: int


def walk(resolved: Resolved, order: Order, start: Place | None, size: int) -> list[Place]:
    """Return the first ``size`` places behind ``start`` (``None``: from the beginning).

    ``resolved`` should have been through :func:`narrowed`.
    """
    if order.asks is None:
        return [Place(0, *row) for row in _walk_lists(resolved, order, start, size)]
    places: list[Place] = []
    if start is None or start.phase == 0:
        places = [Place(0, *row) for row in _walk_asks(resolved, order, start, size)]
        start = None
    if len(places) < size and resolved.price is None:  # a price filter leaves no NFT without a live ask
        rows = _walk_lists(resolved, order, start, size - len(places), without_asks=True)
        places += [Place(1, *row) for row in rows]
    return places


def narrowed(resolved: Resolved, order: Order) -> Resolved:
    """Return the selection with the ids of a small set that holds every match, where looking for one pays.

    At most one query, which reads at most ``SMALL`` + 1 rows of each set it tries.
    """
    probes = [
        # Each list is cut as well, or PostgreSQL would sort one that it believes to be read whole.
        [
            replace(lists, query=lists.query.values_list(nft_column(lists.query.model))[: SMALL + 1])
            for lists in probe
        ]
        for probe in _probes(resolved, order)
    ]
    found = first_of_each(probes, SMALL + 1)
    whole = [{nft_id for (nft_id,) in rows} for rows in found if len(rows) <= SMALL]
    if not whole:
        return resolved
    smallest = min(whole, key=len)
    return replace(resolved, nft_ids=tuple(sorted(smallest)))


def _probes(resolved: Resolved, order: Order) -> Iterable[list[Lists]]:
    """Yield the sets worth reading whole, each as lists in no order that matters."""
    groups = [group for group in resolved.trait_groups if group.size <= SMALL]
    if resolved.token_keys is not None and (_name_few(resolved) or order.asks is not None):
        rows = Nft.objects.filter(**_in_scope(resolved), token_key__in=resolved.token_keys)
        yield [Lists(rows.order_by(), _scopes(resolved))]
    elif groups and order.asks is not None:
        smallest = min(groups, key=lambda group: group.size)
        yield [Lists(NftTrait.objects.filter(trait_id__in=smallest.ids).order_by())]
    elif not groups:
        looked_up = resolved.trait_groups or resolved.price or order.asks
        if resolved.market_ids is not None and looked_up and _walks_markets(resolved):
            markets = _market_lists(resolved)
            yield [Lists(markets.query.order_by("recent_key", "nft_id"), markets.fillings)]
        if resolved.price is not None:
            yield list(_price_lists(resolved, resolved.price))


def _name_few(resolved: Resolved) -> bool:
    """Tell whether the token ids name one NFT each on every chain: in a contract they do, and mints do anywhere."""
    return _in_contract(resolved) or all(key >= NEVER for key in resolved.token_keys or ())


def _in_contract(resolved: Resolved) -> bool:
    return resolved.scope.field == "contract_id"


def _in_scope(resolved: Resolved) -> dict[str, Slot]:
    """Return the condition that rows are of one contract or chain of the scope."""
    return {resolved.scope.field: Slot("scope")}


def _scopes(resolved: Resolved) -> list[Filling]:
    """Return what names each contract or chain of the scope."""
    return [{"scope": row_id} for row_id in resolved.scope.ids]


def _market_lists(resolved: Resolved) -> Lists:
    """Return the postings of each marketplace in each contract or chain."""
    rows = NftMarket.objects.filter(**_in_scope(resolved), market_id=Slot("market"))
    pairs = product(resolved.scope.ids, resolved.market_ids or ())
    return Lists(rows, [{"scope": row_id, "market": market_id} for row_id, market_id in pairs])


def _price_lists(resolved: Resolved, ranges: tuple[PriceRange, ...]) -> Iterable[Lists]:
    """Yield the live asks within the bounds, a currency at a time and in the order of their index.

    Without an order PostgreSQL reads the whole table in hope of many matches. Very many currencies are not told apart.
    """
    asks = live_asks(resolved).filter(**_in_scope(resolved))
    currencies = sum(len(item.currency_ids) for item in ranges)
    if len(resolved.scope.ids) * currencies > MANY:
        yield Lists(asks.filter(within(ranges)).order_by("price_key", "nft_id"), _scopes(resolved))
        return
    for item in ranges:
        rows = asks.filter(priced(item), currency_id=Slot("currency")).order_by("price", "nft_id")
        pairs = product(resolved.scope.ids, item.currency_ids)
        yield Lists(rows, [{"scope": row_id, "currency": currency_id} for row_id, currency_id in pairs])


def _walk_lists(
    resolved: Resolved, order: Order, start: Place | None, size: int, *, without_asks: bool = False
) -> list[tuple[Any, ...]]:
    """Walk posting lists in the order of their key; rows are (key, NFT id)."""
    entries, driver, length = _driver(resolved, order)
    behind = None if start is None else (start.key, start.nft_id)
    walk = Walked(driver, nft_column(entries.query.model), order.key, order.descending, length, behind)
    rows = filtered(walk.behind_start(entries.query), resolved, walk)
    if without_asks:
        rows = rows.filter(~has_live_ask(resolved, walk.nft))
    lists = Lists(_ordered(rows, resolved, walk)[:size], entries.fillings)
    if _too_many(lists.fillings) and "trait" in lists.fillings[0]:
        return merge_many(lists, "trait", size, descending=order.descending)
    return merge([lists], size, descending=order.descending)


def _driver(resolved: Resolved, order: Order) -> tuple[Lists, str, int]:
    """Return the lists to walk, the name of the filter that they stand for, and their length."""
    scope = resolved.scope
    base = list_of(order.key)
    if resolved.nft_ids is not None:
        return Lists(base.filter(pk__in=resolved.nft_ids)), "ids", len(resolved.nft_ids)
    if resolved.token_keys is not None:
        rows = base.filter(token_key=Slot("token"), **{f"{scope.field}__in": scope.ids})
        return Lists(rows, [{"token": token} for token in resolved.token_keys]), "token_keys", 0
    if resolved.trait_groups:
        number, group = min(enumerate(resolved.trait_groups), key=lambda pair: pair[1].size)
        postings = TRAIT_LISTS[order.key]._default_manager
        if _too_many(group.ids) and connection.vendor != "postgresql":
            lists = Lists(postings.filter(trait_id__in=group.ids).distinct())
        else:
            lists = Lists(
                postings.filter(trait_id=Slot("trait")), [{"trait": row_id} for row_id in group.ids]
            )
        return lists, f"traits{number}", group.size
    if resolved.market_ids is not None and _walks_markets(resolved):
        return _market_lists(resolved), "markets", ENDLESS
    return Lists(base.filter(**_in_scope(resolved)), _scopes(resolved)), "scope", ENDLESS


def _too_many(lists: Sequence[object]) -> bool:
    return len(lists) > MANY


def _walks_markets(resolved: Resolved) -> bool:
    """Tell whether the marketplaces are few enough, in all chains or contracts together, to walk each one's list.

    If they are not, the NFTs are looked at one by one in order: with so many marketplaces most that trade match.
    """
    return len(resolved.scope.ids) * len(resolved.market_ids or ()) <= MANY


def _ordered(rows: QuerySet[Any, Any], resolved: Resolved, walk: Walked) -> QuerySet[Any, Any]:
    if walk.driver == "scope" and _in_contract(resolved) and walk.key == "token_key":
        # Unique there; an id behind it would send PostgreSQL to a global index.
        return rows.order_by("-token_key" if walk.descending else "token_key").values_list(
            "token_key", walk.nft
        )
    return walk.in_order(rows)


def _walk_asks(resolved: Resolved, order: Order, start: Place | None, size: int) -> list[tuple[Any, ...]]:
    """Walk live asks by price, each NFT at its lowest or highest one; rows are (price key, NFT id)."""
    asks = _keyed_asks(resolved).filter(**_in_scope(resolved))
    driver = "asks"
    if resolved.nft_ids is not None:
        asks, driver = asks.filter(nft_id__in=resolved.nft_ids), "ids"
    if start is not None:
        asks = asks.filter(after("key", "nft_id", start.key, start.nft_id))
    rival = _keyed_asks(resolved).filter(nft_id=OuterRef("nft_id"))
    asks = asks.filter(~Exists(rival.filter(_better(order))))
    if resolved.price is not None:
        asks = asks.filter(_within_edge(resolved, resolved.price, order))
    asks = filtered(asks, resolved, Walked(driver, "nft_id"))
    lists = Lists(asks.order_by("key", "nft_id").values_list("key", "nft_id")[:size], _scopes(resolved))
    return merge([lists], size)


def _within_edge(resolved: Resolved, ranges: tuple[PriceRange, ...], order: Order) -> Q:
    """Return a condition on an ask's key that spares the walk those beyond every price that matches.

    An NFT whose ask in one currency is within the bounds has no higher lowest ask than that one, and no lower highest
    ask. In each currency the key at the bound is that of the ask nearest to it.
    """
    lowest = order.asks == "lowest"
    bounds = [item.maximum if lowest else item.minimum for item in ranges]
    currencies = sum(len(item.currency_ids) for item in ranges)
    if any(bound is None for bound in bounds) or len(resolved.scope.ids) * currencies > MANY:
        return Q()
    edges = []
    for item in ranges:
        rows = (
            _keyed_asks(replace(resolved, market_ids=None)).filter(**_in_scope(resolved)).filter(priced(item))
        )
        for currency_id in item.currency_ids:
            nearest = rows.filter(currency_id=currency_id).order_by("-price" if lowest else "price")
            none = Value("" if lowest else NEVER, output_field=KeyField())
            edges.append(Coalesce(Subquery(nearest.values("key")[:1]), none))
    edge = edges[0] if len(edges) == 1 else (Greatest if lowest else Least)(*edges)
    return Q(key__lte=edge) if lowest else Q(key__gte=edge)


def _keyed_asks(resolved: Resolved) -> QuerySet[Any, Any]:
    """Return the live asks with the sort ``key`` that they have at the moment of the request."""
    return live_asks(resolved).annotate(key=resolved.due.price_key())


def _better(order: Order) -> Q:
    """Return the condition on a rival ask of the same NFT that it decides the NFT's place instead."""
    first_of_equals = Q(key=OuterRef("key"), id__lt=OuterRef("id"))
    if order.asks == "lowest":
        return Q(key__lt=OuterRef("key")) | first_of_equals
    return Q(key__gt=OuterRef("key")) | first_of_equals
