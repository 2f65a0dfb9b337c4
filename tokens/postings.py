"""The engine of NFTs by Token: which NFTs match, in which order, at the cost of a page.

Every filter value is a posting list kept in the order of each sort key. One list is walked in that order, the others
are looked up on (key, NFT), and the wide rows are read last, by the caller. Which list is walked:

- a small set that is no list in the order (token ids, a price range, the asks of a small list): its ids;
- else the shortest list: a group of trait values, the marketplaces, or all of the contract or chain.

Values that are alternatives (several marketplaces, the chains of an address) are one walk each, merged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Value

from nftsite.db.keyset import after, concatenate, merge
from tokens.conditions import TRAIT_LISTS, filtered, has_live_ask, live_asks, nft_column, priced, within
from tokens.models import Nft, NftMarket, NftRecent, NftTrait
from tokens.ordering import Order
from tokens.resolving import PriceRange, Resolved

SMALL = 2_000
"""A set of at most so many NFTs is read whole rather than walked."""

MANY = 64
"""More lists than this are not walked one by one."""


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

    At most one query, which reads at most ``SMALL`` + 1 rows of each list it tries.
    """
    lists = [(number, rows) for number, probe in enumerate(_probes(resolved, order)) for rows in probe]
    branches = [
        rows.annotate(branch=Value(place)).values_list("branch", nft_column(rows.model))[: SMALL + 1]
        for place, (_, rows) in enumerate(lists)
    ]
    found: dict[int, set[int]] = {number: set() for number, _ in lists}
    read = Counter[int]()
    for place, nft_id in concatenate(branches):
        found[lists[place][0]].add(nft_id)
        read[place] += 1
    whole: list[set[int]] = [
        ids
        for number, ids in found.items()
        if len(ids) <= SMALL
        and all(read[place] <= SMALL for place, (owner, _) in enumerate(lists) if owner == number)
    ]
    if not whole:
        return resolved
    smallest = min(whole, key=len)
    return replace(resolved, nft_ids=tuple(sorted(smallest)))


def _probes(resolved: Resolved, order: Order) -> Iterable[list[QuerySet[Any, Any]]]:
    """Yield the sets worth reading whole, each as unordered lists."""
    scope = resolved.scope
    groups = [group for group in resolved.trait_groups if group.size <= SMALL]
    if resolved.token_keys is not None:
        yield [
            Nft.objects.filter(**{scope.field: row_id}, token_key__in=resolved.token_keys).order_by()
            for row_id in scope.ids
        ]
    elif groups and order.asks is not None:
        smallest = min(groups, key=lambda group: group.size)
        yield [NftTrait.objects.filter(trait_id__in=smallest.ids).order_by()]
    elif not groups:
        looked_up = resolved.trait_groups or resolved.price or order.asks
        if resolved.market_ids is not None and looked_up and _walks_markets(resolved):
            yield [rows.order_by("recent_key", "nft_id") for rows in _market_lists(resolved)]
        if resolved.price is not None:
            yield list(_price_lists(resolved, resolved.price))


def _market_lists(resolved: Resolved) -> Iterable[QuerySet[Any, Any]]:
    """Yield the postings of each marketplace in each contract or chain."""
    for row_id in resolved.scope.ids:
        for market_id in resolved.market_ids or ():
            yield NftMarket.objects.filter(**{resolved.scope.field: row_id}, market_id=market_id)


def _price_lists(resolved: Resolved, ranges: tuple[PriceRange, ...]) -> Iterable[QuerySet[Any, Any]]:
    """Yield the live asks within the bounds, a currency at a time and in the order of their index.

    Without an order PostgreSQL reads the whole table in hope of many matches. Very many currencies are not told apart.
    """
    currencies = sum(len(item.currency_ids) for item in ranges)
    if len(resolved.scope.ids) * currencies > MANY:
        for row_id in resolved.scope.ids:
            asks = live_asks(resolved).filter(**{resolved.scope.field: row_id})
            yield asks.filter(within(ranges)).order_by("price_key", "nft_id")
        return
    for row_id in resolved.scope.ids:
        for item in ranges:
            for currency_id in item.currency_ids:
                asks = live_asks(resolved).filter(**{resolved.scope.field: row_id}, currency_id=currency_id)
                yield asks.filter(priced(item)).order_by("price", "nft_id")


