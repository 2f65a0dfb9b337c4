"""What authors call things, after the standards and collections that docs/metadata.md names."""

from __future__ import annotations

from typing import Any

import pytest

from tokens.metadata.normalise import normalise

ONE, TWO = "https://i.example/1", "https://j.example/2"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'

IMAGES: dict[str, Any] = {
    "RMRK": {"mediaUri": ONE, "thumbnailUri": TWO},
    "RMRK, a preview alone": {"thumbnailUri": ONE},
    "RMRK in snake case": {"media_uri": ONE, "thumbnail_uri": TWO},
    "RMRK, a video": {"mediaUri": f"{TWO}.mp4", "thumbnailUri": ONE},
    "TZIP-21": {"displayUri": ONE, "artifactUri": TWO, "thumbnailUri": TWO},
    "TZIP-21, the work alone": {"artifactUri": ONE, "formats": [{"uri": ONE, "mimeType": "image/png"}]},
    "TZIP-21, a game": {
        "artifactUri": TWO,
        "displayUri": ONE,
        "formats": [{"uri": TWO, "mimeType": "text/html"}],
    },
    "HEN's index": {"display_uri": ONE, "artifact_uri": TWO},
    "Lens 1": {"image": None, "media": [{"item": ONE, "type": "image/png"}]},
    "Lens 1 without a type": {"image": "", "media": [{"item": ONE, "type": None, "altTag": "x"}]},
    "Lens 1, a video's cover": {"media": [{"item": TWO, "type": "video/mp4", "cover": ONE}]},
    "Lens 2": {"lens": {"title": "x", "image": {"item": ONE, "type": "image/jpeg"}}},
    "NEP-177": {"title": "x", "media": ONE},
    "ZRC-7": {"resources": [{"uri": ONE, "mimetype": "image/png"}]},
    "ARC-69": {"standard": "arc69", "media_url": ONE, "mime_type": "image/png"},
    "SIP-16": {"properties": {"raw_media_file_uri": ONE, "raw_media_file_type": "image/png"}},
    "HIP-412": {"type": "image/png", "files": [{"uri": ONE, "type": "image/png", "is_default_file": True}]},
    "IRC-27": {"standard": "IRC27", "type": "image/png", "uri": ONE},
    "Getgems": {"content_url": TWO, "content_type": "video/mp4", "image": ONE},
    "CIP-25, in pieces": {"image": ["https://", "i.example/1"], "mediaType": "image/png"},
    "CIP-25, within its envelope": {"721": {"policy": {"ape": {"image": ONE}}, "version": "1.0"}},
    "Flow's Display": {"name": "x", "thumbnail": {"url": ONE}},
    "Sui's Display": {"name": "x", "thumbnail_url": ONE},
    "SNIP-721": {"media": [{"file_type": "image", "extension": "png", "url": ONE}]},
    "Catalog": {"body": {"artwork": {"info": {"uri": ONE, "mimeType": "image/png"}}}},
    "Catalog, by its project": {"losslessAudio": f"{TWO}.flac", "project": {"artwork": {"uri": ONE}}},
    "Venly": {"name": "x", "imageThumbnailUrl": TWO, "imagePreviewUrl": ONE},
    "OpenSea's API": {"original_image_url": ONE, "image_preview_url": TWO},
    "Alchemy's": {"title": "x", "media": [{"raw": ONE, "gateway": TWO}]},
    "Enjin": {"fallback_image": ONE},
    "ICRC-7": {"logo": ONE},
    "Alchemy's API": {"image": {"cachedUrl": TWO, "originalUrl": ONE, "contentType": "image/png"}},
    "common, nft_image": {"nft_image": ONE},
    "common, imgUrl": {"imgUrl": ONE, "thumbnail_image": TWO},
    "common, picture_url": {"picture_url": ONE},
    "common, image_ipfs": {"image_ipfs": ONE},
    "common, preview_image": {"previewImage": ONE},
    "common, assets": {"assets": [{"uri": TWO, "type": "audio/mpeg"}, {"uri": ONE, "type": "image/png"}]},
}
"""Documents by who writes them so; their image is ``ONE``."""


@pytest.mark.parametrize("who", IMAGES)
def test_the_image_is_found_whatever_it_is_called(who: str) -> None:
    assert normalise(IMAGES[who])["imageUrl"] == ONE
    assert "traits" not in normalise(IMAGES[who])


