"""The collections, as the start page lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from core.db.keyset import Lists, after, merge
from core.db.statements import Slot
from core.rest.cards import Card, Fact, query_url
from core.rest.states import shown
from media.links import Links
from nftsite.browse.covers import covers
from nftsite.browse.floors import Floor, floors
from nftsite.browse.places import collection_url
from nftsite.browse.search import named
from tokens.models import Chain, Contract
from transfers.models import CollectionFigures

SIZE = 24
COLLECTIONS = Contract.objects.filter(address__gt="").order_by("-nft_count", "-id")
_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of collections, and the address of the next one."""

    items: Sequence[Card]
    rows: Sequence[Contract]
    next_url: str | None


def listed(path: str, sought: str, behind: str, links: Links, now: int) -> Listed:
    """Return a page of the collections, the largest first; at most six queries.

    ``sought`` are words of a name (blank: all), ``behind`` the place of the last one of the page before. Raises
    ``ValueError`` for a place that is none.
    """
    place = _PLACE.fullmatch(behind)
    if behind and place is None:
        raise ValueError(f"no place in the list: {behind[:40]!r}")
    rows = COLLECTIONS
    if place is not None:
        rows = rows.filter(after("nft_count", "id", int(place[1]), int(place[2]), descending=True))
    ids = (
        list(named(rows, sought).values_list("id", flat=True)[: SIZE + 1])
        if sought
        else largest(rows, SIZE + 1)
    )
    chosen = Contract.objects.filter(pk__in=ids).select_related("chain", "figures")
    found = list(chosen.order_by("-nft_count", "-id"))
    page = found[:SIZE]
    last = page[-1] if len(found) > SIZE else None
    next_url = None if last is None else query_url(path, q=sought, after=f"{last.nft_count}-{last.pk}")
    pictures = covers([figures.cover_id for row in page if (figures := figures_of(row))], links)
    lowest = floors([row.pk for row in page], now)
    return Listed([_card(row, pictures, lowest.get(row.pk)) for row in page], page, next_url)


def largest(rows: QuerySet[Contract], most: int) -> list[int]:
    """Return the ids of the largest collections of all chains, each of which has its list in this order."""
    chains = Chain.objects.values_list("id", flat=True)
    fillings = [{"chain": row_id} for row_id in chains]
    columns = rows.filter(chain_id=Slot("chain")).values_list("nft_count", "id")[:most]
    return [row_id for _, row_id in merge([Lists(columns, fillings)], most, descending=True)]


def figures_of(row: Contract) -> CollectionFigures | None:
    """Return what was counted of a collection that was selected with its figures; ``None`` before the first count."""
    return getattr(row, "figures", None)


def owners_text(figures: CollectionFigures) -> str:
    """Return the number of owners for people; a collection was seldom burnt whole, and often loaded without them."""
    if not figures.owners:
        return "none known"
    return f"about {figures.owners:,}" if figures.about else f"{figures.owners:,}"


def _card(row: Contract, pictures: dict[int, str], floor: Floor | None) -> Card:
    figures = figures_of(row)
    facts = [Fact("NFTs", f"{row.nft_count:,}")]
    if figures is not None:
        facts.append(Fact("Owners", owners_text(figures)))
    facts.append(Fact("Floor", "no ask" if floor is None else floor.brief))
    if figures is not None:
        facts.append(Fact("Sales, 30 days", f"{figures.recent_sales:,}"))
    else:
        facts.append(Fact("Owners, sales", "not counted yet"))
    return Card(
        title=shown(row.name or row.symbol or row.address, 120),
        url=collection_url(row.chain.slug, row.address),
        subtitle=row.chain.slug,
        image=pictures.get(figures.cover_id or 0) if figures else None,
        facts=facts,
        mark=(row.marked_reason or "") if row.marked else None,
    )
