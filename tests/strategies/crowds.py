"""Worlds of many contracts with few NFTs each, all with the same few traits: of each value every contract has a list.

An NFT has a type several times, untyped traits, and one value under two types, so that it stands in several of the
lists that one query merges. Drawn by a plain generator of random numbers: hypothesis prefers small and equal things,
and of these a crowd has enough.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.builders import Line, ask, contract, nft, rate, transaction_hash, transfer
from tests.oracle.model import Oracle
from tests.strategies import pools
from tests.strategies.pools import NOW
from tests.strategies.queries import ORDERS, PRICES, Query, as_list

PAIRS: list[list[tuple[str, Any]]] = [
    [("Accessory", "A"), ("Accessory", "B"), ("Accessory", "C")],
    [("", "Gold"), ("", "Red"), ("", "5")],
    [("Hi", "Top-Red"), ("Hi-Top", "Red"), ("Hi", "Low")],
    [("Level", 5), ("Level", "6"), ("Level", True)],
]
"""Traits of a crowd, by what can be alternatives. `Hi-Top-Red` is a value of two types."""

ENTRIES = [
    ["Accessory-A", "Accessory-B", "Accessory-C", "Accessory-Nope"],
    ["-Gold", "-Red", "-5", "-Nope"],
    ["Hi-Top-Red", "Hi-Low"],
    ["Level-5", "Level-6", "Level-true"],
    ["Hat-Nope"],
]
LIMITS = [[30], [30], [15], [29, 1, 2], [7], [16, 3], [2]]
MARKETS = pools.MARKETS[:2]


def crowd(pick: Random) -> list[Line]:
    """Lines of 3 to 70 contracts on two chains, which share some addresses, with one to five NFTs each."""
    count, most = pick.choice([(70, 1), (40, 1), (40, 2), (12, 5), (3, 20)])
    kinds = pick.sample(PAIRS, pick.choice([1, 1, 2, 4]))
    likely = pick.choice([0.4, 0.7, 1])
    lines = [rate(), rate("USDC", "1")]
    for number in range(count):
        chain = pick.choice(["ethereum", "polygon"])
        address = f"0x{number // 2 if pick.random() < 0.5 else count + number:040x}"
        if pick.random() < 0.1:
            lines.append(contract(address, chain, marked=True, markedReason="spam"))
        for token in range(pick.randint(1, most)):
            traits = [pair for pairs in kinds for pair in pairs if pick.random() < likely]
            lines += _nft(pick, str(token), address, chain, number, traits)
    return lines


def _nft(
    pick: Random, token: str, address: str, chain: str, number: int, traits: list[tuple[str, Any]]
) -> list[Line]:
    """An NFT with its transfer, if any, and its asks. Blocks, scores and prices are those of many."""
    fields: Line = {"rarity": pick.choice(pools.RARITIES)} if pick.random() < 0.5 else {}
    if pick.random() < 0.25:
        fields["markets"] = pick.sample(MARKETS, pick.choice([1, 2]))
    lines = [nft(token, address, chain, traits=traits, **fields)]
    if pick.random() < 0.5:
        log = number * 100 + int(token)
        lines.append(transfer(token, address, chain, block=pick.randint(1, 3), log=log))
    for place in range(pick.choice([0, 0, 1, 2])):
        more: Line = {"validUntil": pick.choice([NOW, NOW + 1])} if pick.random() < 0.3 else {}
        lines.append(
            ask(
                token,
                address,
                chain,
                price=pick.choice(["0.5", "1", "2"]),
                currency=pick.choice(["ETH", "WETH", "USDC", "APE"]),
                market=pick.choice(MARKETS),
                order=transaction_hash("crowd", chain, address, token, place),
                **more,
            )
        )
    return lines


def crowd_query(pick: Random, oracle: Oracle) -> Query:
    """A query by traits as a rule, mostly without a contract, with up to two other filters."""
    nfts = sorted(oracle.world.nfts, key=repr)
    query: Query = {"sortBy": pick.choice(ORDERS)}
    if pick.random() < 0.9:
        groups = pick.sample(ENTRIES, pick.choice([1, 1, 1, 2, 3]))
        query["traits"] = as_list([entry for group in groups for entry in _some(pick, group)])
    others: Query = {
        "chain": pick.choice(["ethereum", "polygon"]),
        "contractAddress": pick.choice(nfts)[1] or "",
        "tokenId": as_list(_some(pick, ["0", "1", "2", "3", "9"])),
        "excludedTokenIds": as_list(_some(pick, ["0", "1", "2", "3", "9"])),
        "excludedTraits": as_list(_some(pick, pick.choice(ENTRIES))),
        "marketplaces": as_list(_some(pick, [*MARKETS, "nowhere"])),
        "priceFilter": pick.choice([one for one in PRICES if not one.startswith("xyz")]),
        "excludeMarkedNfts": "true",
    }
    for name in pick.sample(sorted(others), pick.choice([0, 0, 1, 1, 2])):
        query[name] = others[name]
    return query


def _some(pick: Random, entries: list[str]) -> list[str]:
    return pick.sample(entries, pick.randint(1, len(entries)))
