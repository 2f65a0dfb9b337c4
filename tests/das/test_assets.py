"""What an asset says: which are NFTs, whose they are, which collection they belong to. No database."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.das.assets import BadAssetError, nft_facts, read
from tests.das.shapes import (
    ALICE,
    LADS,
    NOBODY,
    OTHERS,
    TOKEN_2022,
    Shape,
    account,
    asset,
    compressed,
    core,
    core_collection,
    group,
    owned_by,
    print_of,
    token_2022,
    unread,
)
from tokens.store.facts import UNSET, OwnerFacts


@pytest.mark.parametrize("make", [asset, compressed, core, token_2022, print_of, unread])
def test_every_kind_of_nft_is_one_with_its_owner_and_collection(make: Any) -> None:
    found = read(make("one"))
    assert (found.mint, found.owner, found.home(None)) == (account("one"), ALICE, LADS)
    assert (found.is_fungible, found.is_collection, found.is_burnt) == (False, False, False)


FUNGIBLE: dict[str, Shape] = {
    "by its interface": asset("x", interface="FungibleToken"),
    "semi-fungible": asset("x", interface="FungibleAsset"),
    "in parts": asset("x", interface="Custom", token_info={"supply": 3687910976470928, "decimals": 6}),
    "more than one": asset("x", token_info={"supply": 2, "decimals": 0}),
    "a supply as text": asset("x", token_info={"supply": "8881594973561640000", "decimals": "9"}),
    "a supply as a float": asset("x", token_info={"supply": 8.88e18}),
    "of Token-2022": token_2022("x") | {"token_info": {"supply": 5, "decimals": 0, "token_program": TOKEN_2022}},
    "by its standard": asset("x", interface="V1_NFT", content={"metadata": {"token_standard": "Fungible"}}),
}  # fmt: skip


@pytest.mark.parametrize("shape", FUNGIBLE.values(), ids=FUNGIBLE)
def test_what_is_one_of_many_is_fungible(shape: Shape) -> None:
    assert read(shape).is_fungible


def test_the_prints_of_a_master_edition_do_not_make_it_fungible() -> None:
    supply = {"print_max_supply": 100, "print_current_supply": 40, "edition_nonce": 255}
    assert not read(asset("x", supply=supply)).is_fungible


def test_a_collection_of_metaplex_core_is_no_nft() -> None:
    assert read(core_collection("x")).is_collection


def test_an_unverified_group_is_no_membership() -> None:
    """Anybody may name a collection in the metadata of a mint; its authority alone verifies it."""
    claimed = asset("x", grouping=[group(OTHERS, verified=False), group(LADS, verified=True)])
    assert read(claimed).collections == (LADS,)
    assert read(asset("x", grouping=[group(verified=False)])).home(LADS) is None


@pytest.mark.parametrize("grouping", [[], [{"group_key": "creator", "group_value": "x"}], [group("")]])
def test_who_has_no_collection_belongs_to_none(grouping: Any) -> None:
    assert read(asset("x", grouping=grouping)).home(LADS) is None


def test_where_the_groups_are_left_out_the_list_says_it() -> None:
    found = read(asset("x", grouping=None))
    assert (found.home(LADS), found.home(None)) == (LADS, UNSET)


def test_of_several_collections_the_one_that_was_read_counts() -> None:
    found = read(asset("x", grouping=[group(OTHERS), group(LADS)]))
    assert (found.home(LADS), found.home(None)) == (LADS, OTHERS)


@pytest.mark.parametrize(
    "shape",
    [
        asset("x", burnt=True),
        compressed("x", burnt=True, grouping=[]),
        asset("x", token_info={"supply": 0, "decimals": 0}),  # burnt by the token program alone
        asset("x", ownership=owned_by(NOBODY)),
    ],
)
def test_what_is_burnt_nobody_holds(shape: Shape) -> None:
    assert nft_facts("solana", read(shape), LADS).owners == []


def test_what_is_burnt_stays_where_it_was() -> None:
    """Some servers take the groups from what is burnt, and it would be gone from the collection's history."""
    found = read(asset("x", burnt=True, grouping=[]))
    assert (found.home(LADS), found.home(None)) == (LADS, UNSET)


@pytest.mark.parametrize("ownership", [None, owned_by(None), owned_by("")])
def test_an_owner_that_the_node_does_not_know_is_not_stated(ownership: Any) -> None:
    assert nft_facts("solana", read(asset("x", ownership=ownership)), LADS).owners is UNSET


def test_base58_keeps_its_letter_case() -> None:
    """F45: two mints that differ in the case of a letter are two."""
    upper, lower = (
        "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6",
        "ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6",
    )
    for mint in (upper, lower):
        facts = nft_facts("solana", read(asset("x", id=mint, ownership=owned_by(mint))), LADS)
        assert (facts.token_key, facts.owners) == (f"~{mint}", [OwnerFacts(mint, 1)])


