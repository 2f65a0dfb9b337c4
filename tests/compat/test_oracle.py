"""Sales, owners, balances, counts and shares are what the brute-force model says, over made-up worlds, on both engines.

Pages are walked whole, at limits that cut everywhere, and with the walks' own limits so low that they go every way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.db.texts import storable
from tests.builders import Line
from tests.compat.client import Alchemy
from tests.oracle.model import Oracle
from tests.oracle.text import plain_address, value_text
from tests.strategies.pools import PEOPLE
from tests.strategies.worlds import worlds
from tests.walks.checking import load, loaded

pytestmark = pytest.mark.django_db
EXAMPLES = settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
CHAINS = {"ethereum": "eth-mainnet", "polygon": "polygon-mainnet"}
SMALL = st.sampled_from([(1, 2, 1), (2, 3, 2), (1000, 900, 200)])
"""Items of a page, sales that are looked at, and owners of a contract a page."""


@contextmanager
def limits(looked: int, owners: int) -> Iterator[None]:
    """Have the walks look at few rows."""
    with ExitStack() as stack:
        stack.enter_context(patch("compat.lists.LOOKED_AT", looked))
        stack.enter_context(patch("compat.owners.OWNERS", owners))
        stack.enter_context(patch("compat.owners.BALANCES", owners))
        yield


def sales(oracle: Oracle, chain: str) -> list[Line]:
    """Every sale of a chain, by block."""
    every = (one for one in oracle.world.transfers.values() if one["nft"][0] == chain)
    sold = [one for one in every if one.get("transferType") == "sale"]
    return sorted(sold, key=lambda one: (one["blockNumber"], one["logIndex"], one["batchIndex"]))


def identity(line: Line) -> tuple[Any, ...]:
    return line["blockNumber"], line["logIndex"], line["batchIndex"], line["transactionHash"], line["nft"][2]


def shown(record: dict[str, Any]) -> tuple[Any, ...]:
    names = ("blockNumber", "logIndex", "bundleIndex", "transactionHash", "tokenId")
    return tuple(record[name] for name in names)


def taker(line: Line) -> str:
    sender, seller = line.get("transactionFrom"), line.get("fromAddress")
    return "SELLER" if sender and seller and plain_address(sender) == plain_address(seller) else "BUYER"


@given(worlds(), SMALL, st.randoms(use_true_random=False))
@EXAMPLES
def test_sales_by_every_filter(lines: list[Line], sizes: tuple[int, int, int], chance: Random) -> None:
    oracle, alchemy = Oracle(lines), Alchemy()
    limit, looked, owners = sizes
    with loaded(lines), limits(looked, owners):
        for chain, host in CHAINS.items():
            every = sales(oracle, chain)
            tokens = sorted({one["nft"] for one in every})[:2]
            contracts = sorted({one["nft"][1] for one in every})[:2]
            places = [{}, *({"contractAddress": one} for one in contracts)]
            places += [{"contractAddress": one[1], "tokenId": one[2]} for one in tokens]
            people = [{}, {"buyerAddress": PEOPLE[0]}, {"sellerAddress": PEOPLE[1]}]
            people += [{"buyerAddress": PEOPLE[1], "sellerAddress": PEOPLE[0]}]
            others = [{}, {"taker": "SELLER"}, {"taker": "buyer", "fromBlock": "0x2"}, {"toBlock": "5"}]
            every_way = list(product(places, people, others, ("asc", "desc")))
            for place, who, other, order in chance.sample(every_way, min(len(every_way), 15)):
                query = {**place, **who, **other, "order": order}
                expected = [one for one in every if matches(one, query)]
                found = alchemy.walked("getNFTSales", "nftSales", host, **query, limit=limit)
                assert Counter(map(shown, found)) == Counter(map(identity, expected)), query
                if "tokenId" not in query:
                    key = [one[:3] for one in map(shown, found)]
                    assert key == sorted(key, reverse=order == "desc"), query


def matches(line: Line, query: dict[str, Any]) -> bool:
    """Whether a sale is asked for."""
    people = (("buyerAddress", "toAddress"), ("sellerAddress", "fromAddress"))
    return (
        query.get("contractAddress") in (None, line["nft"][1])
        and query.get("tokenId") in (None, line["nft"][2])
        and all(plain_address(line.get(ours) or "") == query[name] for name, ours in people if name in query)
        and query.get("taker", taker(line)).upper() == taker(line)
        and int(query.get("fromBlock", "0"), 0)
        <= line["blockNumber"]
        <= int(query.get("toBlock", "1000000000000"))
    )


@given(worlds(), SMALL)
@EXAMPLES
def test_who_owns_what(lines: list[Line], sizes: tuple[int, int, int]) -> None:
    oracle, alchemy = Oracle(lines), Alchemy()
    limit, looked, owners = sizes
    size = min(limit, 100)
    with loaded(lines), limits(looked, owners):
        for chain, host in CHAINS.items():
            held = {nft: oracle.holders(nft) or [] for nft in oracle.world.nfts if nft[0] == chain}
            for nft, holders in held.items():
                query: dict[str, Any] = {"contractAddress": nft[1], "tokenId": nft[2], "pageSize": size}
                found = alchemy.walked("getOwnersForNFT", "owners", host, **query)
                assert [one.lower() for one in found] == [one.address for one in holders]
            for person in PEOPLE:
                own = {
                    (nft[1], nft[2]): one.amount
                    for nft, holders in held.items()
                    for one in holders
                    if one.address == person
                }
                check_owner(alchemy, host, person, own, size)
            for contract in {nft[1] for nft in held}:
                pairs = {
                    (one.address, nft[2]): one.amount
                    for nft, holders in held.items()
                    if nft[1] == contract
                    for one in holders
                }
                found = alchemy.walked("getOwnersForContract", "owners", host, contractAddress=contract)
                assert [one.lower() for one in found] == sorted({address for address, _ in pairs})
                told = alchemy.walked(
                    "getOwnersForContract", "owners", host, contractAddress=contract, withTokenBalances="true"
                )
                balances = [
                    ((one["ownerAddress"].lower(), each["tokenId"]), int(each["balance"]))
                    for one in told
                    for each in one["tokenBalances"]
                ]
                assert dict(balances) == pairs
                assert len(balances) == len(pairs)


def check_owner(alchemy: Alchemy, host: str, person: str, own: dict[tuple[Any, str], int], size: int) -> None:
    """What a person holds is what both methods tell, in both orders."""
    orders: list[dict[str, Any]] = [{}, {"orderBy": "transferTime"}]
    for order in orders:
        found = alchemy.walked(
            "getNFTsForOwner", "ownedNfts", host, owner=person, withMetadata="false", pageSize=size, **order
        )
        told = {(one["contractAddress"].lower(), one["tokenId"]): int(one["balance"]) for one in found}
        assert told == own
        assert len(found) == len(own)
    total = alchemy.get("getNFTsForOwner", host, owner=person, withMetadata="false")["totalCount"]
    assert total == len(own)
    contracts = alchemy.walked("getContractsForOwner", "contracts", host, owner=person, pageSize=size)
    sums: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for (address, _), amount in own.items():
        sums[address] += amount
        numbers[address] += 1
    assert {one["address"].lower(): int(one["totalBalance"]) for one in contracts} == sums
    assert {one["address"].lower(): int(one["numDistinctTokensOwned"]) for one in contracts} == numbers


@given(worlds())
@EXAMPLES
def test_counts_and_shares_of_traits(lines: list[Line]) -> None:
    oracle, alchemy = Oracle(lines), Alchemy()
    with loaded(lines):
        for chain, host in CHAINS.items():
            nfts = [nft for nft in oracle.world.nfts if nft[0] == chain]
            for contract in {nft[1] for nft in nfts}:
                population = [nft for nft in nfts if nft[1] == contract]
                counts = Counter(stored(pair) for nft in population for pair in oracle.traits(nft))
                summary = alchemy.get("summarizeNFTAttributes", host, contractAddress=contract)
                told = {
                    (kind, value): count
                    for kind, values in summary["summary"].items()
                    for value, count in values.items()
                }
                assert told == counts
                assert summary["totalSupply"] == str(len(population))
                for nft in population:
                    found = alchemy.get("computeRarity", host, contractAddress=contract, tokenId=nft[2])[
                        "rarities"
                    ]
                    entries = (oracle.world.nfts[nft].get("metadata") or {}).get("traits") or []
                    pairs = [(one.get("traitType") or "", value_text(one["traitValue"])) for one in entries]
                    assert [(one["traitType"], one["value"]) for one in found] == pairs
                    for one, pair, entry in zip(found, pairs, entries, strict=True):
                        if "traitPercentFrequency" not in entry:
                            assert one["prevalence"] == pytest.approx(counts[stored(pair)] / len(population))


@given(worlds(), worlds())
@EXAMPLES
def test_a_walk_over_sales_that_are_told_meanwhile_has_each_old_one_once(
    lines: list[Line], more: list[Line]
) -> None:
    oracle, alchemy = Oracle(lines), Alchemy()
    transfers = [one for one in more if one["record"] == "transfer" and one["chain"] in CHAINS]
    # Those that say more of another one are nothing by themselves.
    later = [
        one for one in transfers if one.keys() >= {"contractAddress", "tokenId", "blockNumber", "timestamp"}
    ]
    with loaded(lines):
        old = Counter(map(identity, sales(oracle, "ethereum")))

        def tell() -> None:
            if later:
                load([later.pop()])

        found = Counter(map(shown, alchemy.walked("getNFTSales", "nftSales", between=tell, limit=1)))
    stated = {place_of(one) for one in more if one["record"] == "transfer"}
    assert all(found[one] == count for one, count in old.items() if (one[3], one[1], one[2]) not in stated)


def place_of(line: Line) -> tuple[Any, ...]:
    """What a transfer's line is known by."""
    return plain_address(line["transactionHash"]), line.get("logIndex") or 0, line.get("batchIndex") or 0


def stored(pair: tuple[str, str]) -> tuple[str, str]:
    """Type and value as a database can hold them: without NUL."""
    return storable(pair[0]), storable(pair[1])
