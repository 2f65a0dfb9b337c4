"""What markets, games and standards beyond Ethereum's write, and texts in several languages."""

from __future__ import annotations

from typing import Any

import pytest

from tokens.metadata.normalise import normalise

ONE, TWO = "https://i.example/1", "https://j.example/2"

MARKETS: dict[str, tuple[Any, Any]] = {
    "Foundation": (
        {
            "name": "X",
            "image": f"{ONE}.png",
            "animation_url": f"{TWO}.glb",
            "external_url": "https://f.example",
        },
        {
            "name": "X",
            "imageUrl": f"{ONE}.png",
            "imageMediaType": "image/png",
            "mediaUrl": f"{TWO}.glb",
            "mediaType": "model/gltf-binary",
        },
    ),
    "SuperRare": (
        {
            "name": "X",
            "createdBy": "Y",
            "yearCreated": "2021",
            "image": ONE,
            "media": {"uri": TWO, "size": "9", "mimeType": "video/mp4"},
            "tags": ["a"],
        },
        {"name": "X", "imageUrl": ONE, "mediaUrl": TWO, "mediaType": "video/mp4"},
    ),
    "SuperRare, a picture": (
        {"name": "X", "image": ONE, "media": {"uri": ONE, "dimensions": "8x4", "mimeType": "image/gif"}},
        {"name": "X", "imageUrl": ONE, "imageMediaType": "image/gif"},
    ),
    "KnownOrigin": (
        {
            "name": "X",
            "attributes": {"scarcity": "rare", "production_year": 2021},
            "image_sphere": True,
            "image": ONE,
            "animation_url": TWO,
            "external_uri": "https://k.example",
        },
        {
            "name": "X",
            "imageUrl": ONE,
            "mediaUrl": TWO,
            "traits": [
                {"traitType": "scarcity", "traitValue": "rare"},
                {"traitType": "production_year", "traitValue": 2021},
            ],
        },
    ),
    "MakersPlace": (
        {
            "title": "X",
            "type": "object",
            "properties": {
                "description": {"type": "string", "description": "Y"},
                "preview_media_file": {"type": "string", "description": ONE},
                "preview_media_file_type": {"type": "string", "description": "jpg"},
                "total_supply": {"type": "int", "description": 10},
            },
            "name": "X",
        },
        {"name": "X", "description": "Y", "imageUrl": ONE},
    ),
    "POAP": (
        {
            "description": "Y",
            "external_url": "https://p.example",
            "home_url": "https://q.example",
            "image_url": ONE,
            "name": "X",
            "year": 2020,
            "tags": ["poap"],
            "attributes": [{"trait_type": "city", "value": "Berlin"}],
            "properties": [],
        },
        {
            "name": "X",
            "description": "Y",
            "imageUrl": ONE,
            "traits": [{"traitType": "city", "traitValue": "Berlin"}],
        },
    ),
    "Unlock": (
        {
            "name": "X",
            "image": ONE,
            "expiration": "9",
            "tokenId": "1",
            "owner": "0x1",
            "userMetadata": {"public": {"name": "Bob"}},
            "attributes": [{"trait_type": "Expiration", "value": 0, "display_type": "date"}],
            "keyId": "1",
            "network": 100,
        },
        {"name": "X", "imageUrl": ONE, "traits": [{"traitType": "Expiration", "traitValue": 0}]},
    ),
    "Mirror": (
        {
            "name": "X 1/10",
            "description": "Y",
            "content": "ar://bpVcmXvwf2J6HidDlWH2PagI6sUgByKEdJssRmM18C4",
            "image": "ipfs://",
            "attributes": [{"trait_type": "Serial", "value": 1}],
        },
        {"name": "X 1/10", "description": "Y", "traits": [{"traitType": "Serial", "traitValue": 1}]},
    ),
    "Decentraland's land": (
        {
            "id": "100",
            "name": "Parcel 0,100",
            "description": "",
            "image": ONE,
            "attributes": [{"trait_type": "X", "value": 0, "display_type": "number"}],
            "background_color": "000000",
        },
        {"name": "Parcel 0,100", "imageUrl": ONE, "traits": [{"traitType": "X", "traitValue": 0}]},
    ),
    "Decentraland's wearables": (
        {
            "id": "dcl://a/b",
            "description": "Y",
            "thumbnail": ONE,
            "i18n": [{"code": "es", "text": "Gorra"}, {"code": "en", "text": "Cap"}],
            "data": {"category": "hat", "tags": []},
        },
        {"name": "Cap", "description": "Y", "imageUrl": ONE},
    ),
    "The Sandbox": (
        {
            "name": "X",
            "description": "Y",
            "image": ONE,
            "animation_url": f"{TWO}.gltf",
            "properties": [{"trait_type": "speed", "value": 7}],
            "sandbox": {"creator": "Bob", "version": 1},
        },
        {
            "name": "X",
            "description": "Y",
            "imageUrl": ONE,
            "mediaUrl": f"{TWO}.gltf",
            "mediaType": "model/gltf+json",
            "traits": [{"traitType": "speed", "traitValue": 7}],
        },
    ),
    "Gods Unchained": (
        {
            "name": "X",
            "description": "Y",
            "image": ONE,
            "attributes": {"protoId": 43, "god": "nature", "mana": 2},
        },
        {
            "name": "X",
            "description": "Y",
            "imageUrl": ONE,
            "traits": [
                {"traitType": "protoId", "traitValue": 43},
                {"traitType": "god", "traitValue": "nature"},
                {"traitType": "mana", "traitValue": 2},
            ],
        },
    ),
    "Sorare": (
        {
            "name": "X",
            "image": ONE,
            "external_url": "?referrer=x",
            "attributes": [
                {"trait_type": "power", "value": "1.05", "display_type": "number", "max_value": "0.5"}
            ],
        },
        {"name": "X", "imageUrl": ONE, "traits": [{"traitType": "power", "traitValue": "1.05"}]},
    ),
    "Ordinals' collections": (
        [{"id": "af0b19i0", "meta": {"name": "X", "attributes": [{"trait_type": "Holes", "value": "Rose"}]}}],
        {"name": "X", "traits": [{"traitType": "Holes", "traitValue": "Rose"}]},
    ),
    "NFT.storage": (
        {
            "name": "X",
            "description": "Y",
            "image": ONE,
            "decimals": 0,
            "properties": {"origins": {"http": "https://n.example"}, "kind": "cat"},
            "localization": {"uri": "ipfs://x/{locale}.json", "default": "en", "locales": ["en"]},
        },
        {
            "name": "X",
            "description": "Y",
            "imageUrl": ONE,
            "traits": [{"traitType": "kind", "traitValue": "cat"}],
        },
    ),
    "NEP-177": (
        {
            "title": "X",
            "media": ONE,
            "copies": 1,
            "extra": '{"attributes": [{"trait_type": "Hat", "value": "Cap"}]}',
            "reference": "ipfs://x",
        },
        {"name": "X", "imageUrl": ONE, "traits": [{"traitType": "Hat", "traitValue": "Cap"}]},
    ),
    "ARC-3": (
        {
            "name": "X",
            "decimals": 0,
            "image": ONE,
            "image_mimetype": "image/png",
            "animation_url": TWO,
            "animation_url_mimetype": "video/mp4",
            "properties": {"Bass": "Groovy"},
        },
        {
            "name": "X",
            "imageUrl": ONE,
            "imageMediaType": "image/png",
            "mediaUrl": TWO,
            "mediaType": "video/mp4",
            "traits": [{"traitType": "Bass", "traitValue": "Groovy"}],
        },
    ),
    "CENNZnet": (
        {"name": "X", "image": ONE, "encoding_format": "image/png"},
        {"name": "X", "imageUrl": ONE, "imageMediaType": "image/png"},
    ),
    "Moralis": (
        {"token_id": "1", "metadata": '{"name": "X", "image": "' + ONE + '"}'},
        {"name": "X", "imageUrl": ONE},
    ),
}
"""Documents of markets, games and standards, and what is read of them."""


