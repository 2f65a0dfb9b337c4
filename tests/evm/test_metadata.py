"""From a contract on a chain to traits, counts, rarity and pages, and on when it reveals what it has hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from indexing.node.source import Source
from tests.conftest import Api
from tests.evm.chain import Chain, Deployed
from tests.evm.indexing import SLUG, Indexing
from tests.offchain.gateway import ROOT, LocalGateway
from tokens.models import MetadataFetch

pytestmark = [pytest.mark.evm, pytest.mark.django_db]

COUNT = 12
RARE = {3, 6, 9, 12}
"""Tokens whose level is 1, as one in three has."""

Record = dict[str, Any]


class World:
    """A chain that is indexed, and of which the metadata is read, whenever a test says so."""

    def __init__(self, chain: Chain, source: Source, api: Api) -> None:
        self.chain, self.api = chain, api
        self.indexing = Indexing(source)

    def follow(self) -> None:
        self.indexing.run()
        call_command("fetch_metadata", chain=SLUG, rpc_url=[self.chain.url], verbosity=0)

    def nfts(self, contract: Deployed, **query: Any) -> dict[int, Record]:
        """The answer of NFTs by Token, by token id."""
        page = self.api.nfts(contractAddress=contract.address, chain=SLUG, limit=30, **query)
        return {int(record["tokenId"]): record for record in page["data"]}

    def walk(
        self, operation: str, contract: Deployed, meanwhile: Callable[[], object], **query: Any
    ) -> list[int]:
        """Token ids of all pages, during whose first something happens."""
        found: list[int] = []
        ask = self.api.nfts if operation == "nfts" else self.api.transfers
        asked = {"contractAddress": contract.address, "chain": SLUG, "limit": 5, **query}
        page = ask(**asked)
        meanwhile()
        while True:
            found += [int(record["tokenId"]) for record in page["data"]]
            if "nextCursor" not in page:
                return found
            page = ask(**asked, cursor=page["nextCursor"])


@pytest.fixture
def world(chain: Chain, source: Source, api: Api) -> World:
    return World(chain, source, api)


@pytest.fixture
def drawn(world: World) -> Deployed:
    """A contract whose metadata is on the chain and hidden, read once."""
    found = world.chain.deploy("Drawn")
    found.send("mint(address,uint256,uint256)", world.chain.accounts[0], 1, COUNT)
    world.follow()
    return found


def traits(record: Record) -> dict[str, tuple[Any, int]]:
    """Value and count of each trait."""
    found = record["metadata"]["traits"]
    return {one["traitType"]: (one["traitValue"], one["traitFrequency"]) for one in found}


def test_metadata_on_the_chain_is_read_when_a_token_is_minted(world: World, drawn: Deployed) -> None:
    records = world.nfts(drawn)
    assert {token: record["metadata"]["name"] for token, record in records.items()} == {
        token: f"Hidden #{token}" for token in range(1, COUNT + 1)
    }
    assert records[1]["uri"] == 'data:application/json;utf8,{"name":"Hidden %231"}', "a URL would end at a #"
    assert not any(traits(record) for record in records.values())


def test_an_update_of_one_token_changes_that_token(world: World, drawn: Deployed) -> None:
    """ERC-4906, MetadataUpdate."""
    drawn.send("reveal(uint256)", 3)
    world.follow()
    records = world.nfts(drawn)
    assert traits(records[3]) == {"Level": (1, 1), "Odd": ("yes", 1)}
    assert records[3]["metadata"]["name"] == "Drawn #3"
    assert records[4]["metadata"]["name"] == "Hidden #4"
    assert records[3]["rank"] == 1
    assert records[3]["rarity"] > records[4]["rarity"]


def test_a_reveal_changes_traits_counts_rarity_and_what_both_operations_answer(
    world: World, drawn: Deployed
) -> None:
    """ERC-4906, BatchMetadataUpdate of the whole collection."""
    drawn.send("revealAll()")
    world.follow()
    records = world.nfts(drawn)
    assert {token for token, record in records.items() if traits(record)["Level"] == (1, 4)} == RARE
    assert all(traits(record)["Odd"][1] == 6 for record in records.values())
    assert traits(records[1])["Level"] == (0, 8)
    level = next(one for one in records[3]["metadata"]["traits"] if one["traitType"] == "Level")
    assert (level["traitRarity"], round(level["traitPercentFrequency"], 6)) == (3, 33.333333)
    assert {token for token, record in records.items() if record["rank"] == 1} == RARE
    assert set(world.nfts(drawn, traits="Level-1")) == RARE
    assert set(world.nfts(drawn, traits="Level-1,Odd-yes")) == {3, 9}
    assert set(list(world.nfts(drawn, sortBy="rarity"))[:4]) == RARE
    transfers = world.api.transfers(contractAddress=drawn.address, chain=SLUG, sortBy="rarity", limit=4)
    assert {int(record["tokenId"]) for record in transfers["data"]} == RARE


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
@pytest.mark.parametrize("order", ["", "tokenId", "tokenId-desc"])
def test_a_walk_during_which_a_collection_is_revealed_has_every_item_once(
    world: World, drawn: Deployed, operation: str, order: str
) -> None:
    """Decisions, section 4: none of these orders looks at what a reveal changes."""

    def reveal() -> None:
        drawn.send("revealAll()")
        world.follow()

    found = world.walk(operation, drawn, reveal, sortBy=order)
    assert sorted(found) == list(range(1, COUNT + 1))
    assert world.nfts(drawn)[1]["metadata"]["name"] == "Drawn #1"


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_walk_by_rarity_goes_on_when_a_reveal_changes_it(
    world: World, drawn: Deployed, operation: str
) -> None:
    """Items whose key changes may come again or not at all; those that come are in order, and the walk ends."""
    drawn.send("revealAll()")
    world.follow()

    def mint() -> None:
        drawn.send("mint(address,uint256,uint256)", world.chain.accounts[0], 100, 103)
        world.follow()

    found = world.walk(operation, drawn, mint, sortBy="rarity")
    assert set(found[:4]) == RARE
    assert set(found) <= set(range(1, COUNT + 1)) | {100, 101, 102, 103}
    assert len(found) <= 2 * (COUNT + 4)


def test_a_collection_behind_a_gateway_is_read_and_follows_its_reveal(world: World, settings: Any) -> None:
    """`ipfs://` at the operator's own gateway, on loopback; what is stored stays canonical."""
    hidden = {"name": "Soon", "image": f"ipfs://{ROOT}/soon.png"}
    shown = {
        str(token): {
            "name": f"Ape #{token}",
            "image": f"ipfs://{ROOT}/images/{token}.png",
            "attributes": [{"trait_type": "Fur", "value": "Gold" if token == 2 else "Brown"}],
        }
        for token in (1, 2, 3)
    }
    documents: dict[str, Any] = {f"hidden/{token}": hidden for token in (1, 2, 3)}
    with LocalGateway(documents) as gateway:
        settings.IPFS_GATEWAYS = [gateway.url]
        apes = world.chain.deploy("Erc721", "Apes", "APE")
        apes.send("setBaseURI(string,uint256,uint256)", f"ipfs://ipfs/{ROOT}/hidden/", 0, 2**256 - 1)
        for token in (1, 2, 3):
            apes.send("mint(address,uint256)", world.chain.accounts[1], token)
        world.follow()
        assert {record["metadata"]["name"] for record in world.nfts(apes).values()} == {"Soon"}
        documents |= {f"shown/{token}": shown[token] for token in ("1", "2", "3")}
        apes.send("setBaseURI(string,uint256,uint256)", f"ipfs://{ROOT}/shown/", 1, 3)
        world.follow()
    records = world.nfts(apes)
    assert [records[token]["metadata"]["name"] for token in (1, 2, 3)] == ["Ape #1", "Ape #2", "Ape #3"]
    assert [traits(records[token])["Fur"] for token in (1, 2, 3)] == [("Brown", 2), ("Gold", 1), ("Brown", 2)]
    assert [records[token]["rank"] for token in (1, 2, 3)] == [2, 1, 2]
    assert set(world.nfts(apes, traits="Fur-Gold")) == {2}
    assert sorted(gateway.asked) == [f"hidden/{token}" for token in (1, 2, 3)] + [
        f"shown/{token}" for token in (1, 2, 3)
    ]
    rows = MetadataFetch.objects.select_related("nft")
    assert {(row.state, row.nft.uri) for row in rows} == {
        ("ready", f"ipfs://{ROOT}/shown/{token}") for token in (1, 2, 3)
    }


