"""The queries that are measured: every order with every kind of filter, over the benchmark's own world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tokens.query.ordering import ORDERS

Operation = Literal["nfts", "transfers"]

LARGEST = "contractAddress={largest}"
PATHS: dict[Operation, str] = {"nfts": "/api/v1/nfts/by-token", "transfers": "/api/v1/transfers/by-token"}
IDS = ",".join(map(str, range(30)))
"""In the largest contract, and in two of three others: token ids from 0 on."""

LEVELS = ",".join(f"Level-{number}" for number in range(1, 31))


@dataclass(frozen=True, slots=True)
class Bar:
    """What a kind of query may cost at most: buffers of the key statements, and their milliseconds (median).

    ``embedded_ms``: in the embedded database, with a tenth of the NFTs and less.
    """

    buffers: int | None
    ms: float
    embedded_ms: float


SINGLE = Bar(300, 5, 30)
HIGHEST = Bar(800, 5, 30)
PRICED = Bar(None, 30, 30)
EXCLUDED = Bar(None, 150, 250)
ANYWHERE = Bar(None, 100, 30)
SEVERAL = Bar(None, 20, 500)
HARD = Bar(None, 250, 500)


@dataclass(frozen=True, slots=True)
class Filter:
    """Filters in words and as a query string, in which ``{largest}`` and the like stand for addresses."""

    name: str
    query: str
    bar: Bar = SINGLE
    bar_by_asks: Bar | None = None
    """The bar in the orders by asks, where it differs."""


FILTERS = (
    Filter("nothing", ""),
    Filter("a chain", "chain=ethereum"),
    Filter("a contract", LARGEST),
    Filter("an address on two chains", "contractAddress={shared}"),
    Filter("a contract without a rarity", "contractAddress={unrated}"),
    Filter("30 token ids of a contract", f"{LARGEST}&tokenId={IDS}"),
    Filter("30 token ids anywhere", f"tokenId={IDS}", ANYWHERE, ANYWHERE),
    Filter("29 rare ids and one that all have", "tokenId=1,{rare_ids}", ANYWHERE, ANYWHERE),
    Filter("30 excluded ids of a contract", f"{LARGEST}&excludedTokenIds={IDS}"),
    Filter("30 excluded ids anywhere", f"excludedTokenIds={IDS}", ANYWHERE, ANYWHERE),
    Filter("unmarked of a contract", f"{LARGEST}&excludeMarkedNfts=true"),
    Filter("unmarked anywhere", "excludeMarkedNfts=true"),
    Filter("a large marketplace", f"{LARGEST}&marketplaces=opensea"),
    Filter("a marketplace with 21 NFTs", f"{LARGEST}&marketplaces=rareone"),
    Filter("three marketplaces", f"{LARGEST}&marketplaces=opensea,blur,rareone"),
    Filter("a marketplace anywhere", "marketplaces=blur"),
    Filter("three marketplaces anywhere", "marketplaces=opensea,blur,rareone"),
    Filter("a narrow price", f"{LARGEST}&priceFilter=eth,1,1.01", PRICED, SINGLE),
    Filter("a wide price", f"{LARGEST}&priceFilter=eth,0.1,10", PRICED, SINGLE),
    Filter("a narrow price anywhere", "priceFilter=eth,1,1.001", PRICED, SINGLE),
    Filter("a wide price anywhere", "priceFilter=eth,0.1,10", PRICED, SINGLE),
    Filter("a price in USD", f"{LARGEST}&priceFilter=usd,1000,2000", PRICED, SINGLE),
    Filter("a trait of 3", f"{LARGEST}&traits=Metal-Gold"),
    Filter("a trait of 1,000", f"{LARGEST}&traits=Metal-Bronze"),
    Filter("a trait of 60 %", f"{LARGEST}&traits=Fur-Blue"),
    Filter("a trait of 99.7 %", f"{LARGEST}&traits=Hat-None"),
    Filter("the trait of all that moved long ago", f"{LARGEST}&traits=Era-Old"),
    Filter("three values of a type", f"{LARGEST}&traits=Eyes-Eyes0,Eyes-Eyes1,Eyes-Eyes2"),
    Filter("thirty values of a type", f"{LARGEST}&traits={LEVELS}"),
    Filter("a trait in all contracts", "traits=Fur-Blue", ANYWHERE, ANYWHERE),
    Filter("an excluded trait of 3", f"{LARGEST}&excludedTraits=Metal-Gold"),
    Filter("an excluded trait of 60 %", f"{LARGEST}&excludedTraits=Fur-Blue", EXCLUDED, EXCLUDED),
    Filter("an excluded trait of 99.7 %", f"{LARGEST}&excludedTraits=Hat-None", EXCLUDED, EXCLUDED),
    Filter(
        "an excluded trait of all that moved lately", f"{LARGEST}&excludedTraits=Era-New", EXCLUDED, EXCLUDED
    ),
    Filter("rare and common trait", f"{LARGEST}&traits=Metal-Gold,Fur-Blue", SEVERAL),
    Filter("traits of 1,000 and 60 %", f"{LARGEST}&traits=Metal-Bronze,Fur-Blue", SEVERAL),
    Filter("two common traits", f"{LARGEST}&traits=Fur-Blue,Era-New", SEVERAL),
    Filter("three traits", f"{LARGEST}&traits=Fur-Blue,Skin-Flesh,Eyes-Eyes0", SEVERAL),
    Filter("two common traits that nothing has", f"{LARGEST}&traits=Era-Old,Skin-Flesh", HARD),
    Filter("large marketplace and old trait", f"{LARGEST}&marketplaces=opensea&traits=Era-Old", HARD),
    Filter("common trait, unmarked", f"{LARGEST}&traits=Fur-Blue&excludeMarkedNfts=true", SEVERAL),
    Filter("common trait, and another excluded", f"{LARGEST}&traits=Era-New&excludedTraits=Fur-Blue", HARD),
    Filter("common trait, wide price", f"{LARGEST}&traits=Fur-Blue&priceFilter=eth,0.1,10", SEVERAL),
    Filter("old trait, narrow price", f"{LARGEST}&traits=Era-Old&priceFilter=eth,1,1.01", SEVERAL),
    Filter("30 token ids, a trait", f"{LARGEST}&tokenId={IDS}&traits=Fur-Blue", SEVERAL),
    Filter("30 token ids, a wide price", f"{LARGEST}&tokenId={IDS}&priceFilter=eth,0.1,10", SEVERAL),
    Filter("30 token ids anywhere, a wide price", f"tokenId={IDS}&priceFilter=eth,0.1,10", HARD),
    Filter(
        "marketplaces, price, unmarked",
        f"{LARGEST}&marketplaces=opensea,blur&priceFilter=eth,0.01,1&excludeMarkedNfts=true",
        HARD,
    ),
    Filter(
        "five filters at odds",
        f"{LARGEST}&traits=Fur-Blue,Eyes-Eyes0&excludedTraits=Era-New&marketplaces=opensea,superrare"
        "&excludeMarkedNfts=true",
        HARD,
    ),
    Filter(
        "a chain, a marketplace, unmarked", "chain=ethereum&marketplaces=blur&excludeMarkedNfts=true", SEVERAL
    ),
    Filter("what an escrow holds", "ownerAddress={escrow}"),
    Filter("what an escrow holds of a contract", f"{LARGEST}&ownerAddress={{escrow}}"),
    Filter(
        "what an escrow holds, a common trait", f"{LARGEST}&ownerAddress={{escrow}}&traits=Fur-Blue", SEVERAL
    ),
    Filter(
        "what an escrow holds, an old trait", f"{LARGEST}&ownerAddress={{escrow}}&traits=Era-Old", SEVERAL
    ),
    Filter("what an escrow holds, unmarked", "ownerAddress={escrow}&excludeMarkedNfts=true", SEVERAL),
    Filter("what an escrow holds, a marketplace", "ownerAddress={escrow}&marketplaces=blur", SEVERAL),
    Filter("what an escrow holds, a wide price", "ownerAddress={escrow}&priceFilter=eth,0.1,10", PRICED),
    Filter("what an escrow holds, a narrow price", "ownerAddress={escrow}&priceFilter=eth,1,1.01", PRICED),
    Filter("what a holder of a few has", "ownerAddress={holder}"),
    Filter("what a holder of a few has of a contract", f"{LARGEST}&ownerAddress={{holder}}"),
    # Every NFT of the world has one of the two: all would have to be passed to tell that nothing is left.
    Filter("an excluded trait each of all", f"{LARGEST}&excludedTraits=Era-New,Era-Old", EXCLUDED, EXCLUDED),
)
SCOPES = {"on a chain": "chain=ethereum", "anywhere": ""}


def beyond_a_contract() -> Iterator[Filter]:
    """Yield the filters of a contract again, over a chain and over all there is, but those that stand there already.

    None of their pages may take a quarter of a second.
    """
    standing = {item.query for item in FILTERS}
    for item in FILTERS:
        if LARGEST in item.query and item.query != LARGEST:
            for name, query in SCOPES.items():
                place = item.query.replace(LARGEST, query).strip("&")
                if place not in standing:
                    yield Filter(f"{item.name.removesuffix(' of a contract')}, {name}", place, HARD)


TRANSFER_FILTERS = (
    Filter("a contract", LARGEST),
    Filter("an address on two chains", "contractAddress={shared}"),
    Filter("a contract without a rarity", "contractAddress={unrated}"),
    Filter("a contract on a chain", f"{LARGEST}&chain=ethereum"),
    Filter("a token", f"{LARGEST}&tokenId=1"),
    Filter("the token with most transfers", f"{LARGEST}&tokenId=7"),
    Filter("a mint", "contractAddress={mint}"),
    Filter("what an escrow holds", f"{LARGEST}&ownerAddress={{escrow}}", SEVERAL, SEVERAL),
    Filter("what a holder of a few has", f"{LARGEST}&ownerAddress={{holder}}"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """One query: its operation, order and filters, and what it may cost."""

    operation: Operation
    order: str
    filter: Filter

    @property
    def bar(self) -> Bar:
        """What the issue of speed allows."""
        kind = self.filter.bar
        if self.order in ("lowestAsk", "highestAsk"):
            kind = self.filter.bar_by_asks or kind
        return HIGHEST if kind is SINGLE and self.order == "highestAsk" else kind

    def query(self, names: dict[str, str]) -> str:
        """Return the query string; ``names`` fill the places in the filter."""
        filters = self.filter.query.format(**names)
        return "&".join(part for part in (filters, f"sortBy={self.order}" if self.order else "") if part)

    def address(self, names: dict[str, str]) -> str:
        """Return path and query string of the request."""
        return f"{PATHS[self.operation]}?{self.query(names)}"


def shapes() -> Iterator[Shape]:
    """Yield every order with every filter, for both operations."""
    of_nfts = *FILTERS, *beyond_a_contract()
    for operation, filters in (("nfts", of_nfts), ("transfers", TRANSFER_FILTERS)):
        for item in filters:
            for order in ORDERS:
                yield Shape(operation, order, item)  # type: ignore[arg-type]
