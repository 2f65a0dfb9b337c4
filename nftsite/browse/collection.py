"""What is known of one collection, as its page tells it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse

from core.rest.cards import Row, moment, plain_number
from core.rest.freshness import Subject
from core.rest.parameters import join_list
from core.rest.states import Link, shown
from indexing.freshness import reach_of
from media.links import Links
from nftsite.browse import explorers
from nftsite.browse.covers import covers
from nftsite.browse.floors import floors
from nftsite.browse.home import figures_of, owners_text
from nftsite.browse.places import Collection
from nftsite.browse.plot import bars, plot
from tokens.browse.counts import KINDS, by_count, frequent, kinds
from tokens.metadata.trait_texts import label
from tokens.models import Nft
from transfers.models import CollectionFigures, Transfer
from transfers.records.cards import transfer_rows
from transfers.records.transfer import transfer_records
from transfers.viewsets import TransferViewSet

NEWEST = 8
"""Sales that the page shows; a page of their own has all."""
VALUES = 6
"""Values of each kind of traits, the most frequent ones."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: what it is of, the figure, where it leads, and what stands below it."""

    label: str
    text: str
    url: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of traits with its most frequent values, each a link to the NFTs that have it; ``url`` has all values."""

    name: str
    values: Sequence[Link]
    url: str


@dataclass(frozen=True, slots=True)
class Table:
    """Transfers as the template of Transfers by Token draws them."""

    items: Sequence[Row]
    columns: Sequence[str] = TransferViewSet.columns


def context(one: Collection, links: Links, now: int) -> dict[str, Any]:
    """Return what the page of a collection shows, read in nine statements."""
    row, figures = one.row, figures_of(one.row)
    details = json.loads(figures.details) if figures else {}
    return {
        "one": one,
        "mark": (row.marked_reason or "") if row.marked else None,
        "picture": next(iter(covers([figures.cover_id], links).values()), None) if figures else None,
        "figures": _figures(one, figures, now),
        "counted": moment(figures.counted_at) if figures else None,
        "plot": plot(details["sales"]) if details else None,
        "rarity": bars(details["rarity"]) if details else None,
        "kinds": _kinds(one),
        "most_kinds": KINDS,
        "sales": sales_table(sales_of(one).values_list("id", flat=True)[:NEWEST], links),
        "sales_url": reverse("collection-sales", args=[one.chain.slug, row.address]),
        "marked_url": reverse("collection-marked", args=[one.chain.slug, row.address]),
        "has_marked": row.marked or Nft.objects.filter(contract_id=row.pk, own_marked=True).exists(),
        "freshness": _freshness(one, figures),
        "rarest_url": one.query("nfts-by-token", sortBy="rarity"),
        "explorers": [link] if (link := explorers.of_address(one.chain.slug, row.address)) else [],
        "curl_path": one.nfts_url,
    }


def sales_of(one: Collection) -> QuerySet[Transfer]:
    """Return the sales of a collection, the newest first."""
    rows = Transfer.objects.filter(contract_id=one.row.pk, transfer_type=Transfer.Type.SALE)
    return rows.order_by("recent_key", "id")


def sales_table(ids: Iterable[int], links: Links) -> Table:
    """Return transfers by their ids as a table; by three statements."""
    row_ids = list(ids)
    records = transfer_records(row_ids, links=links)
    return Table(transfer_rows(row_ids, records, links))


def _figures(one: Collection, figures: CollectionFigures | None, now: int) -> list[Figure]:
    row = one.row
    floor = floors([row.pk], now).get(row.pk)
    cheapest = one.query("nfts-by-token", sortBy="lowestAsk")
    found = [
        Figure("NFTs", f"{row.nft_count:,}", one.nfts_url),
        Figure(
            "Floor",
            "no ask" if floor is None else floor.price,
            cheapest,
            f"on {floor.market}" if floor else "",
        ),
    ]
    if figures is None:
        return [*found, Figure("Owners, sales", "not yet", note="counted within minutes")]
    worth = f"{plain_number(float(f'{figures.recent_value:.4g}'))} ETH" if figures.recent_sales else ""
    return [
        *found,
        Figure("Owners", owners_text(figures)),
        Figure("Sales, 30 days", f"{figures.recent_sales:,}", note=worth),
        Figure(
            "All sales", f"{figures.sales:,}", reverse("collection-sales", args=[one.chain.slug, row.address])
        ),
    ]


def _kinds(one: Collection) -> list[Kind]:
    """Return the kinds of traits, by their names; two statements."""
    beginnings = kinds(one.row.pk)
    found = defaultdict(list)
    for trait in frequent(one.row.pk, beginnings[:KINDS]) if beginnings else ():
        found[trait.kind].append(trait)
    return [
        Kind(
            shown(kind) or "without a kind",
            [
                Link(
                    shown(trait.value),
                    one.query("nfts-by-token", traits=join_list([label(kind, trait.value)])),
                    note=_count(one, trait.nfts),
                )
                for trait in by_count(found[kind])[:VALUES]
            ],
            f"{one.nfts_url}&{urlencode({'_facet': kind})}" if len(found[kind]) > VALUES else "",
        )
        for kind in sorted(found)
    ]


def _count(one: Collection, nfts: int) -> str:
    share = nfts / one.row.nft_count if one.row.nft_count else 0
    return f"{nfts:,} ({share:.1%})"


def _freshness(one: Collection, figures: CollectionFigures | None) -> list[tuple[str, str]]:
    """Return how complete and how fresh the data is, as labelled lines; one statement."""
    reach = reach_of(Subject(one.chain.slug, one.row.address))
    indexed = "not from a node: what was loaded is all there is"
    if reach.block is not None:
        at = "" if reach.at is None else f", of {moment(reach.at)}"
        indexed = f"block {reach.block:,}{at}"
    asks = "from what was loaded and what the chain tells; no order book is read"
    if reach.asks_at is not None:
        asks = f"the whole book, last read from {moment(reach.asks_at)} on"
    found = [("Indexed up to", indexed), ("Asks", asks)]
    if figures is not None:
        found.append(("Metadata", f"read of {figures.described:,} of {figures.known:,} NFTs"))
        found.append(("Owners, sales, plots", f"counted {moment(figures.counted_at)}"))
    found.append(("NFTs, floor, traits, newest sales", "as of this moment"))
    return found