def test_a_burnt_token_keeps_its_metadata_and_is_asked_for_no_more(world: World, settings: Any) -> None:
    with LocalGateway({"1": {"name": "Ape #1"}}) as gateway:
        settings.IPFS_GATEWAYS = [gateway.url]
        apes = world.chain.deploy("Erc721", "Apes", "APE")
        apes.send("setBaseURI(string,uint256,uint256)", f"ipfs://{ROOT}/", 0, 0)
        apes.send("mint(address,uint256)", world.chain.accounts[0], 1)
        world.follow()
        apes.send("burn(uint256)", 1)
        apes.send("setBaseURI(string,uint256,uint256)", f"ipfs://{ROOT}/new/", 1, 1)
        world.follow()
    row = MetadataFetch.objects.get()
    assert (row.state, row.fault, row.next_attempt_at) == (
        "absent",
        "The contract knows no such token.",
        None,
    )
    assert world.nfts(apes)[1]["metadata"]["name"] == "Ape #1"
    assert gateway.asked == ["1"]


def test_the_one_uri_of_an_erc_1155_contract_is_each_tokens_own(world: World, settings: Any) -> None:
    """EIP-1155: `{id}` is the token id in 64 hexadecimal digits, in lower case."""
    token = 2**200 + 10
    with LocalGateway({f"{token:064x}.json": {"name": "Coin", "properties": {"Metal": "Gold"}}}) as gateway:
        settings.IPFS_GATEWAYS = [gateway.url]
        coins = world.chain.deploy("Erc1155")
        coins.send("mint(address,uint256,uint256)", world.chain.accounts[0], token, 5)
        world.follow()
        assert MetadataFetch.objects.get().state == "unrevealed"
        coins.send("setURI(uint256,string)", token, f"ipfs://{ROOT}/{{id}}.json")
        world.follow()
    record = world.nfts(coins)[token]
    assert record["metadata"]["name"] == "Coin"
    assert record["uri"].endswith(f"/ipfs/{ROOT}/{token:064x}.json")
    assert gateway.asked == [f"{token:064x}.json"]
