"""The sample as lines of the interchange format: the same bytes each time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from nftsite.sample import drawing, names
from nftsite.sample.asks import asks
from nftsite.sample.collections import COLLECTIONS, STOLEN, Collection, Traits, traits_of
from nftsite.sample.editions import Editions
from nftsite.sample.history import History, collector
from nftsite.sample.market import Line, rates
from nftsite.sample.rarity import rarities
from tokens.rarity.openrarity import Rating

COLLECTOR_ENS = "collector.nft-sample.eth"


def sample() -> Iterator[bytes]:
    """Yield the sample, line by line."""
    for line in sample_lines():
        yield json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def sample_lines() -> Iterator[Line]:
    """Yield the lines as objects: rates, then each collection with its NFTs, transfers and asks, then ENS names."""
    yield from rates()
    for collection in COLLECTIONS:
        yield _contract(collection)
        population = traits_of(collection.slug)
        for number, (traits, rarity) in enumerate(
            zip(population, rarities(population), strict=True), start=1
        ):
            yield _nft(collection, number, traits, rarity)
        history, makers = _played(collection)
        yield from history
        yield from asks(collection, makers)
    yield {"record": "ens", "name": COLLECTOR_ENS, "address": collector(COLLECTIONS[0], 1)}


def _played(collection: Collection) -> tuple[list[Line], Mapping[int, Sequence[str]]]:
    """Return the transfers of a collection, and who holds each NFT after them."""
    if collection.standard == "ERC1155":
        editions = Editions(collection)
        lines = list(editions.lines())
        return lines, {number: sorted(units) for number, units in editions.units.items()}
    history = History(collection)
    lines = list(history.lines())
    return lines, {number: [holder] for number, holder in sorted(history.holders.items())}


def _contract(collection: Collection) -> Line:
    line: Line = {
        "record": "contract",
        "chain": collection.chain,
        "contractAddress": collection.address,
        "contractStandard": collection.standard,
        "name": collection.name,
        "symbol": collection.symbol,
    }
    if collection.ens:
        line["ensName"] = collection.ens
    if collection.marked:
        line |= {"marked": True, "markedReason": collection.marked}
    return line


def _nft(collection: Collection, number: int, traits: Traits, rarity: Rating) -> Line:
    media_type, image_url = drawing.image_url(collection.slug, number)
    line: Line = {
        "record": "nft",
        "chain": collection.chain,
        "contractAddress": collection.address,
        "tokenId": collection.token_id(number),
        "uri": f"https://metadata.sample.example/{collection.slug}/{number}.json",
        "metadata": {
            "name": f"{collection.item} #{number}",
            "description": collection.story,
            "imageMediaType": media_type,
            "imageUrl": image_url,
            "traits": [{"traitType": kind, "traitValue": value} for kind, value in traits.items()],
        },
        "rarity": rarity.score,
        "rank": rarity.rank,
        "native": {"edition": names.digest("edition", collection.slug, number, size=4).hex()},
    }
    if reason := STOLEN.get((collection.slug, number)):
        line |= {"marked": True, "markedReason": reason}
    return line
