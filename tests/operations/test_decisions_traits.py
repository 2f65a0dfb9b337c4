"""The filters by traits: alternatives within a type, all across types, and every reading of an entry."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, nft
from tests.conftest import Api
from tests.operations.promises import given, ids, refused, walked

pytestmark = pytest.mark.django_db


def test_entries_of_one_type_are_alternatives_and_types_must_all_hold(api: Api) -> None:
    given(
        nft("1", traits=[("Type", "Alien"), ("Hat", "Cap")]),
        nft("2", traits=[("Type", "Ape"), ("Hat", "Cap")]),
        nft("3", traits=[("Type", "Ape"), ("Hat", "Crown")]),
    )
    by_id = {"sortBy": "tokenId"}
    assert ids(api.nfts(traits="Type-Alien,Type-Ape", **by_id)) == ["1", "2", "3"]
    assert ids(api.nfts(traits="Type-Ape,Hat-Cap", **by_id)) == ["2"]
    assert ids(api.nfts(traits="Type-Alien,Type-Ape,Hat-Cap,Hat-Top", **by_id)) == ["1", "2"]


def test_an_alternative_that_nobody_has_takes_nothing_away(api: Api) -> None:
    given(nft("1", traits=[("Type", "Alien")]), nft("2", traits=[("Type", "Ape")]))
    assert ids(api.nfts(traits="Type-Alien,Type-Nope")) == ["1"]
    assert ids(api.nfts(traits="Type-Alien,Hat-Nope")) == []


def test_readings_that_exist_decide_what_is_alternative_to_what(api: Api) -> None:
    """`Hi-Top-Red` is of type Hi-Top here, so it is no alternative to `Hi-Low`; a (Hi, Top-Red) makes it one."""
    given(nft("1", traits=[("Hi-Top", "Red")]), nft("2", traits=[("Hi", "Low")]))
    assert ids(api.nfts(traits="Hi-Top-Red,Hi-Low")) == []
    given(nft("3", traits=[("Hi", "Top-Red")]))
    assert ids(api.nfts(traits="Hi-Top-Red,Hi-Low", sortBy="tokenId")) == ["1", "2", "3"]


def test_readings_are_those_of_the_contract_when_one_is_given(api: Api) -> None:
    given(
        nft("1", traits=[("Hi-Top", "Red")]),
        nft("2", traits=[("Hi", "Low")]),
        nft("3", ALICE, traits=[("Hi", "Top-Red")]),
    )
    assert ids(api.nfts(contractAddress=APES, traits="Hi-Top-Red,Hi-Low")) == []
    assert ids(api.nfts(traits="Hi-Top-Red,Hi-Low", sortBy="tokenId")) == ["1", "2", "3"]


def test_alternatives_go_on_from_one_to_the_next(api: Api) -> None:
    """`A-B-c` may be of type A or A-B: it joins the entries of both types into one group."""
    given(
        nft("1", traits=[("A", "x")]),
        nft("2", traits=[("A-B", "y")]),
        nft("3", traits=[("A", "B-c")]),
        nft("4", traits=[("A-B", "c")]),
    )
    assert ids(api.nfts(traits="A-x,A-B-c,A-B-y", sortBy="tokenId")) == ["1", "2", "3", "4"]
    assert ids(api.nfts(traits="A-x,A-B-y", sortBy="tokenId")) == []


def test_when_no_reading_exists_all_of_them_count(api: Api) -> None:
    """`A-B-none` might be of type A or A-B: an alternative to an A that exists."""
    given(nft("1", traits=[("A", "x")]))
    assert ids(api.nfts(traits="A-x,A-B-none")) == ["1"]
    assert ids(api.nfts(traits="A-x,C-none")) == []


def test_an_entry_is_taken_as_written(api: Api) -> None:
    """`Level-5` finds the numbers 5 and 5.0 and the text "5"; `Level-5.0` only the text "5.0"."""
    values = [5, 5.0, "5", "5.0", 50]
    given(*(nft(str(index), traits=[("Level", value)]) for index, value in enumerate(values)))
    assert ids(api.nfts(traits="Level-5", sortBy="tokenId")) == ["0", "1", "2"]
    assert ids(api.nfts(traits="Level-5.0")) == ["3"]


@pytest.mark.parametrize(
    ("value", "entry"),
    [
        (0.5, "0.5"),
        (-3, "-3"),
        (True, "true"),
        (False, "false"),
        ({"b": 1, "a": [True, "é"]}, '"Stat-{""a"":[true,""é""],""b"":1}"'),
        ("  spaced  ", '"Stat-  spaced  "'),
        ("日本", "日本"),
    ],
)
def test_the_text_of_a_value(api: Api, value: object, entry: str) -> None:
    """JSON's own text for what is no string; compact and with sorted keys for what is nested."""
    given(nft("1", traits=[("Stat", value)]), nft("2", traits=[("Stat", "other")]))
    assert ids(api.nfts(traits=entry if entry.startswith('"') else f"Stat-{entry}")) == ["1"]


def test_an_untyped_trait_has_the_empty_type(api: Api) -> None:
    given(nft("1", metadata={"traits": [{"traitValue": "Gold"}]}), nft("2", traits=[("Skin", "Gold")]))
    assert ids(api.nfts(traits="-Gold")) == ["1"]


def test_an_entry_without_a_dash_is_refused(api: Api) -> None:
    assert refused(api, traits="Gold") == [("traits", "invalid")]
    assert refused(api, excludedTraits="Type-Alien,Gold") == [("excludedTraits", "invalid")]


def test_an_nft_that_has_one_type_twice_matches_by_either_and_comes_once(api: Api) -> None:
    given(nft("1", traits=[("Accessory", "Mohawk"), ("Accessory", "Earring")]), nft("2"))
    assert ids(api.nfts(traits="Accessory-Mohawk")) == ["1"]
    assert ids(api.nfts(traits="Accessory-Earring")) == ["1"]
    assert ids(walked(api, traits="Accessory-Mohawk,Accessory-Earring", limit=1)) == ["1"]


def test_excluded_traits_win_over_traits(api: Api) -> None:
    given(
        nft("1", traits=[("Fur", "Gold"), ("Hat", "Cap")]),
        nft("2", traits=[("Fur", "Gold")]),
        nft("3", traits=[("Fur", "Gold"), ("Eyes", "Laser")]),
    )
    assert ids(api.nfts(traits="Fur-Gold", excludedTraits="Hat-Cap,Eyes-Laser")) == ["2"]
    assert ids(api.nfts(traits="Fur-Gold", excludedTraits="Fur-Gold")) == []
    assert ids(api.nfts(excludedTraits="Hat-Nope", sortBy="tokenId")) == ["1", "2", "3"]


def test_traits_follow_the_metadata(api: Api) -> None:
    """`metadata` is replaced whole: what is no longer in it is no longer found or counted."""
    given(nft("1", traits=[("Fur", "Gold")]), nft("2", traits=[("Fur", "Gold")]))
    given(nft("1", traits=[("Fur", "Brown")]))
    assert ids(api.nfts(traits="Fur-Gold")) == ["2"]
    assert ids(api.nfts(traits="Fur-Brown")) == ["1"]
    (record,) = api.nfts(tokenId="2")["data"]
    assert record["metadata"]["traits"][0]["traitFrequency"] == 1
