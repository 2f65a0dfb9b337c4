"""What a page of each of Alchemy's methods costs: the whole request, and the buffers by which its keys are found."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Max
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compat import holdings, owners, sales, traits
from compat.chains import AskedChain, chain_of
from compat.contracts import contract_row
from compat.filters import Asked
from compat.methods import METHODS
from core.db.keys import token_id_from_key
from core.db.reading import one_cursor
from nftsite.bench import probe
from tokens.engine.walk import NftWalk
from tokens.models import Contract, Nft, NftRecent, Owner, WideHolder
from tokens.query.ordering import TOKEN_ID
from tokens.query.selection import ContractRef, Selection
from transfers.models import Transfer

CHAIN = "eth-mainnet"
BUFFERS, MS = 1_000, 50.0
"""What a page may touch for its keys, and take in all."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One page: SQL queries, buffers of its keys, milliseconds of the whole request in process (median), bytes."""

    method: str
    name: str
    queries: int
    buffers: int
    ms: float
    size: int
    over: str


def costs(repeats: int, now: int) -> Iterator[Cost]:
    """Yield what pages of each method cost over the benchmark's world."""
    client, chain = Client(headers={"host": "localhost"}), chain_of(CHAIN)
    for method, name, query in _pages(client, chain):
        address = _address(method, query)
        ask = _asking(client, method, address, query)
        with CaptureQueriesContext(connection) as queries:
            answer = ask()
        count = len([one for one in queries.captured_queries if "SELECT" in one["sql"]])
        if answer.status_code != 200:
            raise RuntimeError(f"{address} was answered with {answer.status_code}.")
        buffers = _buffers(method, query, chain, now)
        ms = statistics.median(probe.timed(ask) for _ in range(repeats))
        faults = [f"{BUFFERS} buffers"] if buffers > BUFFERS else []
        faults += [f"{MS:g} ms"] if ms > MS else []
        yield Cost(method, name, count, buffers, round(ms, 2), len(answer.content), ", ".join(faults))


def line(cost: Cost) -> str:
    """Return a cost as a line."""
    told = f"{cost.method:26} {cost.name:34} {cost.queries:2} queries {cost.buffers:6,} buffers {cost.ms:7.1f} ms"
    return f"{told} {cost.size / 1000:7,.0f} kB{f'   OVER {cost.over}' if cost.over else ''}"


def _address(method: str, query: str) -> str:
    return f"/alchemy/{CHAIN}/nft/v3/bench/{method}" + ("" if query.startswith("{") else f"?{query}")


def _asking(client: Client, method: str, address: str, query: str) -> Callable[[], Any]:
    if query.startswith("{"):
        return lambda: client.post(address, query, content_type="application/json")
    return lambda: client.get(address)


