"""Name, description, and documents that are not the object that one expects."""

from __future__ import annotations

from typing import Any

import pytest

from tokens.metadata.normalise import normalise

APE = {"name": "Ape", "description": "An ape."}


@pytest.mark.parametrize(
    "document",
    [
        {"name": "Ape", "description": "An ape."},
        {"Name": "Ape", "Description": "An ape."},
        {"title": "Ape", "description": "An ape."},
        {"metadata": APE},
        {"metadata": [APE]},
        {"success": True, "data": APE},
        {"result": {"metadata": APE}},
        {"name": "Ape", "metadata": {"name": "inner", "description": "An ape."}},
        {
            "title": "Asset Metadata",
            "type": "object",
            "properties": {"name": "Ape", "description": {"value": "An ape."}},
        },
        {
            "title": "Asset Metadata",
            "properties": {
                "name": {"type": "string", "description": "Ape"},
                "description": {"type": "string", "description": "An ape."},
            },
        },
        [APE],
        [[APE]],
        ["junk", APE, None],
        '{"name": "Ape", "description": "An ape."}',
        '"{\\"name\\": \\"Ape\\", \\"description\\": \\"An ape.\\"}"',
    ],
)
def test_name_and_description_wherever_they_are(document: Any) -> None:
    assert normalise(document) == APE


@pytest.mark.parametrize("nothing", [None, "", "  ", [], {}, True, {"a": 1}, ["Ape"]])
def test_a_name_that_is_none_is_absent(nothing: Any) -> None:
    assert normalise({"name": nothing, "description": "An ape."}) == {"description": "An ape."}


def test_a_name_that_is_a_number_is_its_text() -> None:
    assert normalise({"name": 7, "description": 0}) == {"name": "7", "description": "0"}


@pytest.mark.parametrize(
    "text",
    [
        "a\0b",
        "lone \ud800 surrogate",
        "right-to-left \u202e\u05d0\u200f",
        " two\n  lines ",
        "<script>alert(1)</script>",
        "日本 👩‍👩‍👧",
    ],
)
def test_a_text_is_kept_as_it_is_written(text: str) -> None:
    trait = {"trait_type": text, "value": text}
    assert normalise({"name": text, "description": text, "attributes": [trait]}) == {
        "name": text,
        "description": text,
        "traits": [{"traitType": text, "traitValue": text}],
    }


@pytest.mark.parametrize(
    "document",
    [None, True, 5, 0.5, "", "Not Found", "https://x.example/", "{broken", [], [1, 2], [APE, APE], {}],
)
def test_what_describes_no_nft_is_empty(document: Any) -> None:
    """Of two objects nobody can tell which one is meant."""
    assert normalise(document) == {}


def test_a_list_of_traits_is_their_nft_s() -> None:
    document = [{"trait_type": "Fur", "value": "Gold"}, {"trait_type": "Hat", "value": "Cap"}]
    traits = [{"traitType": "Fur", "traitValue": "Gold"}, {"traitType": "Hat", "traitValue": "Cap"}]
    assert normalise(document) == {"traits": traits}


def test_a_string_that_is_an_image_s_address_is_that_image() -> None:
    image = {"imageUrl": "https://i.example/1.png", "imageMediaType": "image/png"}
    assert normalise(" https://i.example/1.png ") == image
    assert normalise("data:image/gif;base64,R0lG")["imageMediaType"] == "image/gif"


def test_a_document_in_a_das_node_s_form_is_understood() -> None:
    """`content` of getAsset (Digital Asset Standard)."""
    content = {
        "$schema": "https://schema.metaplex.com/nft1.0.json",
        "json_uri": "https://arweave.net/x",
        "files": [{"uri": "https://x.example/1", "cdn_uri": "https://cdn.example/1", "mime": "image/png"}],
        "metadata": {
            "attributes": [{"value": "Blue", "trait_type": "Background"}],
            "description": "An ape.",
            "name": "Ape",
            "symbol": "APE",
        },
        "links": {"image": "https://x.example/1", "external_url": "https://x.example"},
    }
    assert normalise(content) == {
        **APE,
        "imageUrl": "https://x.example/1",
        "imageMediaType": "image/png",
        "traits": [{"traitType": "Background", "traitValue": "Blue"}],
    }


def test_a_document_is_not_changed() -> None:
    document = {
        "name": "Ape",
        "attributes": [{"trait_type": "A", "value": {"b": [1]}}],
        "image": ["https://i.example/x"],
    }
    before = repr(document)
    normalise(document)
    assert repr(document) == before