@pytest.mark.parametrize("who", IMAGES)
def test_what_is_called_image_goes_before_it(who: str) -> None:
    document = {**IMAGES[who], "image": "https://first.example/1.png"}
    assert normalise(document)["imageUrl"] == "https://first.example/1.png"


@pytest.mark.parametrize("name", ["image_content", "svg", "svg_data", "image_svg", "imageContent"])
def test_a_picture_in_a_field_of_its_own_name_is_the_image(name: str) -> None:
    assert normalise({"label": "Gotchi", name: SVG})["imageMediaType"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("document", "media_type"),
    [
        (
            {"artifactUri": TWO, "formats": [{"uri": TWO, "mimeType": "video/mp4"}], "displayUri": ONE},
            "video/mp4",
        ),
        ({"mediaUri": TWO, "mediaMimeType": "audio/mpeg", "thumbnailUri": ONE}, "audio/mpeg"),
        ({"content_url": TWO, "content_type": "video/webm", "image": ONE}, "video/webm"),
        ({"resource": TWO, "resource_mimetype": "model/gltf-binary", "image": ONE}, "model/gltf-binary"),
        ({"media": [{"item": TWO, "type": "video/mp4", "cover": ONE}]}, "video/mp4"),
        ({"animation_url": TWO, "animation_url_mime_type": "video/mp4", "image": ONE}, "video/mp4"),
    ],
)
def test_a_work_that_is_no_image_is_the_animation(document: Any, media_type: str) -> None:
    assert normalise(document) == {"imageUrl": ONE, "mediaUrl": TWO, "mediaType": media_type}


@pytest.mark.parametrize("kind", ["application/zip", "application/json", "text/plain"])
def test_a_file_of_another_kind_is_no_image(kind: str) -> None:
    assert normalise(
        {"name": "x", "files": [{"uri": TWO, "type": kind}], "resource": {"uri": TWO, "type": kind}}
    ) == {"name": "x"}


@pytest.mark.parametrize("name", ["name", "title", "label", "displayName", "token_name", "nft_name"])
@pytest.mark.parametrize("description", ["description", "desc", "long_description", "summary", "lore"])
def test_name_and_description_have_other_names(name: str, description: str) -> None:
    document = {name: "Ape", description: "An ape."}
    assert normalise(document) == {"name": "Ape", "description": "An ape."}
    first = {"name": "First", "description": "The first."}
    assert normalise({**document, **first}) == first


def test_what_is_written_for_lens_is_the_description() -> None:
    assert normalise({"name": "Post", "content": "gm to all apes"})["description"] == "gm to all apes"
    assert "description" not in normalise({"name": "Post", "content": "https://i.example/a b"})


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (["A first line.", "A second."], "A first line.\nA second."),
        (["x" * 64, "y" * 64, "z"], "x" * 64 + "y" * 64 + "z"),
        (["é" * 31, "end"], "é" * 31 + "end"),
    ],
)
def test_a_description_in_pieces_is_one(written: list[str], text: str) -> None:
    """CIP-25 cuts texts at 64 bytes."""
    assert normalise({"description": written}) == {"description": text}


def traits(document: Any) -> list[tuple[Any, Any]]:
    return [(one.get("traitType"), one["traitValue"]) for one in normalise(document).get("traits", [])]


@pytest.mark.parametrize("holder", ["properties", "attributes", "traits"])
@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ({"type": "string", "value": "epic"}, "epic"),
        ({"type": "int", "value": 5}, 5),
        ({"type": "number", "value": 0.5}, 0.5),
        ({"type": "boolean", "value": False}, False),
        ({"type": "date", "value": "2022-01-01"}, "2022-01-01"),
        ({"type": "Text", "description": "how rare", "value": "epic"}, "epic"),
        ({"value": "epic"}, "epic"),
    ],
)
def test_type_beside_a_value_under_a_name_is_the_datas(holder: str, entry: Any, value: Any) -> None:
    assert traits({"name": "x", holder: {"rarity": entry}}) == [("rarity", value)]


