"""`manage.py index_das`: which assets of a DAS server become NFTs, and how the API answers them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import DataError

from tests.conftest import Api
from tests.das.indexing import faulty, index, members, only
from tests.das.played_das import PlayedDas
from tests.das.shapes import (
    ALICE,
    CID,
    LADS,
    account,
    asset,
    collection_nft,
    compressed,
    core,
    core_collection,
    group,
    owned_by,
    print_of,
    token_2022,
    unread,
)
from tokens.models import Contract, Nft
from tokens.store.facts import NftFacts
from transfers.ledger import factset

pytestmark = pytest.mark.django_db


def test_an_asset_is_answered_as_an_nft(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("one")]
    assert "solana: 1 NFTs, 0 of them burnt; 0 fungible" in index(das, "--collection", LADS)
    record = members(api)[account("one")]
    metadata = record.pop("metadata")
    assert record == {
        "chain": "solana",
        "contractAddress": LADS,
        "contractStandard": "Metaplex",
        "tokenId": account("one"),
        "uri": "https://lads.example/one.json",
        "owner": ALICE,
        "owners": [{"address": ALICE, "amount": "1"}],
    }
    traits = [(one["traitType"], one["traitValue"], one["traitFrequency"]) for one in metadata.pop("traits")]
    assert traits == [("Gender", "Male", 1), ("Level", 7, 1)]
    assert metadata["name"] == "Lad #one"
    assert metadata["description"] == "A lad."
    assert metadata["imageUrl"] == "https://lads.example/one.png"


def test_a_collection_has_the_name_and_symbol_that_its_chain_holds(das: PlayedDas) -> None:
    das.assets = [asset("one")]
    index(das, "--collection", LADS)
    assert Contract.objects.values_list("address", "standard", "name", "symbol", "nft_count").get() == (
        LADS, "Metaplex", "The Lads", "LADS", 1,
    )  # fmt: skip
    das.others = [core_collection("lads") | {"content": {"metadata": {"name": "Lads of Core", "symbol": ""}}}]
    index(das, "--collection", LADS)
    assert Contract.objects.values_list("name", "symbol").get() == ("Lads of Core", "LADS")


def test_every_kind_of_nft_is_taken_and_what_is_none_is_left_out(das: PlayedDas, api: Api) -> None:
    kinds = {make.__name__: make(make.__name__) for make in (asset, compressed, core, token_2022, print_of)}
    fungible = asset("coin", interface="FungibleToken"), asset("some", token_info={"supply": 50})
    das.assets = [*kinds.values(), *fungible, core_collection("inner"), collection_nft("lads")]
    assert "5 NFTs, 0 of them burnt; 4 fungible tokens or collections" in index(das, "--collection", LADS)
    assert members(api).keys() == {account(name) for name in kinds}
    assert Nft.objects.count() == 5


def test_image_and_animation_come_from_links_and_files(das: PlayedDas) -> None:
    """What is a file of a collection's own host stays; content of IPFS loses its gateway; a CDN's copy is no source."""
    files = [
        {"uri": "https://lads.example/1.mp4", "cdn_uri": "https://cdn.x/1", "mime": "video/mp4"},
        {"uri": f"https://some.gateway/ipfs/{CID}/1.png", "mime": "image/png"},
    ]
    das.assets = [asset("one", content={"files": files, "metadata": {"name": "Lad"}, "links": {}})]
    index(das, "--collection", LADS)
    assert json.loads(Nft.objects.get().metadata or "") == {
        "name": "Lad",
        "imageUrl": f"ipfs://{CID}/1.png",
        "imageMediaType": "image/png",
        "mediaUrl": "https://lads.example/1.mp4",
        "mediaType": "video/mp4",
    }


def test_traits_of_a_collection_are_found(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("one"), asset("two", content=unread("two")["content"])]
    index(das, "--collection", LADS)
    found = api.nfts(chain="solana", contractAddress=LADS, traits="Gender-Male,Level-7")["data"]
    assert [record["tokenId"] for record in found] == [account("one")]


def test_an_unverified_member_is_none(das: PlayedDas, api: Api) -> None:
    claims = [asset("claims", grouping=[group(verified=False)]), asset("hidden", grouping=[])]
    das.assets = [asset("one", grouping=[group(verified=True)]), *claims]
    assert "2 unverified members left out" in index(das, "--collection", LADS)
    assert members(api).keys() == {account("one")}
    assert Nft.objects.count() == 1


def test_a_member_that_is_no_longer_verified_leaves_the_collection(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("one"), asset("two")]
    index(das, "--collection", LADS)
    das.assets = [asset("one"), asset("two", grouping=[group(verified=False)])]
    index(das, "--collection", LADS)
    assert members(api).keys() == {account("one")}
    assert "contractAddress" not in only(api, account("two"))


def test_mints_that_differ_in_letter_case_are_two(das: PlayedDas, api: Api) -> None:
    """F45."""
    upper, lower = (
        "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6",
        "ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6",
    )
    das.assets = [asset("x", id=upper, ownership=owned_by(lower)), asset("y", id=lower)]
    index(das, "--collection", LADS)
    assert {mint: record["owner"] for mint, record in members(api).items()} == {upper: lower, lower: ALICE}


def test_two_leaves_of_a_tree_keep_their_own_metadata(das: PlayedDas, api: Api) -> None:
    """F85: written by mint alone, whatever the order of an answer."""
    das.assets = [compressed("one"), compressed("two")]
    das.methods["getAssetBatch"] = lambda ids: [das.find(mint) for mint in reversed(ids)]
    index(das, "--asset", account("one"), "--asset", account("two"))
    names = {mint: record["metadata"]["name"] for mint, record in members(api).items()}
    assert names == {account("one"): "Lad #one", account("two"): "Lad #two"}


def test_a_malformed_asset_is_told_and_the_rest_goes_on(das: PlayedDas, api: Api) -> None:
    """F86, F38."""
    bad = asset("bad", ownership=owned_by("0x1668E0FB0Dd39e54fE33f80a9F37c4dBF172E1b0"))
    das.assets = [asset("one"), None, bad, {"id": 7}, asset("null", content=None), asset("two")]
    out, errors = faulty(das, "--collection", LADS)
    assert "3 faults" in out
    assert sorted(errors.splitlines()) == sorted(
        [
            "(no id): It is no object.",
            "(no id): Its `id` is no mint: 32 to 44 base58 characters that stand for 32 bytes.",
            f"{account('bad')}: Its `owner` is no account: 32 to 44 base58 characters that stand for 32 bytes.",
        ]
    )
    assert members(api).keys() == {account(name) for name in ("one", "null", "two")}


def test_what_the_server_cannot_show_is_told(das: PlayedDas) -> None:
    das.methods["getAssetsByGroup"] = lambda **asked: (
        das.list_assets(**asked)
        | ({} if "cursor" in asked else {"errors": [{"id": account("x"), "error": "http://secret/KEY"}]})
    )
    das.assets = [asset("one")]
    assert faulty(das, "--collection", LADS)[1] == f"{account('x')}: The node cannot show it.\n"


def test_an_asset_that_the_database_refuses_costs_no_other(
    das: PlayedDas, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = factset.write

    def refuse_some(facts: Any) -> Any:
        written = write(facts)
        if any(one.uri == "https://lads.example/3.json" for one in facts.of(NftFacts)):
            raise DataError("value too strange\nDETAIL: secret")
        return written

    monkeypatch.setattr(factset, "write", refuse_some)
    das.assets = [asset(number) for number in range(7)]
    _, errors = faulty(das, "--collection", LADS)
    assert errors == f"{account(3)}: The database refuses it: value too strange.\n"
    assert members(api).keys() == {account(number) for number in range(7) if number != 3}


def test_texts_that_no_database_holds_are_held_all_the_same(das: PlayedDas, api: Api) -> None:
    odd = {
        "name": "Lad\ud800 \0 #1",
        "attributes": [{"trait_type": "A\0", "value": "\udfff"}, {"value": {"a": ["\0"]}}],
    }
    das.assets = [asset("one", content={"json_uri": "https://x/\0\ud800", "metadata": odd})]
    das.others = [collection_nft("lads", "The \0 \ud800 Lads")]
    index(das, "--collection", LADS)
    assert members(api).keys() == {account("one")}
