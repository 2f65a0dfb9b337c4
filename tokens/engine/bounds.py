"""How many entries of a list a page may have to pass at most, as far as sizes of lists tell it, and where that ends.

A filter that most NFTs of a list fail has the list walked until a page is full. How often it fails is known before:
an excluded trait is had by so many NFTs, of a trait's list no more are passed than it has, and of those with asks no
more than there are. Where that is too many a page would take seconds of a database that others use too, and the query
is refused before anything is read. It is the same on every page of a walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from django.db.models import Sum
from rest_framework.exceptions import ErrorDetail, ValidationError

from core.db.keyset import Lists, count_up_to
from tokens.engine.by_price import ask_lists
from tokens.engine.conditions import ENDLESS, LOOKED_UP, MANY
from tokens.engine.scope_lists import (
    SMALL,
    asked_lists,
    ids_of,
    in_contract,
    market_lists,
    named_by_tokens,
    price_lists,
    walks_markets,
)
from tokens.models import Contract, Nft, NftMarket
from tokens.query.ordering import Order
from tokens.query.resolving import Resolved

MOST_MERGED: Final = 500_000
"""Entries that a page may pass where lists are merged: half a microsecond each. In an order by asks half as many, as
those that have asks are passed apart, and looked up."""

CHEAP: Final = 5_000
"""Entries up to which a page is one like any other."""


def check(resolved: Resolved, order: Order) -> int:
    """Return how many entries a page passes at most because of several filters; 0 where no page passes many.

    Raises ``ValidationError`` on ``traits``, ``excludedTraits`` or ``tokenId`` where that is too much. Beside sizes
    that are at hand it counts lists, as far as is allowed, where those alone would have the query refused.
    """
    groups = [*resolved.trait_groups, *filter(None, [resolved.excluded])]
    looked_up = resolved.token_keys is not None or any(len(group.ids) > MANY for group in groups)
    most = LOOKED_UP if looked_up else MOST_MERGED if order.asks is None else MOST_MERGED // 2
    passed = _passed_at_most(resolved, most)
    if passed <= most:
        return passed
    for shorter in _shorter(resolved, order, most):
        if shorter <= most:
            return shorter
    detail = (
        f"Too expensive: a page might have to pass {passed:,} NFTs or more, and {most:,} are allowed. "
        "Name a contractAddress or a chain, or a trait that fewer NFTs have."
    )
    name = "traits" if resolved.trait_groups else "tokenId" if resolved.held is None else "ownerAddress"
    raise ValidationError(
        {name if resolved.excluded is None else "excludedTraits": [ErrorDetail(detail, code="invalid")]}
    )


def _passed_at_most(resolved: Resolved, most: int) -> int:
    if resolved.nft_ids is not None:
        return 0
    if resolved.token_keys is not None:
        many = resolved.asks_more_than_tokens and not in_contract(resolved)
        return _count([Lists(named_by_tokens(resolved))], most) if many else 0
    sizes = resolved.sizes
    if resolved.excluded is not None:
        return min([resolved.excluded.size, *sizes])
    beside = len(sizes) > 1 or resolved.market_ids is not None or resolved.price is not None
    return min(sizes) if sizes and (beside or resolved.selection.unmarked) else 0


def _shorter(resolved: Resolved, order: Order, most: int) -> Iterator[int]:
    """Yield what a page passes at most because every match is in another list too, which is walked then, or because few
    fail the one condition that there is beside the walked list."""
    if resolved.token_keys is not None:
        return
    if resolved.price is not None:
        yield _length(price_lists(resolved, resolved.price), SMALL)
        if resolved.held is not None and order.asks is not None:
            yield _length([asked_lists(resolved)], SMALL)
        yield _count([asked_lists(resolved) if order.asks is None else ask_lists(resolved)], most)
    elif order.asks is None and walks_markets(resolved):
        # With a trait too its list is walked, unless those of the marketplaces are small.
        enough = SMALL if resolved.sizes else most
        yield _length([market_lists(resolved, NftMarket.objects.all())], enough)
    others = resolved.excluded, resolved.market_ids, resolved.price
    if resolved.selection.unmarked and len(resolved.sizes) == 1 and all(other is None for other in others):
        yield _marked(most)


def _length(lists: Iterable[Lists], enough: int) -> int:
    """Return how many entries lists have together; ``ENDLESS`` where they are too many for them to be walked."""
    found = _count(lists, enough)
    return found if found <= enough else ENDLESS


def _marked(most: int) -> int:
    """Return how many NFTs are marked at most, those of marked contracts included; ``most`` + 1 for more than that."""
    own = _count([Lists(Nft.objects.filter(own_marked=True).order_by())], most)
    return own + (Contract.objects.filter(marked=True).aggregate(nfts=Sum("nft_count"))["nfts"] or 0)


def _count(lists: Iterable[Lists], most: int) -> int:
    """Return how many entries lists have together; ``most`` + 1 for more than that."""
    return count_up_to([ids_of(one, most + 1) for one in lists], most + 1)