def test_a_type_that_names_the_trait_does_so_where_nothing_else_can() -> None:
    assert traits({"attributes": [{"type": "Hat", "value": "Cap"}]}) == [("Hat", "Cap")]
    assert traits({"attributes": {"0": {"type": "Hat", "value": "Cap"}}}) == [("Hat", "Cap")]
    assert traits({"attributes": [{"name": "Hat", "type": "string", "value": "Cap"}]}) == [("Hat", "Cap")]
    assert traits({"attributes": [{"type": "string", "value": "Cap"}]}) == [(None, "Cap")]
    assert traits({"properties": {"rarity": {"trait_type": "Rarity", "type": "string", "value": 1}}}) == [
        ("Rarity", 1)
    ]


def test_royalties_of_rmrk_are_no_trait() -> None:
    money = {"type": "royalty", "value": {"receiver": "x", "royaltyPercentFloat": 5}}
    assert traits({"properties": {"royaltyInfo": money, "rarity": {"type": "string", "value": "epic"}}}) == [
        ("rarity", "epic")
    ]


@pytest.mark.parametrize("kind", ["number", "string", "object", "array", "type", "value", "null", "none"])
def test_a_trait_may_be_called_what_data_are_called(kind: str) -> None:
    assert traits({"attributes": [{"trait_type": kind, "value": "x"}]}) == [(kind, "x")]
    assert traits({"attributes": [{"name": kind, "type": "string", "value": "x"}]}) == [(kind, "x")]
    assert traits({"attributes": {kind: "x"}}) == [(kind, "x")]


def test_traits_called_type_and_value_are_two() -> None:
    stated = {"type": {"type": "string", "value": "Cat"}, "value": {"type": "int", "value": 3}}
    assert traits({"attributes": stated}) == [("type", "Cat"), ("value", 3)]
    assert traits({"properties": stated}) == [("type", "Cat"), ("value", 3)]


@pytest.mark.parametrize(
    ("kind", "found"), [("Cat", [("type", "Cat")]), ("image/png", []), ("object", []), ("image", [])]
)
def test_type_among_properties_is_a_trait_where_it_is_no_medium_s_and_no_data_s(
    kind: str, found: Any
) -> None:
    assert traits({"name": "x", "properties": {"type": kind, "fur": "Gold"}}) == [*found, ("fur", "Gold")]


@pytest.mark.parametrize(
    "properties",
    [
        [{"rarity": {"type": "string", "value": "epic"}}, {"hat": {"type": "String", "value": "cap"}}],
        {"attributes": {"rarity": {"type": "string", "value": "epic"}, "hat": {"value": "cap"}}},
        {
            "traits": [{"trait_type": "rarity", "value": "epic"}, {"trait_type": "hat", "value": "cap"}],
            "files": [],
        },
        {
            "type": "object",
            "properties": {"rarity": {"type": "string", "value": "epic"}, "hat": {"value": "cap"}},
        },
        {"generative": [{"trait_type": "rarity", "value": "epic"}, {"trait_type": "hat", "value": "cap"}]},
        {"attributes": [], "traits": None, "rarity": "epic", "hat": "cap"},
        {
            "royalty": {"type": "Royalty", "value": {"receiver": "x"}},
            "rarity": {"type": "STRING", "value": "epic"},
            "hat": "cap",
        },
    ],
)
def test_properties_are_read_in_all_their_shapes(properties: Any) -> None:
    assert traits({"name": "x", "properties": properties}) == [("rarity", "epic"), ("hat", "cap")]


@pytest.mark.parametrize("name", ["features", "characteristics", "attrs", "nft_attributes"])
def test_other_lists_are_traits_where_there_are_no_attributes(name: str) -> None:
    assert traits({name: {"Palette": "Blue"}}) == [("Palette", "Blue")]
    assert traits({name: {"Palette": "Blue"}, "attributes": {"Hat": "Cap"}}) == [("Hat", "Cap")]


@pytest.mark.parametrize(
    "entry",
    [
        {"trait_name": "Hat", "attribute_value": "Cap"},
        {"attribute_name": "Hat", "value": "Cap"},
        {"traitType": "Hat", "display_value": "Cap"},
        {"displayType": "string", "traitType": "Hat", "value": "Cap", "key": "hat"},
    ],
)
def test_entries_have_other_names(entry: Any) -> None:
    assert traits({"attributes": [entry]}) == [("Hat", "Cap")]
