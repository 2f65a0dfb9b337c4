"""Field reports F32 to F43: traits that were matched, split, counted or lost in the wrong way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import APES, ask, nft
from tests.conftest import Api
from tests.operations.promises import given, ids, only, walked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_type_and_value_are_of_one_and_the_same_trait(api: Api) -> None:
    """F32: Background=Blue matched a token with a red background and blue eyes."""
    given(
        nft("1", traits=[("Background", "Red"), ("Eyes", "Blue")]),
        nft("2", traits=[("Background", "Blue"), ("Eyes", "Red")]),
    )
    assert ids(api.nfts(traits="Background-Blue")) == ["2"]
    assert ids(api.nfts(excludedTraits="Background-Blue")) == ["1"]


def test_a_value_with_commas_has_a_lossless_way_in(api: Api) -> None:
    """F33: the value `2022,Ford,Bronco` could not be asked for; in double quotes it can, as in CSV."""
    given(
        nft("1", traits=[("Car", "2022,Ford,Bronco")]),
        nft("2", traits=[("Car", "2022")]),
        nft("3", traits=[("Car", 'the "big", red one')]),
    )
    assert ids(api.nfts(traits='"Car-2022,Ford,Bronco"')) == ["1"]
    assert ids(api.nfts(traits='"Car-the ""big"", red one"')) == ["3"]
    assert ids(api.nfts(traits=['"Car-2022,Ford,Bronco"', "Car-2022"], sortBy="tokenId")) == ["1", "2"]


@pytest.mark.parametrize(
    ("kind", "value"), [("Hi-Top", "Red"), ("Hi", "Top-Red"), ("Level", "-1"), ("", "Gold"), ("A-", "-B-")]
)
def test_dashes_in_types_and_values_need_no_escaping(api: Api, kind: str, value: str) -> None:
    """F34: `Hi-Top-Red` and `Level--1` were split at the first dash, whatever the data said."""
    given(nft("1", traits=[(kind, value)]), nft("2", traits=[("Hi-Top", "Blue"), ("Level", "1")]))
    assert ids(api.nfts(contractAddress=APES, traits=f"{kind}-{value}")) == ["1"]


def test_all_readings_of_an_entry_are_accepted(api: Api) -> None:
    """F34: where both readings exist, both are meant."""
    given(nft("1", traits=[("Hi-Top", "Red")]), nft("2", traits=[("Hi", "Top-Red")]))
    assert ids(api.nfts(traits="Hi-Top-Red", sortBy="tokenId")) == ["1", "2"]


def test_a_number_and_its_text_are_both_found_and_each_keeps_its_type(api: Api) -> None:
    """F36: `generation-1` has to find the number 1 and the text "1"; the record shows which is which."""
    values: list[Any] = [1, "1", 1.0, 1.4, True, "true"]
    given(*(nft(str(index), traits=[("generation", value)]) for index, value in enumerate(values)))
    assert ids(api.nfts(traits="generation-1", sortBy="tokenId")) == ["0", "1", "2"]
    assert ids(api.nfts(traits="generation-1.4")) == ["3"]
    assert ids(api.nfts(traits="generation-true", sortBy="tokenId")) == ["4", "5"]
    shown = [record["metadata"]["traits"][0]["traitValue"] for record in api.nfts(sortBy="tokenId")["data"]]
    assert shown == values
    assert [type(value) for value in shown] == [int, str, float, float, bool, str]


def test_a_date_trait_with_a_display_type_is_a_number_like_any_other(api: Api) -> None:
    """F36: `display_type: date` has Unix seconds for a value."""
    trait = {"traitType": "birthday", "traitValue": 1546360800, "display_type": "date"}
    given(nft("1", metadata={"name": "Kitty", "traits": [trait]}))
    record = only(api.nfts(traits="birthday-1546360800"))
    assert record["metadata"]["traits"][0]["traitValue"] == 1546360800


def test_traits_of_a_wrong_shape_leave_the_other_fields_alone(api: Api) -> None:
    """F37: `attributes: [[{…}]]` took the whole document with it."""
    trait = {"traitType": "Hat", "traitValue": "Cap"}
    given(nft("1", metadata={"name": "Nested", "traits": [[trait]]}), nft("2", metadata={"traits": "none"}))
    found = {record["tokenId"]: record["metadata"] for record in api.nfts()["data"]}
    assert found["1"]["name"] == "Nested"
    assert isinstance(found["1"]["traits"], list)
    assert found["2"]["traits"] == []


def test_nfts_without_metadata_keep_the_page_intact(api: Api) -> None:
    """F38: a consumer broke at item 1500, whose metadata was null."""
    given(nft("1", metadata=None), nft("2", metadata={}), nft("3", traits=[("Hat", "Cap")]))
    found = api.nfts(sortBy="tokenId")["data"]
    assert "metadata" not in found[0]
    assert found[1].get("metadata", {}).get("traits", []) == []
    assert found[2]["metadata"]["traits"][0]["traitValue"] == "Cap"


def test_traits_and_prices_are_filtered_together_in_one_request(api: Api) -> None:
    """F40: "no way to get the 46 gold-fur apes" for sale but by walking all pages."""
    given(
        *(nft(str(number), traits=[("Fur", "Gold" if number < 46 else "Brown")]) for number in range(60)),
        *(ask(str(number), price=str(number + 1)) for number in range(40, 60)),
    )
    assert len(walked(api, traits="Fur-Gold", limit=30)) == 46
    found = api.nfts(traits="Fur-Gold", priceFilter="eth,,44", sortBy="lowestAsk")
    assert ids(found) == ["40", "41", "42", "43"]


def test_frequencies_are_counted_and_never_a_fake_zero(api: Api) -> None:
    """F42: the trait count was always 0."""
    given(
        nft("1", traits=[("Hat", "Cap")]),
        nft("2", traits=[("Hat", "Cap"), ("Fur", "Gold")]),
        nft("3"),
        nft("4"),
    )
    traits = only(api.nfts(tokenId="2"))["metadata"]["traits"]
    counted = [
        (trait["traitFrequency"], trait["traitPercentFrequency"], trait["traitRarity"]) for trait in traits
    ]
    assert counted == [(2, 50, 2), (1, 25, 4)]


def test_equal_scores_share_a_rank_and_the_method_is_published(api: Api) -> None:
    """F43: the order of ranks was disputed because nobody said how ties go."""
    given(nft("1", rarity=2, rank=1), nft("2", rarity=2, rank=1), nft("3", rarity=1, rank=3))
    found = api.nfts(sortBy="rarity")["data"]
    assert [record["rank"] for record in found] == [1, 1, 3]
    fields = api.get(f"{api.base}/schema", {"format": "json"}).json()["components"]["schemas"]["Nft"][
        "properties"
    ]
    assert "OpenRarity" in fields["rarity"]["description"]
    assert "equal ones share it" in fields["rank"]["description"]