@pytest.mark.parametrize("who", MARKETS)
def test_what_markets_and_games_write_is_read(who: str) -> None:
    document, fields = MARKETS[who]
    assert normalise(document) == fields


@pytest.mark.parametrize("name", ["name", "title", "description"])
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"en": "Ape", "zh": "猿"}, "Ape"),
        ({"zh": "猿", "en-US": "Ape"}, "Ape"),
        ({"fr": "Singe", "default": "Ape"}, "Ape"),
        ({"zh-Hans": "猿"}, "猿"),
        ([{"code": "es", "text": "Mono"}, {"code": "en", "text": "Ape"}], "Ape"),
        ([{"language": "ja", "value": "猿"}, {"language": "fr", "value": "Singe"}], "猿"),
    ],
)
def test_of_a_text_in_several_languages_one_is_taken(name: str, written: Any, said: str) -> None:
    assert normalise({name: written}) == {"description" if name == "description" else "name": said}


@pytest.mark.parametrize(
    "written",
    [
        {"id": 7, "url": "x"},
        {"id": 7},
        {"no": "x"},
        {"x": "y"},
        [{"x": "en", "y": "z"}],
        [{"text": "y"}],
        [],
        {},
    ],
)
def test_an_object_that_holds_no_text_is_none(written: Any) -> None:
    assert normalise({"name": written}) == {}
