"""The official alchemy-sdk runs all its NFT methods against the service, over the sample and over the real data."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from compat.chains import checksummed
from interchange.load import load_files
from nftsite.sample.loading import load_sample
from tests.builders import settle
from tests.compat import sdk
from tests.compat.client import Alchemy
from tests.shared import REAL
from tokens.models import Contract, NftRecent, Owner

# One engine is enough: a client sees none. The tests of each method run on both.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite, pytest.mark.slow]
PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"


def assert_found(found: dict[str, Any], alchemy: Alchemy, contract: str, token_id: str, owner: str) -> None:
    """What the SDK found is what the methods answer."""
    here: dict[str, Any] = {"contractAddress": contract}
    assert found["one"]["tokenId"] == token_id
    assert found["batch"] == [token_id, "1"]
    assert found["contract"]["deployer"] == "unknown"
    assert found["several"] == 2
    nfts = alchemy.walked("getNFTsForContract", "nfts", **here, withMetadata="false")
    assert found["every"] == [one["tokenId"] for one in nfts]
    assert (found["page"], found["pageKey"]) == (
        min(3, len(nfts)),
        "string" if len(nfts) > 3 else "undefined",
    )
    assert found["bare"] == min(100, len(nfts))
    held = alchemy.walked("getNFTsForOwner", "ownedNfts", owner=owner, withMetadata="false")
    assert (found["heldAll"], found["total"]) == (len(held), len(held))
    own = [one["tokenId"] for one in held if one["contractAddress"].lower() == contract]
    assert found["heldHere"] == own[:100]
    assert found["isHolder"] is True
    contracts = alchemy.get("getContractsForOwner", owner=owner, pageSize=50)["contracts"]
    assert [one[0] for one in found["contracts"]] == [one["address"] for one in contracts]
    assert found["owners"] == alchemy.get("getOwnersForNFT", **here, tokenId=token_id)["owners"]
    sold = alchemy.walked("getNFTSales", "nftSales", **here, order="desc")
    assert found["sales"] == [
        [one["tokenId"], one["blockNumber"], one["sellerFee"]["amount"]] for one in sold
    ]
    assert found["taker"] in (("buyer", "seller") if sold else (None,))
    assert found["summary"] == alchemy.get("summarizeNFTAttributes", **here)["summary"]
    assert found["refused"].startswith('400: {"error":{"message":"tokenUriTimeoutInMs')


def test_over_the_sample(live_server: LiveServer) -> None:
    assert load_sample().fault_count == 0
    row = Contract.objects.filter(chain__slug="ethereum", standard="ERC721").order_by("-nft_count")[0]
    nft = NftRecent.objects.filter(contract=row, owners_total=1).order_by("recent_key")[0].nft
    owner = str(Owner.objects.get(nft=nft, amount__gt=0).address)
    alchemy = Alchemy()
    names = checksummed(str(row.address)), nft.token_id, checksummed(owner)
    found = sdk.run(live_server.url, *names)
    assert_found(found, alchemy, str(row.address), nft.token_id, owner)
    assert (found["one"]["type"], found["contract"]["name"]) == ("ERC721", row.name)
    assert found["sales"], "the sample has sales"


@pytest.mark.shared
def test_over_real_collections(live_server: LiveServer) -> None:
    assert load_files([str(REAL)]).fault_count == 0
    settle()
    bored = Contract.objects.filter(chain__slug="ethereum", transfers__transfer_type="sale").exclude(
        address=PUNKS
    )
    row = bored.order_by("id")[0]
    nft = NftRecent.objects.filter(contract=row, owners_total=1).order_by("recent_key")[0].nft
    owner = str(Owner.objects.get(nft=nft, amount__gt=0).address)
    alchemy = Alchemy()
    names = checksummed(str(row.address)), nft.token_id, checksummed(owner)
    assert_found(sdk.run(live_server.url, *names), alchemy, str(row.address), nft.token_id, owner)
    summary = alchemy.get("summarizeNFTAttributes", contractAddress=PUNKS)
    assert (
        summary["totalSupply"],
        summary["summary"]["Type"]["Alien"],
        summary["summary"]["Type"]["Ape"],
    ) == ("10000", 9, 24)
    assert summary["summary"]["Accessory"]["Mohawk"] == 441
