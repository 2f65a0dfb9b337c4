"""What the landing page tells: how much there is, how fresh it is, and queries to start with, all from the data."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection
from django.db.models import Exists, Max, Model, OuterRef, Subquery
from django.urls import reverse

from core.db.estimates import estimated_rows_of
from core.db.keys import NEVER, recency_parts
from core.db.states import capped_counts
from core.rest.cards import moment, query_url
from core.rest.freshness import Reach
from core.rest.parameters import join_list
from indexing.freshness import reaches_of_chains
from nftsite.browse.home import COLLECTIONS, largest
from tokens.browse.counts import leads_away
from tokens.metadata.trait_texts import label
from tokens.models import Ask, Chain, Contract, Nft, NftMarket, NftRecent, TraitValue
from tokens.models.market import ANYWHERE
from transfers.models import Transfer

LOOKED_AT = 20
"""Traits of a collection among which one is chosen for an example."""
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
    """Return how many NFTs, contracts and transfers there are, by two queries that cost a few index entries."""
    models: dict[str, type[Model]] = {"NFTs": Nft, "Contracts": Contract, "Transfers": Transfer}
    estimates = dict(zip(models, estimated_rows_of(list(models.values())), strict=True))
    small = {label: model for label, model in models.items() if estimates[label] <= COUNTED}
    counts = (
        capped_counts([model._default_manager.all() for model in small.values()], COUNTED) if small else []
    )
    bounded = dict(zip(small, counts, strict=True))
    return [_figure(label, model, estimates[label], bounded.get(label)) for label, model in models.items()]


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


def examples(contract: Contract | None = None) -> list[Example]:
    """Return queries that find something in this database: up to six, fewer where there is less to show.

    ``contract`` is the one that they are about, with its chain; the largest where none is named.
    """
    if contract is None:
        contract = Contract.objects.select_related("chain").filter(pk__in=largest(COLLECTIONS, 1)).first()
    if contract is None:
        return []
    nfts, transfers = reverse("nfts-by-token"), reverse("transfers-by-token")
    identity = {"chain": contract.chain.slug, "contractAddress": contract.address}
    name = contract.name or "the largest contract"
    found = [
        Example(
            "The NFTs that moved last, with their last transfer", query_url(nfts, includeLastTransfer="true")
        ),
        Example(f"The rarest of {name}", query_url(nfts, **identity, sortBy="rarity")),
    ]
    some = TraitValue.objects.filter(contract=contract, count__gt=0).order_by("pair_key")[:LOOKED_AT]
    trait = next((one for one in some if not leads_away(one.value)), None)
    if trait is not None:
        with_it = query_url(nfts, **identity, traits=join_list([label(trait.type, trait.value)]))
        found.append(Example(f"Those of {name} with {trait.type} {trait.value}", with_it))
    # Above ANYWHERE: below it lie the many postings of wide holders.
    there = NftMarket.objects.filter(market_id__gt=ANYWHERE, traded=True)
    posting = there.order_by().values("market__slug")[:1]
    (moved, market, asked) = Contract.objects.values_list(
        Exists(Transfer.objects.filter(contract=contract)),
        Subquery(posting),
        Exists(Ask.objects.filter(active=True)),
    ).get(pk=contract.pk)
    if moved:
        found.append(Example(f"All transfers of {name}", query_url(transfers, **identity)))
    if market:
        on_it = query_url(nfts, marketplaces=market, excludeMarkedNfts="true")
        found.append(Example(f"What trades on {market}, without marked NFTs", on_it))
    if asked:
        for_sale = query_url(nfts, sortBy="lowestAsk", priceFilter="eth,,")
        found.append(Example("What is for sale in ETH, the cheapest first", for_sale))
    return found


def _figure(label: str, model: type[Model], estimate: int, bounded: int | None) -> Figure:
    if bounded is not None and bounded <= COUNTED:
        return Figure(label, bounded)
    if bounded is None or connection.vendor == "postgresql":
        return Figure(label, max(estimate, bounded or 0), about=True)
    # Ids are given out in a row, so the highest is close; SQLite keeps no count.
    highest = model._default_manager.aggregate(highest=Max("pk"))["highest"]
    return Figure(label, highest, about=True)
