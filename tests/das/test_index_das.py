"""`manage.py index_das`: from a DAS server into the tables, and out again through the API."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import DataError

from tests.builders import contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.das.played_das import PlayedDas
from tests.das.shapes import (
    ALICE,
    BOB,
    LADS,
    NOBODY,
    OTHERS,
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
from tests.interchange.lines import dumped
from tests.net.played import Answer, error
from tokens.facts import NftFacts
from tokens.models import Contract, ContractRarity, MetadataFetch, Nft, StatedOwnership
from transfers.store import factset

pytestmark = pytest.mark.django_db

CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"


def index(das: PlayedDas, *arguments: str) -> str:
    """What the command prints, of a run in which nothing is wrong."""
    out = io.StringIO()
    call_command("index_das", "--rpc-url", das.url, *arguments, stdout=out, stderr=out)
    return out.getvalue()


def faulty(das: PlayedDas, *arguments: str) -> tuple[str, str]:
    """What the command prints and complains of, of a run that ends with exit code 1."""
    out, errors = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("index_das", "--rpc-url", das.url, *arguments, stdout=out, stderr=errors)
    assert ended.value.code == 1
    return out.getvalue(), errors.getvalue()


def members(api: Api, collection: str = LADS) -> dict[str, Any]:
    """The records of a collection by mint."""
    records = api.nfts(chain="solana", contractAddress=collection)["data"]
    return {record["tokenId"]: record for record in records}


def only(api: Api, mint: str) -> dict[str, Any]:
    """The record of a mint, by itself."""
    (record,) = api.nfts(chain="solana", tokenId=mint)["data"]
    return dict(record)


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


def test_image_and_animation_come_from_links_and_files(das: PlayedDas, api: Api) -> None:
    """What is a file of a collection's own host stays; content of IPFS loses its gateway; a CDN's copy is no source."""
    files = [
        {"uri": "https://lads.example/1.mp4", "cdn_uri": "https://cdn.x/1", "mime": "video/mp4"},
        {"uri": f"https://some.gateway/ipfs/{CID}/1.png", "mime": "image/png"},
    ]
    das.assets = [asset("one", content={"files": files, "metadata": {"name": "Lad"}, "links": {}})]
    index(das, "--collection", LADS)
    assert members(api)[account("one")]["metadata"] == {
        "name": "Lad",
        "imageUrl": f"ipfs://{CID}/1.png",
        "imageMediaType": "image/png",
        "mediaUrl": "https://lads.example/1.mp4",
        "mediaType": "video/mp4",
        "traits": [],
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


# -- owners ---------------------------------------------------------------------------------------------------------


def test_owners_are_as_of_the_slot_that_the_server_has_read(das: PlayedDas, api: Api) -> None:
    """Transfers come by `load`, before or after: what is older than the slot changes no owner, what is newer does."""
    das.assets, das.slot = [asset("one"), asset("two")], 500
    moves = [
        transfer(account("one"), LADS, "solana", block=400, sender=ALICE, receiver=BOB, transactionHash="a"),
        transfer(account("two"), LADS, "solana", block=600, sender=ALICE, receiver=BOB, transactionHash="b"),
    ]
    load_lines(moves[:1])
    index(das, "--collection", LADS)
    load_lines(moves)
    assert {mint: record["owner"] for mint, record in members(api).items()} == {
        account("one"): ALICE,
        account("two"): BOB,
    }


def test_without_a_slot_owners_are_as_of_the_question(das: PlayedDas) -> None:
    das.assets, das.slot = [asset("one")], None
    index(das, "--collection", LADS)
    stated = StatedOwnership.objects.get()
    assert (stated.as_of_block, stated.pending) == (None, False)
    assert stated.as_of is not None


def test_a_second_run_notices_changed_owners_and_what_was_burnt(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("one"), compressed("two"), core("three")]
    index(das, "--collection", LADS)
    das.slot = 300_000_001
    das.assets = [asset("one", ownership=owned_by(BOB)), compressed("two", burnt=True), core("three")]
    assert "3 NFTs, 1 of them burnt" in index(das, "--collection", LADS)
    found = members(api)
    assert {mint: record["owner"] for mint, record in found.items()} == {
        account("one"): BOB,
        account("two"): NOBODY,
        account("three"): ALICE,
    }
    assert found[account("two")]["owners"] == []


def test_a_server_that_has_read_less_of_the_chain_takes_no_owner_back(das: PlayedDas, api: Api) -> None:
    das.assets, das.slot = [asset("one", ownership=owned_by(BOB))], 500
    index(das, "--collection", LADS)
    das.assets, das.slot = [asset("one")], 499
    index(das, "--collection", LADS)
    assert only(api, account("one"))["owner"] == BOB


def test_an_owner_that_the_server_has_not_seen_is_not_known(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("one", ownership=owned_by(None))]
    index(das, "--collection", LADS)
    record = only(api, account("one"))
    assert record["owner"] == NOBODY
    assert "owners" not in record


# -- what a list does not name --------------------------------------------------------------------------------------


def test_members_that_a_whole_list_no_longer_names_are_asked_for(das: PlayedDas, api: Api) -> None:
    """Burnt assets leave the lists of some servers, and members may be given to another collection."""
    das.assets = [asset(name) for name in ("stays", "burnt", "moved", "freed", "unknown")]
    index(das, "--collection", LADS)
    das.assets, das.slot = das.assets[:1], 300_000_001
    das.others = [
        collection_nft("lads"),
        collection_nft("others", "The Others"),
        asset("burnt", burnt=True, grouping=[]),
        asset("moved", grouping=[group(OTHERS)]),
        asset("freed", grouping=[]),
    ]
    assert "1 stored ones are unknown to the node" in index(das, "--collection", LADS)
    found = members(api)
    assert found.keys() == {account(name) for name in ("stays", "burnt", "unknown")}
    assert found[account("burnt")]["owners"] == []
    assert found[account("unknown")]["owner"] == ALICE  # of what nobody knows any more nothing is said
    assert members(api, OTHERS).keys() == {account("moved")}
    assert Contract.objects.get(address=OTHERS).name == "The Others"
    assert "contractAddress" not in only(api, account("freed"))
    assert dict(Contract.objects.values_list("address", "nft_count")) == {LADS: 3, OTHERS: 1, "": 1}


def test_what_is_known_to_be_burnt_is_not_asked_for_again(das: PlayedDas) -> None:
    das.assets = [asset("one"), asset("two", burnt=True)]
    index(das, "--collection", LADS)
    das.assets = [asset("one")]
    das.seen.clear()
    index(das, "--collection", LADS)
    assert [asked["id"] for asked in das.asked_for("getAsset")] == [LADS]


def test_from_a_list_that_is_not_whole_nothing_is_concluded(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("one"), asset("two")]
    index(das, "--collection", LADS)
    das.methods["getAssetsByGroup"] = lambda **_asked: {"items": [asset("one")]}
    das.others.append(asset("two", grouping=[]))
    das.assets = []
    assert "its list may not be whole" in index(das, "--collection", LADS)
    assert members(api).keys() == {account("one"), account("two")}


# -- runs -----------------------------------------------------------------------------------------------------------


def test_a_second_run_changes_nothing(das: PlayedDas) -> None:
    das.assets = [asset("one"), compressed("two", burnt=True), unread("three")]
    index(das, "--collection", LADS)
    before = dumped()
    assert "documents of 0 are to be fetched" in index(das, "--collection", LADS)
    assert dumped() == before


def test_a_run_that_broke_off_is_finished_by_the_next(das: PlayedDas) -> None:
    """Each page is a transaction: what was read before stays."""
    das.assets, das.most = [asset(number) for number in range(10)], 3
    index(das, "--collection", LADS)
    whole = dumped()
    Nft.objects.all().delete()
    Contract.objects.all().delete()
    das.script.extend([das.by_methods, das.by_methods, das.by_methods, Answer(status=401)])
    with pytest.raises(CommandError, match="HTTP 401"):
        index(das, "--collection", LADS)
    assert Nft.objects.count() == 6
    index(das, "--collection", LADS)
    assert dumped() == whole


def test_single_assets_are_read_with_or_without_a_collection(das: PlayedDas, api: Api) -> None:
    das.others += [asset("one"), asset("free", grouping=[])]
    index(das, "--asset", account("one"), "--asset", account("free"), "--asset", account("one"))
    assert members(api).keys() == {account("one")}
    record = only(api, account("free"))
    assert (record["owner"], record.get("contractAddress")) == (ALICE, None)


def test_an_asset_that_nobody_knows_is_told(das: PlayedDas) -> None:
    das.others.append(asset("one"))
    mints = [argument for name in ("one", "x") for argument in ("--asset", account(name))]
    out, errors = faulty(das, *mints)
    assert "1 NFTs" in out
    assert errors == f"{account('x')}: The node knows no such asset.\n"


def test_a_collection_that_nobody_knows_is_told(das: PlayedDas) -> None:
    assert faulty(das, "--collection", OTHERS)[1] == (
        f"{OTHERS}: The node knows neither this collection nor any asset of it.\n"
    )
    das.others.append(collection_nft("others"))
    assert "0 NFTs" in index(das, "--collection", OTHERS)


def test_an_asset_on_two_pages_is_counted_once(das: PlayedDas) -> None:
    das.assets, das.most, das.pages = [asset(1), asset(2), asset(3)], 2, {2: [asset(1), asset(2)]}
    assert "3 NFTs" in index(das, "--collection", LADS)


def test_what_load_stated_besides_stays(das: PlayedDas, api: Api) -> None:
    line = nft(account("one"), LADS, "solana", rarity=7.5, native={"a": 1}, marked=True)
    load_lines([contract(LADS, "solana", standard=None, marked=True, markedReason="spam"), line])
    das.assets = [asset("one")]
    index(das, "--collection", LADS)
    record = members(api)[account("one")]
    assert (record["rarity"], record["native"], record["contractStandard"]) == (7.5, {"a": 1}, "Metaplex")
    assert Contract.objects.values_list("marked", "marked_reason").get() == (True, "spam")


# -- documents that the server has not read -------------------------------------------------------------------------


def test_a_document_that_the_server_has_not_read_is_to_be_fetched(das: PlayedDas, api: Api) -> None:
    das.assets = [asset("two"), asset("one", content=unread("one")["content"])]
    das.assets[1]["content"]["json_uri"] = f"https://a.gateway/ipfs/{CID}/one.json"
    assert "documents of 1 are to be fetched" in index(das, "--collection", LADS)
    record = members(api)[account("one")]
    assert (record["uri"], record["metadata"]["name"]) == (f"ipfs://{CID}/one.json", "Lad #one")
    fetch = MetadataFetch.objects.get()
    assert (fetch.nft.token_id, fetch.state) == (account("one"), "pending")
    assert fetch.next_attempt_at is not None


def test_what_was_fetched_is_not_replaced_by_less(das: PlayedDas, api: Api) -> None:
    das.assets = [unread("one")]
    index(das, "--collection", LADS)
    load_lines([nft(account("one"), LADS, "solana", traits=[("Hat", "Crown")], metadata={"name": "Fetched"})])
    MetadataFetch.objects.update(state="ready", next_attempt_at=None)
    index(das, "--collection", LADS)
    assert members(api)[account("one")]["metadata"]["name"] == "Fetched"
    assert MetadataFetch.objects.filter(state="ready").count() == 1


def test_a_document_that_has_moved_is_fetched_again(das: PlayedDas) -> None:
    das.assets = [unread("one")]
    index(das, "--collection", LADS)
    MetadataFetch.objects.update(state="ready", next_attempt_at=None)
    das.assets = [asset("one", content=unread("two")["content"])]
    assert "documents of 1 are to be fetched" in index(das, "--collection", LADS)
    assert MetadataFetch.objects.get().state == "pending"


def test_rarity_is_due_once_documents_were_read_and_not_by_reading_them_again(das: PlayedDas) -> None:
    das.assets = [unread("one"), asset("two", grouping=[])]
    das.others.append(das.assets[1])
    index(das, "--collection", LADS, "--asset", account("two"))
    assert not ContractRarity.objects.exists()  # a name is no trait; NFTs of no collection are no population
    das.assets[0] = asset("one")
    index(das, "--collection", LADS)
    assert ContractRarity.objects.get().contract.address == LADS
    ContractRarity.objects.update(changed_at=None, due_at=None)
    index(das, "--collection", LADS)
    assert ContractRarity.objects.filter(changed_at=None).exists()
    das.assets[0]["content"]["metadata"]["attributes"] = [{"trait_type": "Gender", "value": "Female"}]
    index(das, "--collection", LADS)
    assert ContractRarity.objects.filter(due_at__isnull=False).exists()


# -- arguments ------------------------------------------------------------------------------------------------------


def test_the_node_may_come_from_the_settings_and_its_key_is_never_shown(
    das: PlayedDas, settings: LazySettings
) -> None:
    settings.RPC_URLS = {"solana": [f"{das.url}/?api-key=SECRETKEY"]}
    das.assets = [asset("one")]
    out = io.StringIO()
    call_command("index_das", "--collection", LADS, stdout=out)
    assert das.paths[0] == "/?api-key=SECRETKEY"
    das.methods["getAssetsByGroup"] = lambda **_asked: error(-32000, "bad key SECRETKEY")
    with pytest.raises(CommandError) as caught:
        call_command("index_das", "--collection", LADS, stdout=out)
    assert "SECRETKEY" not in out.getvalue() + str(caught.value)
    assert das.host in str(caught.value)


def test_a_second_node_stands_in_for_the_first(das: PlayedDas, api: Api) -> None:
    other = PlayedDas(asset("one"))
    try:
        das.script.extend([Answer(status=401)] * 9)
        index(das, "--rpc-url", other.url, "--collection", LADS)
    finally:
        other.close()
    assert members(api).keys() == {account("one")}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "--collection MINT or --asset MINT"),
        (["--chain", "ethereum", "--collection", LADS], "`index` reads it"),
        (["--chain", "nowhere", "--collection", LADS], "The chain 'nowhere' is not known"),
        (["--collection", LADS.lower() + "0"], "--collection must be 32 to 44 base58"),
        (["--asset", LADS, "--asset", "solana.0x1668E0FB0Dd39e54fE33f80a9F37c4dBF172E1b0"], "not solana.0x1668"),
        (["--collection", LADS, "--rpc-url", "ftp://x/KEY"], "--rpc-url: a node's URL is"),
        (["--collection", LADS], "Name a DAS node of solana by --rpc-url or in RPC_URLS_SOLANA"),
    ],
)  # fmt: skip
def test_what_the_command_cannot_do_it_says_before_it_asks(arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason) as caught:
        call_command("index_das", *arguments)
    assert "KEY" not in str(caught.value)
