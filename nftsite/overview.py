"""What the landing page tells: how much there is, how fresh it is, and queries to start with, all from the data."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.db.models import Exists, Max, Model, OuterRef, Subquery
from django.urls import reverse

from core.db.estimates import estimated_rows
from core.db.keys import NEVER, recency_parts
from core.rest.cards import moment, query_url
from core.rest.freshness import Reach
from core.rest.parameters import join_list
from indexing.freshness import reaches_of_chains
from tokens.browse.counts import by_count, frequent, kinds
from tokens.metadata.trait_texts import label
from tokens.models import Ask, Chain, Contract, Nft, NftMarket, NftRecent
from transfers.models import Transfer

COUNTED = 50_000
"""Rows up to which a table is counted exactly; beyond it, counting would read more than a page may cost."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of things; ``about`` where it is an estimate."""

    label: str
    number: int
    about: bool = False

    @property
    def text(self) -> str:
        """The number for people."""
        return f"about {self.number:,}" if self.about else f"{self.number:,}"


@dataclass(frozen=True, slots=True)
class Freshness:
    """A chain with the time (Unix seconds) and block of its newest transfer; ``None`` where it has none.

    ``indexed_block`` and ``indexed_at`` say up to where it is indexed; ``None`` where no node is followed.
    """

    chain: str
    newest: int | None
    block: int | None
    indexed_block: int | None = None
    indexed_at: int | None = None

    @property
    def moment(self) -> str | None:
        """The time for people, in UTC."""
        return None if self.newest is None else moment(self.newest)

    @property
    def indexed(self) -> str | None:
        """Up to where it is indexed, for people."""
        if self.indexed_block is None:
            return None
        return f"block {self.indexed_block}" + (
            "" if self.indexed_at is None else f", {moment(self.indexed_at)}"
        )


@dataclass(frozen=True, slots=True)
class Example:
    """A query to try: what it asks for and its address."""

    text: str
    url: str


def figures() -> list[Figure]:
    """Return how many NFTs, contracts and transfers there are, at the cost of a few index entries."""
    return [_figure("NFTs", Nft), _figure("Contracts", Contract), _figure("Transfers", Transfer)]


def freshness() -> list[Freshness]:
    """Return the newest transfer of each chain that has NFTs, and up to where it is indexed, by two queries."""
    moved = NftRecent.objects.filter(chain_id=OuterRef("pk"), recent_key__lt=NEVER).order_by("recent_key")
    chains = Chain.objects.filter(Exists(Contract.objects.filter(chain=OuterRef("pk")))).order_by("id")
    rows = chains.values_list("id", "slug", Subquery(moved.values("recent_key")[:1]))
    reaches = reaches_of_chains()
    found = []
    for row_id, slug, key in rows:
        timestamp, block = recency_parts(key)[:2] if key else (None, None)
        reach = reaches.get(row_id, Reach(None, None))
        found.append(Freshness(slug, timestamp, block, reach.block, reach.at))
    return found


def examples(contract: Contract | None) -> list[Example]:
    """Return queries that find something in this database: up to six, fewer where there is less to show.

    ``contract`` is the one that they are about, with its chain; without one there is nothing to ask for.
    """
    if contract is None:
        return []
    recent = query_url(reverse("nfts-by-token"), includeLastTransfer="true")
    newest = Example("The NFTs that moved last, with their last transfer", recent)
    return [newest, *_of_contract(contract), *_of_markets()]


def _of_contract(contract: Contract) -> list[Example]:
    nfts, transfers = reverse("nfts-by-token"), reverse("transfers-by-token")
    identity = {"chain": contract.chain.slug, "contractAddress": contract.address}
    name = contract.name or "the largest contract"
    found = [Example(f"The rarest of {name}", query_url(nfts, **identity, sortBy="rarity"))]
    beginnings = kinds(contract.pk)
    traits = by_count(frequent(contract.pk, beginnings[:1])) if beginnings else []
    if traits:
        kind, value, _ = traits[-1]
        with_it = query_url(nfts, **identity, traits=join_list([label(kind, value)]))
        found.append(Example(f"Those of {name} with {kind} {value}", with_it))
    if contract.transfers.exists():
        found.append(Example(f"All transfers of {name}", query_url(transfers, **identity)))
    return found


def _of_markets() -> list[Example]:
    nfts = reverse("nfts-by-token")
    found = []
    posting = NftMarket.objects.select_related("market").filter(traded=True).order_by().first()
    if posting is not None:
        slug = posting.market.slug
        on_it = query_url(nfts, marketplaces=slug, excludeMarkedNfts="true")
        found.append(Example(f"What trades on {slug}, without marked NFTs", on_it))
    if Ask.objects.filter(active=True).exists():
        for_sale = query_url(nfts, sortBy="lowestAsk", priceFilter="eth,,")
        found.append(Example("What is for sale in ETH, the cheapest first", for_sale))
    return found


def _figure(label: str, model: type[Model]) -> Figure:
    estimate = estimated_rows(model)
    if estimate > COUNTED:
        return Figure(label, estimate, about=True)
    bounded = model._default_manager.order_by().values("pk")[: COUNTED + 1].count()
    if bounded <= COUNTED:
        return Figure(label, bounded)
    if connection.vendor == "postgresql":
        return Figure(label, max(estimate, bounded), about=True)
    # Ids are given out in a row, so the highest is close; SQLite keeps no count.
    highest = model._default_manager.aggregate(highest=Max("pk"))["highest"]
    return Figure(label, highest, about=True)
