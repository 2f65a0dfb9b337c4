"""Conditions on an NFT's asks: that one is live, on a marketplace, and at which price."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan

from tokens.models import Ask, NftMarket
from tokens.query.price_ranges import PriceFilter, PriceRange
from tokens.query.resolving import Resolved


def live_asks(resolved: Resolved) -> QuerySet[Ask]:
    """Return the asks that are live at the moment of the request; with ``marketplaces``, on those alone."""
    asks = Ask.objects.filter(active=True, valid_from__lte=resolved.now, valid_until__gt=resolved.now)
    return asks if resolved.market_ids is None else asks.filter(market_id__in=resolved.market_ids)


def has_live_ask(resolved: Resolved, nft: str) -> Exists:
    """Tell whether the NFT has a live ask."""
    return Exists(live_asks(resolved).filter(nft_id=OuterRef(nft)))


def trades_on(resolved: Resolved, nft: str) -> Exists:
    """Tell whether the NFT was transferred on one of the marketplaces, or has a live ask there."""
    rows = NftMarket.objects.filter(nft_id=OuterRef(nft), market_id__in=resolved.market_ids or ())
    return Exists(rows.filter(still_trades(resolved)))


def still_trades(resolved: Resolved) -> Q:
    """Return the condition on a marketplace posting: traded there for good, or with an ask that is live now."""
    there = live_asks(resolved).filter(nft_id=OuterRef("nft_id"), market_id=OuterRef("market_id"))
    # The id of one such ask, not an EXISTS: that, beside an OR, PostgreSQL would answer by hashing all asks.
    return Q(traded=True) | Q(GreaterThan(Subquery(there.order_by().values("id")[:1]), 0))


def priced_within(price: PriceFilter, resolved: Resolved, nft: str) -> Q:
    """Return the condition that the lowest live ask in the currencies lies within the bounds.

    That is: some live ask does, and none lies below them.
    """
    asks = live_asks(resolved).filter(nft_id=OuterRef(nft))
    if len(price.ranges) == 1 and price.is_plain:
        (item,) = price.ranges
        family = asks.filter(currency_id__in=item.currency_ids).order_by("price")
        # Answered within the subquery: compared with two bounds outside, PostgreSQL would look for the ask twice.
        bounds = replace(item, minimum=item.minimum or Decimal(0))
        fits = ExpressionWrapper(priced(bounds), output_field=BooleanField())
        return Q(Subquery(family.annotate(fits=fits).values("fits")[:1], output_field=BooleanField()))
    condition, cheaper = finds_one(asks.filter(within(price))), below(price)
    return condition & ~Q(Exists(asks.filter(cheaper))) if cheaper else condition


def within(price: PriceFilter) -> Q:
    """Return the condition on an ask that its price lies within the bounds of its currency."""
    condition = Q()
    for item in price.ranges:
        condition |= Q(currency_id__in=item.currency_ids) & priced(item)
    return _corrected(condition, price.within, price.outside)


def below(price: PriceFilter) -> Q:
    """Return the condition on an ask that its price lies below the bounds of its currency; empty where none can."""
    condition = Q()
    for item in price.ranges:
        if item.minimum is not None:
            condition |= Q(currency_id__in=item.currency_ids, price__lt=item.minimum)
    return _corrected(condition, price.below, price.not_below)


def _corrected(condition: Q, more: tuple[int, ...], less: tuple[int, ...]) -> Q:
    """Return a condition on an ask that holds for some more and some less, by their ids."""
    condition = condition & ~Q(id__in=less) if less else condition
    return condition | Q(id__in=more) if more else condition


def priced(bounds: PriceRange) -> Q:
    """Return the condition on a price that it lies within the bounds."""
    condition = Q()
    if bounds.minimum is not None:
        condition &= Q(price__gte=bounds.minimum)
    if bounds.maximum is not None:
        condition &= Q(price__lte=bounds.maximum)
    return condition


def finds_one(rows: QuerySet[Any]) -> Q:
    """Tell whether a row of an NFT is found, by looking for one.

    Not an EXISTS: that PostgreSQL might answer the other way round, by reading all such rows, of all NFTs.
    """
    found = Subquery(rows.order_by().values("nft_id")[:1])
    return Q(GreaterThan(Coalesce(found, Value(0), output_field=BigIntegerField()), 0))
