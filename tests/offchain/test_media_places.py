"""Image and animation: all the places in which authors put them, and what tells their media types."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tokens.metadata import media_types
from tokens.metadata.normalise import normalise

PNG = {"imageUrl": "ipfs://QmX/1.png", "imageMediaType": "image/png"}
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>日本</text></svg>'
SVG_URI = "data:image/svg+xml;base64," + base64.b64encode(SVG.encode()).decode()


def media_of(**document: Any) -> dict[str, Any]:
    """What a document tells of its image and animation."""
    fields = normalise(document)
    return {name: value for name, value in fields.items() if name not in ("name", "description", "traits")}


@pytest.mark.parametrize(
    "name",
    [
        "image",
        "image_url",
        "imageUrl",
        "imageURL",
        "image_uri",
        "imageURI",
        "imageUri",
        "Image",
        "image_data",
        "img",
    ],
)
def test_names_of_the_image(name: str) -> None:
    assert media_of(**{name: " ipfs://QmX/1.png\n"}) == PNG


@pytest.mark.parametrize(
    "document",
    [
        {"image": {"url": "ipfs://QmX/1.png"}},
        {"image": {"uri": "ipfs://QmX/1.png", "width": 10}},
        {"image": {"type": "string", "description": "ipfs://QmX/1.png"}},
        {"image": {"original": {"url": "ipfs://QmX/1.png"}}},
        {"image": ["ipfs://QmX/1.png", "ipfs://QmX/2.png"]},
        {"image": [{"src": "ipfs://QmX/1.png"}]},
        {"image_details": {"url": "ipfs://QmX/1.png", "bytes": 5, "format": "PNG"}},
        {"properties": {"image": "ipfs://QmX/1.png"}},
        {"properties": {"image": {"type": "string", "description": "ipfs://QmX/1.png"}}},
        {"metadata": {"image": "ipfs://QmX/1.png"}},
        {"data": {"metadata": {"image_url": "ipfs://QmX/1.png"}}},
        {"links": {"image": "ipfs://QmX/1.png"}},
        {"content": {"mime": "image/png", "uri": "ipfs://QmX/1.png"}},
        {"properties": {"category": "image", "files": [{"uri": "ipfs://QmX/1.png", "type": "image/png"}]}},
    ],
)
def test_the_image_in_objects_and_lists(document: dict[str, Any]) -> None:
    assert media_of(**document) == PNG


@pytest.mark.parametrize(
    "bad", ["", " ", None, 7, True, "1.png", "/images/1.png", "//host/1.png", [], {}, {"url": 7}]
)
def test_an_image_that_leads_nowhere_leaves_the_place_to_the_next(bad: Any) -> None:
    assert media_of(image=bad) == {}
    assert media_of(image=bad, image_url="ipfs://QmX/1.png") == PNG


@pytest.mark.parametrize("name", ["image", "image_data", "svg_image_data"])
@pytest.mark.parametrize("before", ["", '<?xml version="1.0"?>\n', "<!-- made on chain -->"])
def test_a_raw_svg_becomes_a_data_uri(name: str, before: str) -> None:
    found = media_of(**{name: before + SVG})
    assert found["imageMediaType"] == "image/svg+xml"
    encoded = found["imageUrl"].removeprefix("data:image/svg+xml;base64,")
    assert base64.b64decode(encoded).decode() == before + SVG


def test_an_image_is_preferred_to_its_raw_data() -> None:
    assert media_of(image_data=SVG, image="ipfs://QmX/1.png") == PNG
    assert media_of(image_data=SVG, image="1.png")["imageUrl"] == SVG_URI


@pytest.mark.parametrize(
    "document",
    [
        {"animation_url": "https://x.example/1.mp4"},
        {"animationUrl": "https://x.example/1.mp4"},
        {"animation": {"url": "https://x.example/1.mp4"}},
        {"video": "https://x.example/1.mp4"},
        {"properties": {"video": "https://x.example/1.mp4"}},
        {"content": {"mime": "video/mp4", "url": "https://x.example/1.mp4"}},
        {"media": {"mimeType": "video/mp4", "uri": "https://x.example/1.mp4"}},
        {"properties": {"files": [PNG, {"uri": "https://x.example/1.mp4", "type": "video/mp4"}]}},
        {
            "files": [{"uri": "https://x.example/1.mp4", "mime": "video/mp4"}],
            "links": {"image": "ipfs://QmX/1.png"},
        },
    ],
)
def test_places_of_the_animation(document: dict[str, Any]) -> None:
    expected = {**PNG, "mediaUrl": "https://x.example/1.mp4", "mediaType": "video/mp4"}
    assert media_of(**document, image="ipfs://QmX/1.png") == expected


def test_an_animation_that_is_an_image_is_the_image_where_there_is_no_other() -> None:
    gif = {"mediaUrl": "ipfs://QmX/1.gif", "mediaType": "image/gif"}
    assert media_of(animation_url="ipfs://QmX/1.gif") == {
        "imageUrl": "ipfs://QmX/1.gif",
        "imageMediaType": "image/gif",
        **gif,
    }
    assert media_of(animation_url="ipfs://QmX/1.gif", image="ipfs://QmX/1.png") == {**PNG, **gif}


def test_a_video_in_the_place_of_the_image_is_the_animation() -> None:
    assert media_of(image="ipfs://QmX/1.mp4") == {"mediaUrl": "ipfs://QmX/1.mp4", "mediaType": "video/mp4"}
    assert media_of(image="ipfs://QmX/1.mp4", thumbnail="x", image_url="ipfs://QmX/1.png") == {
        **PNG,
        "mediaUrl": "ipfs://QmX/1.mp4",
        "mediaType": "video/mp4",
    }


def test_a_page_of_a_video_or_an_archive_is_no_animation() -> None:
    assert (
        media_of(youtube_url="https://youtu.be/x", content={"mime": "application/zip", "url": "ipfs://QmX"})
        == {}
    )


@pytest.mark.parametrize(
    ("uri", "media_type"),
    [
        ("https://x.example/a/1.PNG", "image/png"),
        ("https://x.example/1.jpg?w=500#top", "image/jpeg"),
        ("ipfs://QmX/Ape%201.jpeg", "image/jpeg"),
        ("ar://abc/1.webp", "image/webp"),
        ("https://x.example/ipfs/QmX?clip.mp4", "video/mp4"),
        ("https://x.example/ipfs/QmX?filename=clip.mp4", "video/mp4"),
        ("https://x.example/image?type=full&imageType=jpg", ""),
        ("https://x.example/render?file=a.svg&format=.png", ""),
        ("https://x.mov", ""),
        ("https://x.example/1.php", ""),
        ("ipfs://QmX", ""),
        ("data:image/svg+xml;utf8,<svg/>", "image/svg+xml"),
        ("DATA:IMAGE/PNG;base64,AAAA", "image/png"),
        ("data:image/jpg,x", "image/jpeg"),
        ("data:,x.png", ""),
        ("data:text/plain,x.png", ""),
    ],
)
def test_the_media_type_that_a_uri_tells(uri: str, media_type: str) -> None:
    assert media_types.of_uri(uri) == media_type


@pytest.mark.parametrize(
    ("stated", "media_type"),
    [
        ("image/PNG; charset=binary", "image/png"),
        ("PNG", "image/png"),
        (".mp4", "video/mp4"),
        ("image/jpg", "image/jpeg"),
        ("application/octet-stream", ""),
        ("application/json", ""),
        ("text/plain", ""),
        ("image/", ""),
        ("image", ""),
        ("image/x\n<script>", ""),
        ("", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_the_media_type_that_is_stated(stated: Any, media_type: str) -> None:
    assert media_types.stated(stated) == media_type


@pytest.mark.parametrize(
    ("document", "media_type"),
    [
        ({"image_mime_type": "image/webp"}, "image/webp"),
        ({"imageMediaType": "image/webp"}, "image/webp"),
        ({"image_details": {"format": "WEBP", "bytes": 5}}, "image/webp"),
        ({"animation_details": {"format": "MP4", "bytes": 5}}, None),
        ({"mimeType": "image/webp"}, "image/webp"),
        ({"mimeType": "video/mp4"}, None),
        ({"files": [{"uri": "ipfs://QmX", "type": "image/webp"}]}, "image/webp"),
        ({"files": [{"uri": "ipfs://QmY", "type": "image/webp"}]}, None),
        ({"mimeType": "image/webp", "animation_url": "https://x.example/view"}, None),
    ],
)
def test_the_image_s_type_is_stated_beside_it_or_not_known(
    document: dict[str, Any], media_type: str | None
) -> None:
    found = media_of(**document, image="ipfs://QmX")
    assert (found["imageUrl"], found.get("imageMediaType")) == ("ipfs://QmX", media_type)


def test_the_document_s_type_is_that_of_its_animation() -> None:
    found = media_of(mimeType="audio/wav", animation_url="ipfs://QmY", image="ipfs://QmX")
    assert found == {"imageUrl": "ipfs://QmX", "mediaUrl": "ipfs://QmY", "mediaType": "audio/wav"}


def test_a_type_without_a_url_is_nothing() -> None:
    assert media_of(mimeType="image/jpeg", image_mime_type="image/jpeg") == {}


def test_urls_are_stored_in_the_form_that_is_asked_for() -> None:
    def shouted(uri: str) -> str:
        if "bad" in uri:
            raise ValueError("bad")
        return uri.upper()

    document = {"image": ["bad", "good.png"], "animation_url": "bad.mp4", "name": "Ape"}
    assert normalise(document, shouted) == {
        "name": "Ape",
        "imageUrl": "GOOD.PNG",
        "imageMediaType": "image/png",
    }