def _pages(client: Client, chain: AskedChain) -> Iterator[tuple[str, str, str]]:
    """Yield method, name and query (or body) of each page."""
    largest = Contract.objects.get(name="Bench 1")
    here = f"contractAddress={largest.address}"
    token = token_id_from_key(Nft.objects.filter(contract=largest).order_by("token_key")[0].token_key)
    middle = client.get(
        _address("getNFTsForContract", f"{here}&withMetadata=false&startToken={largest.nft_count // 2}")
    )
    ids = [one["tokenId"] for one in middle.json()["nfts"]]
    block = Transfer.objects.filter(contract=largest).aggregate(most=Max("block_number"))["most"] // 2
    some = Transfer.objects.filter(contract=largest, transfer_type="sale").order_by("id")[:1]
    buyer, seller = (some[0].to_address, some[0].from_address) if some else (None, None)
    crowd = NftRecent.objects.filter(chain_id=chain.id, owners_total__gt=1).order_by("-owners_total").first()
    yield from _pages_of_owners(largest)
    for order in ("asc", "desc"):
        yield "getNFTSales", f"1,000 of a contract, {order}", f"{here}&order={order}"
        yield "getNFTSales", f"1,000 of the chain, {order}", f"order={order}"
        later = f"{here}&order={order}&fromBlock={block}&limit=100"
        yield "getNFTSales", f"of a contract from a block, {order}", later
    yield "getNFTSales", "of a marketplace with few", f"{here}&marketplace=rareone"
    yield "getNFTSales", "that sellers took", f"{here}&taker=SELLER"
    yield "getNFTSales", "of a token", f"{here}&tokenId=7"
    yield "getNFTSales", "of a buyer", f"buyerAddress={buyer}"
    yield "getNFTSales", "of a buyer and a seller here", f"{here}&buyerAddress={buyer}&sellerAddress={seller}"
    yield "computeRarity", "a token", f"{here}&tokenId={token}"
    yield "summarizeNFTAttributes", "a contract", here
    yield "getNFTsForContract", "100 from the middle", f"{here}&startToken={largest.nft_count // 2}"
    yield "getNFTMetadata", "a token", f"{here}&tokenId={token}"
    body = [{"contractAddress": largest.address, "tokenId": one} for one in ids]
    yield "getNFTMetadataBatch", "100 tokens", json.dumps({"tokens": body})
    if crowd is not None:
        place = f"contractAddress={crowd.contract.address}&tokenId={token_id_from_key(crowd.nft.token_key)}"
        yield "getOwnersForNFT", "the token with most owners", place
    yield "getOwnersForNFT", "a token", f"{here}&tokenId={token}"
    yield "getOwnersForContract", "200 owners", here
    yield "getOwnersForContract", "with balances", f"{here}&withTokenBalances=true"
    yield "getContractMetadata", "a contract", here
    several = list(
        Contract.objects.filter(chain_id=chain.id).order_by("id").values_list("address", flat=True)[:100]
    )
    yield "getContractMetadataBatch", "100 contracts", json.dumps({"contractAddresses": several})
    yield "getFloorPrice", "a contract", here


def _pages_of_owners(largest: Contract) -> Iterator[tuple[str, str, str]]:
    for wide in WideHolder.objects.order_by("-nfts")[:1]:
        yield "getNFTsForOwner", "the widest holder", f"owner={wide.address}"
        yield "getNFTsForOwner", "the widest holder, newest", f"owner={wide.address}&orderBy=transferTime"
        yield "getContractsForOwner", "the widest holder", f"owner={wide.address}&pageSize=20"
    person = Owner.objects.filter(contract=largest, amount__gt=0).order_by("id")[0].address
    yield "getNFTsForOwner", "an owner", f"owner={person}"
    yield "getNFTsForOwner", "an owner, without metadata", f"owner={person}&withMetadata=false"
    yield "getContractsForOwner", "an owner", f"owner={person}"


def _buffers(method: str, query: str, chain: AskedChain, now: int) -> int:
    """Return the buffers that the statements touch by which a page finds what it shows."""
    if query.startswith("{") or connection.vendor != "postgresql":
        return 0
    view = next(one for one in METHODS if one.method == method)
    asked: Asked = view.filterset_class(query, Asked()).qs
    with CaptureQueriesContext(connection) as queries, one_cursor():
        _find(method, asked, chain, now)
    plans = [probe.explained(one["sql"]) for one in queries.captured_queries]
    return sum(plan["Plan"][name] for plan in plans for name in ("Shared Hit Blocks", "Shared Read Blocks"))


def _find(method: str, asked: Asked, chain: AskedChain, now: int) -> None:
    row = None if asked.contract is None else contract_row(chain, asked.contract)
    if method == "getNFTSales":
        sales.page_of(asked, chain)
    elif method == "getNFTsForOwner":
        holdings.nfts_of(asked, chain)
    elif method == "getContractsForOwner":
        holdings.contracts_of(asked, chain)
    elif method == "getNFTsForContract":
        selection = Selection().on_chain(chain.slug).for_contract(ContractRef("evm", asked.contract))
        NftWalk(selection, TOKEN_ID, now)((0, str(asked.start_token), 0), 101)
    elif row is not None and method == "getOwnersForContract" and asked.with_balances:
        owners.balances_behind(row.id, None, owners.BALANCES + 1)
    elif row is not None and method == "getOwnersForContract":
        owners.owners_of_contract(row.id, asked, chain)
    elif row is not None and method == "summarizeNFTAttributes":
        traits.summary(row)
    elif row is not None and asked.token is not None:
        found = Nft.objects.filter(contract_id=row.id, token_key=asked.token).values_list("id").first()
        if method == "getOwnersForNFT" and found:
            owners.owners_of_nft(found[0], asked, chain)
