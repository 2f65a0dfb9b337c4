"""Traits, in the many forms in which authors write attributes (field reports F33, F36, F37, F38)."""

from __future__ import annotations

from typing import Any

import pytest

from tokens.metadata.normalise import normalise
from tokens.metadata.trait_texts import value_text

BLUE = [("Background", "Blue")]


def traits_of(document: Any) -> list[tuple[str | None, Any]]:
    """Type and value of each trait of a document, in order."""
    traits = normalise(document).get("traits", [])
    assert all(set(trait) <= {"traitType", "traitValue"} for trait in traits)
    return [(trait.get("traitType"), trait["traitValue"]) for trait in traits]


@pytest.mark.parametrize(
    "name", ["trait_type", "traitType", "trait", "key", "name", "property", "label", "type"]
)
@pytest.mark.parametrize("value", ["value", "trait_value", "traitValue", "val", "Value"])
def test_type_and_value_have_many_names(name: str, value: str) -> None:
    assert traits_of({"attributes": [{name: "Background", value: "Blue"}]}) == BLUE


@pytest.mark.parametrize("name", ["attributes", "traits", "Attributes", "properties"])
@pytest.mark.parametrize(
    "stated",
    [
        [{"trait_type": "Background", "value": "Blue"}],
        {"Background": "Blue"},
        {"Background": {"value": "Blue"}},
        {"0": {"trait_type": "Background", "value": "Blue"}},
    ],
)
def test_a_list_an_object_or_a_map_of_objects(name: str, stated: Any) -> None:
    assert traits_of({name: stated}) == BLUE


@pytest.mark.parametrize(
    "stated",
    [
        [[{"trait_type": "Background", "value": "Blue"}]],  # F37
        [[[{"trait_type": "Background", "value": "Blue"}]], []],
        [{"Background": "Blue"}],
        [["Background", "Blue"]],
        {"trait_type": "Background", "value": "Blue"},
        {"common": [{"trait_type": "Background", "value": "Blue"}]},
        '[{"trait_type": "Background", "value": "Blue"}]',
    ],
)
def test_odder_forms(stated: Any) -> None:
    assert traits_of({"attributes": stated}) == BLUE


def test_an_object_in_a_list_may_be_the_map_itself() -> None:
    assert traits_of({"attributes": [{"Background": "Blue", "Level": 5}]}) == [*BLUE, ("Level", 5)]


@pytest.mark.parametrize(
    "value", ["1", 1, 1.4, True, False, 0, "", ["a", 1], {"b": None}, 1633123738000, "2022,Ford"]
)
def test_a_value_keeps_its_json_type(value: Any) -> None:
    """F36. Dates stay in the seconds or milliseconds in which they were written."""
    (trait,) = traits_of({"attributes": [{"trait_type": "Value", "value": value, "display_type": "date"}]})
    assert trait == ("Value", value)
    assert type(trait[1]) is type(value)


@pytest.mark.parametrize(
    "display", ["number", "boost_number", "boost_percentage", "date", "string", "nonsense", 7]
)
def test_how_a_value_is_displayed_changes_nothing(display: Any) -> None:
    entry = {"display_type": display, "trait_type": "Speed", "value": 86, "max_value": 100}
    assert traits_of({"attributes": [entry]}) == [("Speed", 86)]


@pytest.mark.parametrize(
    "entry",
    [{"value": "Gold"}, {"trait_type": None, "value": "Gold"}, {"trait_type": " ", "value": "Gold"}, "Gold"],
)
def test_an_untyped_value_is_an_untyped_trait(entry: Any) -> None:
    assert traits_of({"attributes": [entry, {"trait_type": "A", "value": 1}]}) == [(None, "Gold"), ("A", 1)]


@pytest.mark.parametrize("kind", [5, 0.5])
def test_a_number_as_a_type_is_its_text(kind: float) -> None:
    assert traits_of({"attributes": [{"trait_type": kind, "value": "x"}]}) == [(str(kind), "x")]


