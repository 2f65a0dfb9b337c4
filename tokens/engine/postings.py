"""The engine of NFTs by Token: which NFTs match, in which order, at the cost of a page.

Every filter value is a posting list kept in the order of each sort key. One list is walked in that order, the others
are looked up on (key, NFT), and the wide rows are read last, by the caller. Which list is walked:

- a small set that is no list in the order (token ids, a price range, the asks of a small list): its ids;
- with a price, unless a trait is rare, all that have asks, or those of them that a wide holder has;
- else the shortest list: a group of trait values, what a wide holder has, the marketplaces, or all of the contract or
  chain.

Values that are alternatives (several marketplaces, the chains of an address) are one walk each, merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from core.db.keys import NEVER
from core.db.keyset import Filled, Lists, first_of_each, merge, merge_many, merged
from core.db.statements import Filling, Slot, Statement, written
from tokens.engine.ask_conditions import has_live_ask
from tokens.engine.by_price import walk_asks
from tokens.engine.conditions import ENDLESS, MANY, PASSED, TRAIT_LISTS, Walked, filtered, list_of, nft_column
from tokens.engine.scope_lists import (
    SMALL,
    asked_lists,
    held_lists,
    ids_of,
    in_contract,
    in_scope,
    is_rare,
    market_lists,
    named_by_tokens,
    price_lists,
    scopes,
    walks_markets,
)
from tokens.models import NftMarket
from tokens.query.ordering import RECENT, Order
from tokens.query.resolving import Resolved, TraitGroup
from tokens.query.scopes import Scope, ScopeField
from tokens.query.selection import Selection

FEW = 30
"""NFTs that have several common traits, up to which these are found first in an order by asks: less than a page."""


_Condition = Callable[[str], Q]
"""A condition on NFTs, by the name of the column with their id."""


class Place(NamedTuple):
    """Where an NFT stands in an order. ``phase`` 1 follows 0: with an order by asks, the NFTs without a live ask."""

    phase: int
    key: Any
    nft_id: int


def walk(resolved: Resolved, order: Order, start: Place | None, size: int) -> list[Place]:
    """Return the first ``size`` places behind ``start`` (``None``: from the beginning)."""
    if order.asks is None:
        return [Place(0, *row) for row in _walk_lists(narrowed(resolved, order), order, start, size)]
    places: list[Place] = []
    by_asks = start is None or start.phase == 0
    small = narrowed(resolved, order) if by_asks or resolved.token_keys is not None else resolved
    others: _Condition = partial(_without_asks, resolved)
    if by_asks:
        places = [Place(0, *row) for row in walk_asks(small, order, start and start[1:], size)]
        if start is None:  # these are all that have asks, if there is room for others
            others = partial(_none_of, [place.nft_id for place in places])
        start = None
    if len(places) < size and resolved.price is None:  # a price filter leaves no NFT without a live ask
        places += [Place(1, *row) for row in _walk_lists(small, order, start, size - len(places), others)]
    return places


def _without_asks(resolved: Resolved, nft: str) -> Q:
    return ~Q(has_live_ask(resolved, nft))


def _none_of(nft_ids: list[int], nft: str) -> Q:
    return ~Q(**{f"{nft}__in": nft_ids})


def narrowed(resolved: Resolved, order: Order) -> Resolved:
    """Return the selection with the ids of a small set that holds every match, where looking for one pays.

    At most one query, which reads one row more of each set it tries than it may have.
    """
    if resolved.nft_ids is not None:
        return resolved
    probes = list(_probes(resolved, order))
    found = first_of_each([(probe.cut(), probe.most + 1) for probe in probes])
    whole = [
        {nft_id for (nft_id,) in rows}
        for probe, rows in zip(probes, found, strict=True)
        if len(rows) <= probe.most
    ]
    if not whole:
        return resolved
    smallest = min(whole, key=len)
    token_keys = None if _reads_tokens(resolved, order) else resolved.token_keys
    return replace(resolved, nft_ids=tuple(sorted(smallest)), token_keys=token_keys)


class _Probe(NamedTuple):
    """A set that is worth reading whole if it has ``most`` NFTs, as lists in no order that matters."""

    lists: list[Lists]
    most: int

    def cut(self) -> list[Lists]:
        """Return the ids of the lists, one more than the set may have."""
        return [ids_of(one, self.most + 1) for one in self.lists]


def _probes(resolved: Resolved, order: Order) -> Iterable[_Probe]:
    """Yield the sets that may be small."""
    if _reads_tokens(resolved, order):
        yield _Probe([Lists(named_by_tokens(resolved))], SMALL)
    elif all(group.size > SMALL for group in resolved.trait_groups):
        if resolved.price is not None:
            yield _Probe(list(price_lists(resolved, resolved.price)), SMALL)
        elif resolved.sizes and order.asks is None and walks_markets(resolved):
            markets = market_lists(resolved, NftMarket.objects.all())
            ordered = markets.query.order_by("recent_key", "nft_id")
            yield _Probe([replace(markets, query=ordered)], SMALL)
        several = len(resolved.sizes) > 1 and in_contract(resolved)
        if order.asks is not None and several and resolved.market_ids is None:
            yield _Probe([_in_common(resolved)], FEW)


def _in_common(resolved: Resolved) -> Lists:
    """Return the NFTs that have all of several common traits, or the one that many of a wide holder's have.

    Where they are too few for a page, a walk by asks would look up the traits of every ask: to merge the traits' lists
    takes a third of that. Where they are more the merge ends soon.
    """
    traits = replace(resolved, token_keys=None, price=None)
    entries, driver, length = _driver(traits, RECENT)
    walk = Walked(driver, nft_column(entries.query.model), RECENT.key, size=length)
    return Lists(walk.in_order(filtered(entries.query, traits, walk)), entries.fillings)


def _reads_tokens(resolved: Resolved, order: Order) -> bool:
    """Tell whether to read what the token ids name: one NFT each on every chain, if in a contract or if mints.

    In an order without asks those that name more are lists.
    """
    if resolved.token_keys is None:
        return False
    return order.asks is not None or in_contract(resolved) or all(key >= NEVER for key in resolved.token_keys)


def _walk_lists(
    resolved: Resolved, order: Order, start: Place | None, size: int, also: _Condition | None = None
) -> list[tuple[Any, ...]]:
    """Walk posting lists in the order of their key; rows are (key, NFT id)."""
    if also is None and (plain := _plain(resolved, order, start, size)) is not None:
        return merged([plain], size, descending=order.descending)
    entries, driver, length = _driver(resolved, order)
    behind = None if start is None else (start.key, start.nft_id)
    column, lists = nft_column(entries.query.model), len(entries.fillings)
    walk = Walked(driver, column, order.key, order.descending, length, behind, lists)
    rows = filtered(walk.behind_start(entries.query), resolved, walk)
    if also is not None:
        rows = rows.filter(also(walk.nft))
    ordered = Lists(_ordered(rows, resolved, walk)[:size], entries.fillings)
    if lists > MANY and "trait" in entries.fillings[0]:
        return merge_many(ordered, "trait", size, descending=order.descending)
    return merge([ordered], size, descending=order.descending)


class _Shape(NamedTuple):
    """What the SQL of a list depends on where one filter is all that is asked, and the list stands for that one."""

    scope: ScopeField
    order: Order
    by_trait: bool
    unmarked: bool
    transferred: bool
    started: bool
    size: int
    vendor: str


def _plain(resolved: Resolved, order: Order, start: Place | None, size: int) -> Filled | None:
    """Return the lists of such a selection, whose query is written once; ``None`` for any other."""
    asked = resolved.selection
    ids = resolved.nft_ids, resolved.token_keys, resolved.market_ids
    named = *ids, resolved.price, resolved.excluded, resolved.held
    if asked.excluded_token_keys or any(one is not None for one in named) or len(resolved.trait_groups) > 1:
        return None
    unmarked, transferred = asked.unmarked, resolved.transferred
    place = {} if start is None else {"key": start.key, "nft": start.nft_id}
    fillings: list[Filling] = [{**filling, **place} for filling in scopes(resolved)]
    if resolved.trait_groups:
        (group,) = resolved.trait_groups
        if unmarked or transferred or len(group.ids) > MANY:
            return None
        fillings = [{"trait": row_id, **place} for row_id in group.ids]
    field = resolved.scope.field
    shape = _Shape(
        *(field, order, bool(resolved.trait_groups), unmarked, transferred, start is not None),
        *(size, connection.vendor),
    )
    return _statement(shape), fillings


@lru_cache(maxsize=1_000)
def _statement(shape: _Shape) -> Statement:
    """Return the SQL of a list of this shape, with slots for what names the list and the place to start at."""
    resolved = Resolved(
        scope=Scope(shape.scope, (0,)),
        now=0,
        selection=Selection(unmarked=shape.unmarked),
        trait_groups=(TraitGroup((0,), 0),) if shape.by_trait else (),
        transferred=shape.transferred,
    )
    entries, driver, length = _driver(resolved, shape.order)
    field = entries.query.model._meta.get_field(shape.order.key)
    start = (Slot("key", field), Slot("nft")) if shape.started else None
    column = nft_column(entries.query.model)
    walk = Walked(driver, column, shape.order.key, shape.order.descending, length, start)
    rows = filtered(walk.behind_start(entries.query), resolved, walk)
    return written(_ordered(rows, resolved, walk)[: shape.size])


def _driver(resolved: Resolved, order: Order) -> tuple[Lists, str, int]:
    """Return the lists to walk, the name of the filter that they stand for, and their length."""
    scope = resolved.scope
    base = list_of(order.key)
    if resolved.nft_ids is not None:
        return Lists(base.filter(pk__in=resolved.nft_ids)), "ids", len(resolved.nft_ids)
    if resolved.token_keys is not None:
        rows = base.filter(token_key=Slot("token"), **scope.condition)
        return Lists(rows, [{"token": token} for token in resolved.token_keys]), "token_keys", 0
    if resolved.price is not None and not any(is_rare(group, resolved) for group in resolved.trait_groups):
        return asked_lists(resolved), "asked", PASSED  # or so; how many they are is not known
    held = resolved.held
    if held is not None and all(held.size <= group.size for group in resolved.trait_groups):
        return held_lists(resolved, held), "held", held.size
    if resolved.trait_groups:
        number, group = min(enumerate(resolved.trait_groups), key=lambda pair: pair[1].size)
        rows = TRAIT_LISTS[order.key]._default_manager.all()
        if len(group.ids) <= MANY or connection.vendor == "postgresql":
            fillings = [{"trait": row_id} for row_id in group.ids]
            return Lists(rows.filter(trait_id=Slot("trait")), fillings), f"traits{number}", group.size
        if group.size <= PASSED:  # read whole and sorted; of a more common trait enough is met on the way
            return Lists(rows.filter(trait_id__in=group.ids).distinct()), f"traits{number}", group.size
    if walks_markets(resolved):
        return market_lists(resolved, NftMarket.objects.all()), "markets", ENDLESS
    return Lists(base.filter(**in_scope(resolved)), scopes(resolved)), "scope", ENDLESS


def _ordered(rows: QuerySet[Any, Any], resolved: Resolved, walk: Walked) -> QuerySet[Any, Any]:
    if walk.driver == "scope" and in_contract(resolved) and walk.key == "token_key":
        # Unique there; an id behind it would send PostgreSQL to a global index.
        return rows.order_by("-token_key" if walk.descending else "token_key").values_list(
            "token_key", walk.nft
        )
    return walk.in_order(rows)
