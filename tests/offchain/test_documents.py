"""Bodies as token URIs give them: metadata, an image in place of it, or nothing that tells anything."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tokens.metadata.documents import metadata_of
from tokens.metadata.judging import UnusableDocumentError

URI = "https://x.example/7"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


def image(kind: str) -> bytes:
    """The bytes of a small image."""
    file = BytesIO()
    Image.new("RGB", (2, 2)).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(
    "media_type",
    ["application/json", "", "text/html", "image/png", "application/json; charset=utf-8", "nonsense"],
)
@pytest.mark.parametrize(
    "text",
    ['{"name": "Ape"}', '\ufeff{"name": "Ape"}', '{"id": "WAVE-12", "name": "Ape"}', '\n [{"name": "Ape"}]'],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32"])
def test_json_is_read_whatever_its_server_calls_it(media_type: str, text: str, encoding: str) -> None:
    assert metadata_of(text.encode(encoding), media_type, URI) == {"name": "Ape"}


@pytest.mark.parametrize(
    "body",
    [
        '\ufeff{"name": "Ape"}'.encode(),
        '{"name": "Ape"}'.encode("utf-16"),
        b'// comment\n{"name": "Ape",}',
        b'{"name": "Ape", "score": NaN}',
        b'"{\\"name\\": \\"Ape\\"}"',
        b'[{"name": "Ape"}]',
        b'{"name": "Ape"}\0\0',
    ],
)
def test_json_as_it_is_found(body: bytes) -> None:
    assert metadata_of(body, "application/json", URI) == {"name": "Ape"}


def test_bytes_that_are_no_text_cost_only_the_string_they_are_in() -> None:
    body = b'{"name": "D\xe9gag\xe9", "image": "https://i.example/x"}'
    assert metadata_of(body, "", URI) == {"name": "D\ufffdgag\ufffd", "imageUrl": "https://i.example/x"}
    assert metadata_of(body, 'application/json; charset="ISO-8859-1"', URI)["name"] == "Dégagé"


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (image("PNG"), "image/png"),
        (image("JPEG"), "image/jpeg"),
        (image("GIF"), "image/gif"),
        (image("WEBP"), "image/webp"),
        (image("AVIF"), "image/avif"),
        (SVG, "image/svg+xml"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n' + SVG, "image/svg+xml"),
    ],
)
@pytest.mark.parametrize("claimed", ["", "application/octet-stream", "application/json", "text/html"])
def test_an_image_in_place_of_metadata_is_the_image_f74(body: bytes, media_type: str, claimed: str) -> None:
    assert metadata_of(body, claimed, URI) == {"imageUrl": URI, "imageMediaType": media_type}


def test_a_token_uri_that_is_itself_an_image_f74() -> None:
    uri = "data:image/svg+xml;base64,PHN2Zy8+"
    assert metadata_of(b"<svg/>", "image/svg+xml", uri) == {
        "imageUrl": uri,
        "imageMediaType": "image/svg+xml",
    }


@pytest.mark.parametrize(
    ("body", "claimed", "media_type"),
    [
        (b"\0\0\0\x20ftypisom\0\0\2\0", "", "video/mp4"),
        (b"\x1aE\xdf\xa3\0", "video/webm", "video/webm"),
        (b"ID3\3\0", "", "audio/mpeg"),
        (b"glTF\2\0\0\0", "application/octet-stream", "model/gltf-binary"),
        (b"OggS\0\2", "audio/ogg; codecs=opus", "audio/ogg"),
    ],
)
def test_another_medium_in_place_of_metadata_is_the_animation(
    body: bytes, claimed: str, media_type: str
) -> None:
    assert metadata_of(body, claimed, URI) == {"mediaUrl": URI, "mediaType": media_type}


def test_an_image_whose_type_only_its_server_knows() -> None:
    assert metadata_of(image("BMP"), "image/bmp", URI) == {"imageUrl": URI, "imageMediaType": "image/bmp"}


def test_the_address_of_an_image_in_place_of_metadata() -> None:
    expected = {"imageUrl": "https://i.example/1.png", "imageMediaType": "image/png"}
    assert metadata_of(b"https://i.example/1.png\n", "text/plain", URI) == expected
    assert metadata_of(b'"https://i.example/1.png"', "application/json", URI) == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "The document is empty."),
        (b" \r\n", "The document is empty."),
        (b"<!DOCTYPE html><html><title>404</title></html>", "It is an HTML page, not metadata."),
        (b"\n<!-- x -->\n<HTML><body>", "It is an HTML page, not metadata."),
        (b"Not\tFound\n", "It is the text “Not Found”, not metadata."),
        (b"x" * 100, f"It is the text “{'x' * 60}…”, not metadata."),
        (b"\x1b[31mred\x07", "It is the text “[31mred”, not metadata."),
        (b'<?xml version="1.0"?><Error/>', 'It is the text “<?xml version="1.0"?><Error/>”, not metadata.'),
        (b".|.|.O..-.-", "It is the text “.|.|.O..-.-”, not metadata."),  # Autoglyphs: art in characters
        (b"null", "It is null, not metadata."),
        (b"true", "It is a truth value, not metadata."),
        (b"7", "It is a number, not metadata."),
        (b"[1, 2]", "It is a list of 2, not metadata."),
        (b'{"name": "Ape"', "It is not JSON: Expecting ',' delimiter at character 15."),
        (b'{"a": "He said "hi""}', "It is not JSON: Expecting ',' delimiter at character 17."),
    ],
)
def test_what_tells_nothing_is_refused_with_a_reason(body: bytes, reason: str) -> None:
    with pytest.raises(UnusableDocumentError) as refused:
        metadata_of(body, "", URI)
    assert str(refused.value) == reason


def test_an_image_at_an_address_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(UnusableDocumentError, match=r"^It is image/svg\+xml, not metadata\.$"):
        metadata_of(SVG, "", "7")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.text(max_size=30))
def test_no_body_makes_it_raise_anything_else(body: bytes, media_type: str) -> None:
    try:
        json.dumps(metadata_of(body, media_type, URI))
    except UnusableDocumentError as refused:
        assert str(refused).endswith(".")  # noqa: PT017


@pytest.mark.parametrize("places", [1_000, 1_001])
def test_a_document_full_of_ids_is_not_made_sixteen_times_as_long(places: int) -> None:
    (trait,) = metadata_of(b'{"attributes": [' + b'"{id}",' * places + b"1]}", "", URI, token_id=255)[
        "traits"
    ][:1]
    assert trait["traitValue"] == (f"{255:064x}" if places == 1_000 else "{id}")


def test_an_id_in_a_document_deeper_than_python_recurses_costs_nothing() -> None:
    body = b'{"name": "#{id}", "x": ' + b"[" * 900 + b'"{id}"' + b"]" * 900 + b"}"
    assert metadata_of(body, "", URI, token_id=1) == {"name": f"#{1:064x}"}
