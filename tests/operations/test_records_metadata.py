"""Metadata and traits of NFT records (specification, NFT metadata and Trait entry), whatever JSON a document holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rest.records import Record
from tokens.records.metadata import Pictures, metadata_record
from tokens.records.traits import Counts, Population

NOBODY = Population(size=0, computed=False)


def shown(document: Any, population: Population = NOBODY, **images: str) -> Record | None:
    """The metadata that a stored document makes."""
    return metadata_record(json.dumps(document), Pictures(images), population)


def traits_of(
    entries: list[Any], counts: Counts | None = None, size: int = 0, computed: bool = False
) -> list[Record]:
    """The trait entries that a document's entries make."""
    record = shown({"traits": entries}, Population(size=size, computed=computed, counts=counts or {}))
    assert record is not None
    traits: list[Record] = record["traits"]
    return traits


def test_nothing_known_is_no_metadata() -> None:
    assert metadata_record(None, Pictures(), NOBODY) is None
    assert shown({}) is None
    assert shown([1, 2]) is None
    assert metadata_record("not JSON", Pictures(), NOBODY) is None


def test_a_document_shows_its_fields() -> None:
    document = {
        "name": "Ape",
        "description": "An ape.",
        "imageUrl": "ipfs://Qm/1.png",
        "imageMediaType": "image/png",
        "mediaType": "video/mp4",
        "mediaUrl": "https://example.org/1.mp4",
        "traits": [],
    }
    assert shown(document) == document


def test_known_metadata_without_traits_has_an_empty_list() -> None:
    # Field report F38.
    assert shown({"name": "Ape"}) == {"name": "Ape", "traits": []}


def test_a_name_that_is_a_number_becomes_its_text() -> None:
    assert shown({"name": 7, "description": 1.50}) == {"name": "7", "description": "1.5", "traits": []}


@pytest.mark.parametrize("value", ["", None, [], {}, ["a"], {"a": 1}, True])
def test_a_field_of_a_wrong_type_or_empty_is_left_out(value: Any) -> None:
    fields = ("name", "description", "imageUrl", "imageMediaType", "mediaType", "mediaUrl")
    assert shown(dict.fromkeys(fields, value)) == {"traits": []}


def test_cache_urls_come_from_the_cache_and_never_from_a_document() -> None:
    document = {"imageCacheUrl": "https://evil.example", "imageCachePreviewUrl": "https://evil.example"}
    assert shown(document, imageCacheUrl="https://nft.example/files/1.png") == {
        "imageCacheUrl": "https://nft.example/files/1.png",
        "traits": [],
    }
    assert metadata_record(None, Pictures({"imageCacheUrl": "u"}), NOBODY) == {"imageCacheUrl": "u"}


def test_a_data_uri_of_more_than_8_kilobytes_is_left_out() -> None:
    short = "data:image/svg+xml," + "x" * (8_000 - 19)
    assert shown({"imageUrl": short, "mediaUrl": short + "x"}) == {"imageUrl": short, "traits": []}
    assert shown({"imageUrl": "DATA:" + "x" * 8_000}) == {"traits": []}
    long_url = "https://example.org/" + "x" * 9_000
    assert shown({"imageUrl": long_url}) == {"imageUrl": long_url, "traits": []}


@pytest.mark.parametrize("character", ["x", "é", "…", "🦍"])
def test_a_description_is_cut_at_10_kilobytes_and_not_within_a_character(character: str) -> None:
    record = shown({"description": "a" + character * 10_000})
    assert record is not None
    size = len(record["description"].encode())
    assert 10_000 - len(character.encode()) < size <= 10_000
    assert set(record["description"]) == {"a", character}


def test_a_trait_value_keeps_its_json_type() -> None:
    # Field report F36.
    values = ["1", 1, 1.5, True, False, {"a": [1]}]
    entries = traits_of([{"traitType": "T", "traitValue": value} for value in values])
    assert [(type(entry["traitValue"]), entry["traitValue"]) for entry in entries[:2]] == [
        (str, "1"),
        (int, 1),
    ]
    assert json.dumps([entry["traitValue"] for entry in entries]) == json.dumps(values)