def test_a_null_value_is_a_trait_that_the_nft_has_not() -> None:
    document = {
        "attributes": [{"trait_type": "Hat", "value": None}, {"trait_type": "Background", "value": "Blue"}]
    }
    assert traits_of(document) == BLUE
    assert traits_of({"attributes": {"Hat": None, "Background": "Blue"}}) == BLUE
    assert traits_of({"attributes": [{"name": "Hat", "value": None}]}) == []


def test_what_is_no_number_is_no_value() -> None:
    entries = [{"trait_type": "A", "value": float("nan")}, {"trait_type": "B", "value": [float("inf"), 1]}]
    assert traits_of({"attributes": entries}) == [("B", [None, 1])]


def test_the_same_pair_twice_is_one_trait_and_the_same_type_twice_is_two() -> None:
    entries = [
        ("A", "x"),
        ("A", "x"),
        ("A", "y"),
        ("B", 5),
        ("B", "5"),
        ("B", 5.0),
        ("B", True),
        ("B", "true"),
    ]
    document = {"attributes": [{"trait_type": kind, "value": value} for kind, value in entries]}
    assert traits_of(document) == [("A", "x"), ("A", "y"), ("B", 5), ("B", "5"), ("B", True), ("B", "true")]


def test_attributes_and_traits_are_united() -> None:
    document = {"attributes": [{"trait_type": "A", "value": 1}], "traits": {"A": 1, "B": 2}}
    assert traits_of(document) == [("A", 1), ("B", 2)]


@pytest.mark.parametrize("nothing", [None, "", "none", "[not JSON", 7, True, [], {}, [None], [[]], [{}]])
def test_attributes_that_are_none_cost_nothing(nothing: Any) -> None:
    """F38."""
    document = {
        "name": "Ape",
        "attributes": nothing,
        "traits": [{"trait_type": "Background", "value": "Blue"}],
    }
    assert traits_of(document) == BLUE
    assert normalise({"name": "Ape", "attributes": nothing}) == {"name": "Ape"}


@pytest.mark.parametrize(
    "junk", [None, [], {}, {"trait_type": "Hat"}, {"a": 1, "b": 2}, {"display_type": "number"}]
)
def test_an_entry_that_states_no_value_costs_only_itself(junk: Any) -> None:
    entry = {"trait_type": "Background", "value": "Blue"}
    assert traits_of({"attributes": [entry, junk]}) == traits_of({"attributes": [junk, entry]}) == BLUE


@pytest.mark.parametrize(
    "properties",
    [
        {"files": [{"uri": "x.png", "type": "image/png"}], "category": "image", "creators": []},  # Metaplex
        # A JSON schema.
        {"name": {"type": "string", "description": "Ape"}, "n": {"type": "int", "description": 1}},
        {
            "image": "https://i.example/x",
            "name": "Ape",
            "description": "An ape",
            "externalUrl": "https://x.example",
        },
        {"rich": {"class": "emphasis"}},
        "text",
        ["a", "b"],
    ],
)
def test_properties_that_are_no_map_of_traits_are_none(properties: Any) -> None:
    assert traits_of({"properties": properties}) == []


def test_properties_of_erc_1155_are_traits() -> None:
    """The example of ERC-1155's metadata section."""
    properties = {
        "simple_property": "example value",
        "rich_property": {
            "name": "Name",
            "value": "123",
            "display_value": "123 Example Value",
            "class": "emphasis",
        },
        "array_property": {"name": "Name", "value": [1, 2, 3, 4], "class": "emphasis"},
    }
    assert traits_of({"name": "Asset Name", "properties": properties}) == [
        ("simple_property", "example value"),
        ("Name", "123"),
        ("Name", [1, 2, 3, 4]),
    ]


def test_properties_are_no_traits_beside_attributes() -> None:
    assert traits_of({"attributes": {"Background": "Blue"}, "properties": {"artist": "X"}}) == BLUE


def test_a_nested_value_is_kept_down_to_the_levels_that_are_compared() -> None:
    value: Any = "bottom"
    for _ in range(60):
        value = [value]
    ((_, kept),) = traits_of({"attributes": [{"trait_type": "Deep", "value": value}]})
    assert value_text(kept) == value_text(value) == "[" * 32 + "null" + "]" * 32
