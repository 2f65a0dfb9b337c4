"""Owners as a DAS server tells them, beside transfers that come by `load`; what its lists no longer name."""

from __future__ import annotations

import pytest

from tests.builders import load_lines, transfer
from tests.conftest import Api
from tests.das.indexing import index, members, only
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
    group,
    owned_by,
)
from tokens.models import Contract, StatedOwnership

pytestmark = pytest.mark.django_db


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


def test_a_member_of_two_collections_stays_in_the_one_that_it_was_found_in(das: PlayedDas, api: Api) -> None:
    both = asset("both", grouping=[group(OTHERS), group(LADS)])
    das.assets = [asset("one"), both]
    index(das, "--collection", LADS)
    das.assets = [asset("one")]
    das.others.append(both)
    index(das, "--collection", LADS)
    assert members(api).keys() == {account("one"), account("both")}


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