def test_an_untyped_trait_has_no_type() -> None:
    assert traits_of([{"traitValue": "Gold"}, {"traitType": None, "traitValue": "a"}]) == [
        {"traitValue": "Gold"},
        {"traitValue": "a"},
    ]


@pytest.mark.parametrize(
    "entries", [{"a": 1}, "text", 5, [[{"traitType": "a", "traitValue": "b"}]], [None, 3, {}]]
)
def test_what_is_no_trait_is_passed_over(entries: Any) -> None:
    # Field report F37.
    assert shown({"name": "Ape", "traits": entries}) == {"name": "Ape", "traits": []}


def test_at_most_500_traits_are_shown() -> None:
    entries = traits_of([{"traitType": "T", "traitValue": number} for number in range(501)])
    assert [entry["traitValue"] for entry in entries] == list(range(500))


def test_frequency_percentage_and_rarity_follow_from_the_count() -> None:
    entry = traits_of([{"traitType": "Type", "traitValue": "Alien"}], {("Type", "Alien"): 9}, size=10_000)[0]
    assert entry["traitFrequency"] == 9
    assert entry["traitPercentFrequency"] == 0.09
    assert entry["traitRarity"] == pytest.approx(10_000 / 9)


def test_numbers_and_booleans_are_counted_by_their_text() -> None:
    counts = {("Level", "5"): 2, ("Rate", "0.1234567890123456789012"): 3, ("On", "true"): 4}
    document = (
        '{"traits":[{"traitType":"Level","traitValue":5.0},'
        '{"traitType":"Rate","traitValue":0.12345678901234567890120},{"traitType":"On","traitValue":true}]}'
    )
    record = metadata_record(document, Pictures(), Population(size=10, computed=False, counts=counts))
    assert record is not None
    assert [entry["traitFrequency"] for entry in record["traits"]] == [2, 3, 4]


def test_stated_frequencies_hold_until_rarity_is_computed() -> None:
    stated = {"traitType": "T", "traitValue": "v", "traitFrequency": 7, "traitRarity": 1.25}
    counts = {("T", "v"): 2}
    assert traits_of([stated], counts, size=8) == [{**stated, "traitPercentFrequency": 25}]
    assert traits_of([stated], counts, size=8, computed=True) == [
        {
            "traitType": "T",
            "traitValue": "v",
            "traitRarity": 4,
            "traitFrequency": 2,
            "traitPercentFrequency": 25,
        }
    ]


def test_a_trait_that_was_not_counted_has_no_numbers_rather_than_zero() -> None:
    # Field report F42.
    assert traits_of([{"traitType": "T", "traitValue": "v"}], {}, size=8) == [
        {"traitType": "T", "traitValue": "v"}
    ]


@pytest.mark.parametrize("wrong", ["5", True, [5], None])
def test_a_stated_frequency_that_is_no_number_gives_way_to_the_count(wrong: Any) -> None:
    entry = {"traitType": "T", "traitValue": "v", "traitFrequency": wrong}
    assert traits_of([entry], {("T", "v"): 2}, size=8)[0]["traitFrequency"] == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)
NAMES = st.sampled_from(
    ["name", "description", "imageUrl", "mediaUrl", "mediaType", "imageMediaType", "traits"]
)
ENTRY = st.dictionaries(st.sampled_from(["traitType", "traitValue", "traitFrequency", "traitRarity"]), JSON)


@given(JSON | st.dictionaries(NAMES, JSON | st.lists(ENTRY | JSON)))
def test_any_json_makes_metadata_of_the_right_types_or_none(document: Any) -> None:
    record = shown(document)
    json.dumps(record, allow_nan=False)
    for name, value in (record or {}).items():
        assert isinstance(value, list if name == "traits" else str)
        assert value or name == "traits"
    for entry in (record or {}).get("traits", []):
        assert entry["traitValue"] is not None
        assert isinstance(entry.get("traitType", ""), str)
        assert all(isinstance(entry.get(name, 0), int | float) for name in ("traitFrequency", "traitRarity"))
