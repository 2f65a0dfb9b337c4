"""The lists of a selection's contracts or chains: a query each, written once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

from django.db.models import QuerySet

from core.db.keyset import Lists
from core.db.statements import Filling, Slot
from tokens.engine.ask_conditions import live_asks, priced, within
from tokens.engine.conditions import LOOKED_UP, MANY, PASSED, nft_column
from tokens.models import Nft, NftMarket
from tokens.models.market import ANYWHERE, with_asks
from tokens.query.owners import HeldList
from tokens.query.price_ranges import PriceFilter
from tokens.query.resolving import Resolved, TraitGroup

SMALL = 2_000
"""A set of at most so many NFTs is read whole rather than walked."""


def is_rare(group: TraitGroup, resolved: Resolved) -> bool:
    """Tell whether to look at the asks of all who have a trait is less than to look for the trait of all who have asks.

    There are more of these beyond a contract; and very many lists of a trait are not merged with theirs.
    """
    if len(group.ids) > MANY:
        return group.size <= LOOKED_UP
    return group.size <= (SMALL if in_contract(resolved) else PASSED)


def in_contract(resolved: Resolved) -> bool:
    """Tell whether the scope is a contract, on one or several chains."""
    return resolved.scope.field == "contract_id"


def in_scope(resolved: Resolved) -> dict[str, Slot]:
    """Return the condition that rows are of one contract or chain of the scope."""
    return {resolved.scope.field: Slot("scope")}


def scopes(resolved: Resolved) -> list[Filling]:
    """Return what names each contract or chain of the scope."""
    return [{"scope": row_id} for row_id in resolved.scope.ids]


def walks_markets(resolved: Resolved) -> bool:
    """Tell whether there are marketplaces, few enough in all chains or contracts together to walk each one's list.

    If they are not, the NFTs are looked at one by one in order: with so many marketplaces most that trade match.
    """
    return resolved.market_ids is not None and len(resolved.scope.ids) * len(resolved.market_ids) <= MANY


def market_lists(resolved: Resolved, rows: QuerySet[Any, Any]) -> Lists:
    """Return the rows (postings or asks) of each marketplace in each contract or chain."""
    pairs = product(resolved.scope.ids, resolved.market_ids or ())
    fillings = [{"scope": row_id, "market": market_id} for row_id, market_id in pairs]
    return Lists(rows.filter(**in_scope(resolved), market_id=Slot("market")), fillings)


def ids_of(lists: Lists, most: int) -> Lists:
    """Return the NFTs' ids of each list, ``most`` at most: PostgreSQL would sort one it believes to be read whole."""
    ids = lists.query.values_list(nft_column(lists.query.model))
    return replace(lists, query=ids[:most])


def named_by_tokens(resolved: Resolved) -> QuerySet[Nft]:
    """Return the NFTs that have one of the token ids, in no order."""
    return Nft.objects.filter(**resolved.scope.condition, token_key__in=resolved.token_keys or ()).order_by()


def asked_lists(resolved: Resolved) -> Lists:
    """Return the postings of the NFTs that have asks, in each contract or chain; of a wide holder that the query names
    those that it has."""
    listed = ANYWHERE if resolved.held is None else with_asks(resolved.held.id)
    return Lists(NftMarket.objects.filter(**in_scope(resolved), market_id=listed), scopes(resolved))


def held_lists(resolved: Resolved, held: HeldList) -> Lists:
    """Return the postings of the NFTs that a wide holder has, in each contract or chain."""
    return Lists(NftMarket.objects.filter(**in_scope(resolved), market_id=held.id), scopes(resolved))


def price_lists(resolved: Resolved, price: PriceFilter) -> Iterable[Lists]:
    """Yield the live asks within the bounds, a currency at a time and in the order of their index.

    Without an order PostgreSQL reads the whole table in hope of many matches. Very many currencies are not told apart.
    """
    asks = live_asks(resolved).filter(**in_scope(resolved))
    currencies = sum(len(item.currency_ids) for item in price.ranges)
    if len(resolved.scope.ids) * currencies > MANY:
        yield Lists(asks.filter(within(price)).order_by("price_key", "nft_id"), scopes(resolved))
        return
    if price.within:
        yield Lists(asks.filter(id__in=price.within).order_by("price", "nft_id"), scopes(resolved))
    asks = asks.exclude(id__in=price.outside) if price.outside else asks
    for item in price.ranges:
        rows = asks.filter(priced(item), currency_id=Slot("currency")).order_by("price", "nft_id")
        pairs = product(resolved.scope.ids, item.currency_ids)
        yield Lists(rows, [{"scope": row_id, "currency": currency_id} for row_id, currency_id in pairs])