def _walk_lists(
    resolved: Resolved, order: Order, start: Place | None, size: int, *, without_asks: bool = False
) -> list[tuple[Any, ...]]:
    """Walk posting lists in the order of their key; rows are (key, NFT id)."""
    branches = []
    for entries, driver in _drivers(resolved, order):
        nft = nft_column(entries.model)
        rows = entries
        if start is not None:
            rows = rows.filter(after(order.key, nft, start.key, start.nft_id, descending=order.descending))
        rows = filtered(rows, resolved, nft, order.key, driver)
        if without_asks:
            rows = rows.filter(~has_live_ask(resolved, nft))
        branches.append(_ordered(rows, resolved, order, driver)[:size])
    return merge(branches, size, descending=order.descending)


def _drivers(resolved: Resolved, order: Order) -> Iterable[tuple[QuerySet[Any, Any], str]]:
    """Yield the lists to walk, with the name of the filter that they stand for."""
    scope = resolved.scope
    base: type[Model] = NftRecent if order.key == "recent_key" else Nft
    if resolved.nft_ids is not None:
        yield base._default_manager.filter(pk__in=resolved.nft_ids), "ids"
    elif resolved.token_keys is not None and order.key == "token_key":
        for token in resolved.token_keys:
            yield Nft.objects.filter(token_key=token, **{f"{scope.field}__in": scope.ids}), "token_keys"
    elif resolved.trait_groups:
        number, group = min(enumerate(resolved.trait_groups), key=lambda pair: pair[1].size)
        postings = TRAIT_LISTS[order.key]._default_manager
        if len(group.ids) > MANY:
            yield postings.filter(trait_id__in=group.ids).distinct(), f"traits{number}"
        else:
            for row_id in group.ids:
                yield postings.filter(trait_id=row_id), f"traits{number}"
    elif resolved.market_ids is not None and _walks_markets(resolved):
        for rows in _market_lists(resolved):
            yield rows, "markets"
    else:
        for row_id in scope.ids:
            yield base._default_manager.filter(**{scope.field: row_id}), "scope"


def _walks_markets(resolved: Resolved) -> bool:
    """Tell whether the marketplaces are few enough, in all chains or contracts together, to walk each one's list.

    If they are not, the NFTs are looked at one by one in order: with so many marketplaces most that trade match.
    """
    return len(resolved.scope.ids) * len(resolved.market_ids or ()) <= MANY


def _ordered(rows: QuerySet[Any, Any], resolved: Resolved, order: Order, driver: str) -> QuerySet[Any, Any]:
    nft = nft_column(rows.model)
    columns = [order.key, nft]
    in_one_contract = driver == "scope" and resolved.scope.field == "contract_id"
    if in_one_contract and order.key == "token_key":
        columns = ["token_key"]  # unique there; an id behind it would send PostgreSQL to a global index
    if order.descending:
        columns = [f"-{column}" for column in columns]
    return rows.order_by(*columns).values_list(order.key, nft)


def _walk_asks(resolved: Resolved, order: Order, start: Place | None, size: int) -> list[tuple[Any, ...]]:
    """Walk live asks by price, each NFT at its lowest or highest one; rows are (price key, NFT id)."""
    branches = []
    scope = resolved.scope
    for row_id in scope.ids:
        asks = _keyed_asks(resolved).filter(**{scope.field: row_id})
        if resolved.nft_ids is not None:
            asks = asks.filter(nft_id__in=resolved.nft_ids)
        if start is not None:
            asks = asks.filter(after("key", "nft_id", start.key, start.nft_id))
        rival = _keyed_asks(resolved).filter(nft_id=OuterRef("nft_id"))
        asks = asks.filter(~Exists(rival.filter(_better(order))))
        asks = filtered(asks, resolved, "nft_id", None, "asks" if resolved.nft_ids is None else "ids")
        branches.append(asks.order_by("key", "nft_id").values_list("key", "nft_id")[:size])
    return merge(branches, size)


def _keyed_asks(resolved: Resolved) -> QuerySet[Any, Any]:
    """Return the live asks with the sort ``key`` that they have at the moment of the request."""
    return live_asks(resolved).annotate(key=resolved.due.price_key())


def _better(order: Order) -> Q:
    """Return the condition on a rival ask of the same NFT that it decides the NFT's place instead."""
    first_of_equals = Q(key=OuterRef("key"), id__lt=OuterRef("id"))
    if order.asks == "lowest":
        return Q(key__lt=OuterRef("key")) | first_of_equals
    return Q(key__gt=OuterRef("key")) | first_of_equals
