"""Runs of `index_das`: again, broken off, of single assets; and what it is told."""

from __future__ import annotations

import io

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from tests.builders import contract, load_lines, nft
from tests.conftest import Api
from tests.das.indexing import faulty, index, members, only
from tests.das.played_das import PlayedDas
from tests.das.shapes import ALICE, LADS, OTHERS, account, asset, collection_nft, compressed, unread
from tests.files.lines import dumped
from tests.net.played import Answer, error
from tokens.models import Contract, Nft

pytestmark = pytest.mark.django_db


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
