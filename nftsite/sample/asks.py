"""What is for sale in the sample: asks that stay live for years, beside some that are filled, cancelled or over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from nftsite.sample import names
from nftsite.sample.collections import Collection
from nftsite.sample.market import DAY, END, MONEY, Line

FAR = 4_102_444_800
"""Unix time at which the asks with an end do end: 2100-01-01."""
SHARE = 0.4
"""Share of the NFTs that are for sale."""


def asks(collection: Collection, makers: Mapping[int, Sequence[str]]) -> Iterator[Line]:
    """Yield the asks of a collection; ``makers`` are the holders of each NFT, by its number."""
    random = Random(f"asks of {collection.slug}")  # noqa: S311 - a sample's data, not a secret
    if collection.marked:
        return
    for number, holders in makers.items():
        if random.random() >= SHARE:
            continue
        base = collection.price * random.lognormvariate(0.3, 0.4)
        for offer in range(random.choice((1, 1, 1, 2, 3))):
            line = _ask(random, collection, number, random.choice(holders), base * (1 + offer / 10), offer)
            yield line
    yield from _over(random, collection, makers)


def _ask(random: Random, collection: Collection, number: int, maker: str, price: float, offer: int) -> Line:
    money = random.choice(MONEY[collection.chain])
    line: Line = {
        "record": "ask",
        "chain": collection.chain,
        "contractAddress": collection.address,
        "tokenId": collection.token_id(number),
        "marketplace": random.choice(collection.markets),
        "orderHash": names.transaction("ask", collection.slug, number, offer),
        "currency": money.symbol,
        "price": f"{price * money.per_native:.4f}".rstrip("0").rstrip("."),
        "maker": maker,
        "validFrom": END - random.randrange(1, 30) * DAY,
    }
    if collection.standard == "ERC1155":
        line["amount"] = "1"
    if random.random() < 0.25:
        line["validUntil"] = FAR
    return line


def _over(random: Random, collection: Collection, makers: Mapping[int, Sequence[str]]) -> Iterator[Line]:
    """Asks that count no more; each would be the cheapest if it did."""
    for offer, (status, more) in enumerate(
        (("filled", {}), ("cancelled", {}), ("open", {"validUntil": END - 1})), start=10
    ):
        for number in random.sample(sorted(makers), 4):
            line = _ask(random, collection, number, makers[number][0], collection.price / 10, offer)
            yield line | {"status": status} | more