@pytest.mark.parametrize(
    ("shape", "slot"),
    [
        (asset("x"), 5),  # of the answer that it stood in
        (asset("x", last_indexed_slot=7), 7),
        # Where one provider puts it in batches.
        (asset("x", content={"last_indexed_slot": 365750752}), 365750752),
        (asset("x", last_indexed_slot="7"), 5),
        (asset("x", last_indexed_slot=0), 5),
        (asset("x", last_indexed_slot=2**80), 5),
    ],
)
def test_the_slot_is_the_assets_own_or_the_answers(shape: Shape, slot: int) -> None:
    assert read(shape, 5).slot == slot


def test_the_document_is_put_together_again() -> None:
    content = read(asset("one")).content
    assert content.uri == "https://lads.example/one.json"
    assert content.document == {
        "name": "Lad #one",
        "symbol": "LAD",
        "description": "A lad.",
        "attributes": [{"value": "Male", "trait_type": "Gender"}, {"value": 7, "trait_type": "Level"}],
        "image": "https://lads.example/one.png",
        "external_url": "https://lads.example",
        "properties": {"files": [{"uri": "https://lads.example/one.png", "type": "image/png"}]},
    }


def test_of_a_document_that_the_node_has_not_read_name_and_symbol_are_known() -> None:
    """They are on the chain; an empty list of attributes is what some servers make of nothing."""
    assert read(unread("x")).content.document == {"name": "Lad #x", "symbol": "LAD"}
    name = {"name": "Lad\0\0\0", "symbol": "LAD", "attributes": [], "description": ""}
    content = read(asset("x", content={"json_uri": "", "metadata": name, "files": [], "links": {}})).content
    assert (content.uri, content.name, content.document.keys() - {"attributes"}) == (
        None,
        "Lad",
        {"name", "symbol"},
    )


MALFORMED: dict[str, tuple[Any, str]] = {
    "null": (None, "no object"),
    "a text": ("x", "no object"),
    "no id": ({"interface": "V1_NFT"}, "no mint"),
    "an EVM address": (asset("x", id="0x1668E0FB0Dd39e54fE33f80a9F37c4dBF172E1b0"), "no mint"),  # F46
    "two ids in one": (asset("x", id=account(1) + account(2)), "no mint"),
    "31 bytes": (asset("x", id="1" * 31), "no mint"),
    "an interface that is none": (asset("x", interface=7), "`interface`"),
    "an owner that is none": (asset("x", ownership=owned_by("bob")), "`owner`"),
    "an owner that is a list": (asset("x", ownership={"owner": [ALICE]}), "`owner`"),
    "ownership as a text": (asset("x", ownership=ALICE), "`ownership`"),
    "groups as an object": (asset("x", grouping=group()), "`grouping`"),
    "groups that are none": (asset("x", grouping=[LADS]), "`grouping`"),
    "a collection that is none": (asset("x", grouping=[group("0xabc")]), "`grouping`"),
    "burnt as a text": (asset("x", burnt="yes"), "`burnt`"),
    "burnt as a number": (asset("x", burnt=1), "`burnt`"),
    "half a unit": (asset("x", token_info={"supply": 1.5}), "`supply`"),
    "decimals that are none": (asset("x", token_info={"supply": 1, "decimals": "six"}), "`decimals`"),
    "compression as a flag": (asset("x", compression=True), "`compression`"),
}


@pytest.mark.parametrize(("shape", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_asset_is_refused_with_the_reason(shape: Any, reason: str) -> None:
    with pytest.raises(BadAssetError, match=reason):
        read(shape)


def test_a_malformed_asset_is_told_by_its_id() -> None:
    with pytest.raises(BadAssetError) as caught:
        read(asset("x", burnt="yes"))
    assert caught.value.mint == account("x")


@pytest.mark.parametrize("stated", ["\x1b[2J", "https://node.example/KEY", None, ["x"]])
def test_an_id_that_could_be_anything_is_not_shown(stated: Any) -> None:
    with pytest.raises(BadAssetError) as caught:
        read(asset("x", id=stated))
    assert caught.value.mint == "(no id)"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(LADS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
CONTENT = st.fixed_dictionaries(
    {}, optional={"json_uri": JSON, "files": JSON | st.lists(JSON), "metadata": JSON, "links": JSON}
)


@given(content=JSON | CONTENT)
def test_nothing_that_an_author_writes_makes_an_asset_malformed(content: Any) -> None:
    found = read(asset("x", content=content))
    assert (found.mint, found.owner) == (account("x"), ALICE)


@given(data=st.data(), name=st.sampled_from(sorted(asset("x").keys() - {"content"})))
def test_whatever_a_server_sends_is_taken_or_refused(data: st.DataObject, name: str) -> None:
    shape = asset("x") | {name: data.draw(JSON)}
    with suppress(BadAssetError):
        assert read(shape).mint == shape["id"]
