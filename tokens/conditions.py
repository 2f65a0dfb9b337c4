"""Conditions on an NFT beside the list that is walked: each is an EXISTS that one index answers.

``nft`` names the NFT's id in the walked list (``"nft_id"``, or ``"id"`` on the NFT itself) and ``key`` the sort key
that the list shares with the posting lists, if any: joined on both, two lists in the same order merge.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import GreaterThan

from nftsite.db.keys import NEVER
from tokens.models import Ask, Nft, NftMarket, NftRecent, NftTrait, NftTraitRecent
from tokens.ordering import KeyField
from tokens.resolving import PriceRange, Resolved

TRAIT_LISTS: dict[KeyField, type[Model]] = {
    "recent_key": NftTraitRecent,
    "token_key": NftTrait,
    "rarity_key": NftTrait,
}


def live_asks(resolved: Resolved) -> QuerySet[Ask]:
    """Return the asks that are live at the moment of the request; with ``marketplaces``, on those alone."""
    asks = Ask.objects.filter(active=True, valid_from__lte=resolved.now, valid_until__gt=resolved.now)
    return asks if resolved.market_ids is None else asks.filter(market_id__in=resolved.market_ids)


def has_live_ask(resolved: Resolved, nft: str) -> Exists:
    """Tell whether the NFT has a live ask."""
    return Exists(live_asks(resolved).filter(nft_id=OuterRef(nft)))


def has_trait(trait_ids: tuple[int, ...], nft: str, key: KeyField | None) -> Exists:
    """Tell whether the NFT has one of the trait values."""
    rows: QuerySet[Any] = (NftTrait if key is None else TRAIT_LISTS[key])._default_manager.filter(
        nft_id=OuterRef(nft)
    )
    if key is not None:
        rows = rows.filter(**{key: OuterRef(key)})
    return Exists(
        rows.filter(trait_id=trait_ids[0]) if len(trait_ids) == 1 else rows.filter(trait_id__in=trait_ids)
    )


def trades_on(resolved: Resolved, nft: str) -> Exists:
    """Tell whether the NFT was transferred on one of the marketplaces, or has a live ask there."""
    rows = NftMarket.objects.filter(nft_id=OuterRef(nft), market_id__in=resolved.market_ids or ())
    return Exists(rows.filter(still_trades(resolved)))


def still_trades(resolved: Resolved) -> Q:
    """Return the condition on a marketplace posting: traded there for good, or with an ask that is live now."""
    there = live_asks(resolved).filter(nft_id=OuterRef("nft_id"), market_id=OuterRef("market_id"))
    # The id of one such ask, not an EXISTS: that, beside an OR, PostgreSQL would answer by hashing all asks.
    return Q(traded=True) | Q(GreaterThan(Subquery(there.order_by().values("id")[:1]), 0))


def priced_within(ranges: tuple[PriceRange, ...], resolved: Resolved, nft: str) -> Q:
    """Return the condition that the lowest live ask in the currencies lies within the bounds.

    That is: some live ask does, and none lies below them.
    """
    asks = live_asks(resolved).filter(nft_id=OuterRef(nft))
    condition = Q(Exists(asks.filter(within(ranges))))
    below = Q()
    for item in ranges:
        if item.minimum is not None:
            below |= Q(currency_id__in=item.currency_ids, price__lt=item.minimum)
    return condition & ~Q(Exists(asks.filter(below))) if below else condition


def within(ranges: tuple[PriceRange, ...]) -> Q:
    """Return the condition on an ask that its price lies within the bounds of its currency."""
    condition = Q()
    for item in ranges:
        condition |= Q(currency_id__in=item.currency_ids) & priced(item)
    return condition


def priced(bounds: PriceRange) -> Q:
    """Return the condition on a price that it lies within the bounds."""
    condition = Q()
    if bounds.minimum is not None:
        condition &= Q(price__gte=bounds.minimum)
    if bounds.maximum is not None:
        condition &= Q(price__lte=bounds.maximum)
    return condition


def is_unmarked(nft: str) -> Exists:
    """Tell whether the NFT is marked neither itself nor through its contract."""
    return Exists(NftRecent.objects.filter(nft_id=OuterRef(nft), marked=False))


def has_token_id(keys: tuple[str, ...], nft: str) -> Exists:
    """Tell whether the NFT's token id is one of these."""
    return Exists(Nft.objects.filter(id=OuterRef(nft), token_key__in=keys))


def was_transferred(nft: str) -> Exists:
    """Tell whether the NFT has any transfer."""
    return Exists(Nft.objects.filter(id=OuterRef(nft), transferred=True))


def nft_column(model: type[Model]) -> str:
    """Return the name of the NFT's id in a list."""
    return "id" if model is Nft else "nft_id"


def filtered(
    rows: QuerySet[Any, Any], resolved: Resolved, nft: str, key: KeyField | None, driver: str
) -> QuerySet[Any, Any]:
    """Apply every filter but the one that the walked list stands for, which ``driver`` names."""
    rows = _of_tokens(_of_state(rows, resolved, nft), resolved, nft, driver)
    for number, group in enumerate(resolved.trait_groups):
        if driver != f"traits{number}":
            rows = rows.filter(has_trait(group.ids, nft, key))
    if resolved.excluded_trait_ids:
        rows = rows.filter(~has_trait(resolved.excluded_trait_ids, nft, key))
    if resolved.market_ids is not None and rows.model is not Ask:  # a live ask there is one that counts
        rows = rows.filter(still_trades(resolved) if driver == "markets" else trades_on(resolved, nft))
    if resolved.price is not None:
        rows = rows.filter(priced_within(resolved.price, resolved, nft))
    return rows


def _of_state(rows: QuerySet[Any, Any], resolved: Resolved, nft: str) -> QuerySet[Any, Any]:
    if resolved.unmarked:
        rows = rows.filter(marked=False) if rows.model in (Nft, NftRecent) else rows.filter(is_unmarked(nft))
    if not resolved.transferred:
        return rows
    if rows.model is Nft:
        return rows.filter(transferred=True)
    return rows.filter(recent_key__lt=NEVER) if rows.model is NftRecent else rows.filter(was_transferred(nft))


def _of_tokens(rows: QuerySet[Any, Any], resolved: Resolved, nft: str, driver: str) -> QuerySet[Any, Any]:
    if resolved.token_keys is not None and driver not in ("token_keys", "ids"):
        rows = rows.filter(has_token_id(resolved.token_keys, nft))
    if not resolved.excluded_token_keys:
        return rows
    if rows.model in (Nft, NftTrait, NftMarket):
        return rows.exclude(token_key__in=resolved.excluded_token_keys)
    return rows.filter(~has_token_id(resolved.excluded_token_keys, nft))
