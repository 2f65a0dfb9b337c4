"""The type of a file is what its first bytes say, whatever else it could be."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from media.sniff import JSON_BYTES, media_type_of
from tests.images import inputs
from tests.images.inputs import box, encoded, gzipped, ogg

EBML = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82"


def small(kind: str, **options: object) -> bytes:
    """A picture of one pixel."""
    return encoded(Image.new("RGB", (1, 1)), kind, **options)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (small("PNG"), "image/png"),
        (inputs.animated("PNG"), "image/png"),
        (small("JPEG"), "image/jpeg"),
        (small("GIF"), "image/gif"),
        (small("WEBP"), "image/webp"),
        (inputs.animated("WEBP"), "image/webp"),
        (small("AVIF"), "image/avif"),
        (inputs.animated("AVIF"), "image/avif"),
        (small("BMP"), "image/bmp"),
        (small("TIFF"), "image/tiff"),
        (small("ICO"), "image/x-icon"),
        (box(b"ftyp", b"heic", b"mif1"), "image/heic"),
        (box(b"ftyp", b"mif1", b"heic"), "image/heic"),
        (box(b"ftyp", b"mif1", b"avif"), "image/avif"),
        (box(b"ftyp", b"isom", b"mp41"), "video/mp4"),
        (box(b"ftyp", b"mp42"), "video/mp4"),
        (box(b"ftyp", b"qt  "), "video/quicktime"),
        (box(b"moov", bytes(4)), "video/quicktime"),
        (box(b"ftyp", b"M4A ", b"isom"), "audio/mp4"),
        (EBML + b"\x84webm", "video/webm"),
        (EBML + b"\x88matroska", "video/x-matroska"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"),
        (b"fLaC\0\0\0\x22", "audio/flac"),
        (b"ID3\x04\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64" + bytes(400), "audio/mpeg"),
        (b"\xff\xf1\x50\x80" + bytes(400), "audio/aac"),
        (ogg(b"\x01vorbis"), "audio/ogg"),
        (ogg(b"OpusHead"), "audio/ogg"),
        (ogg(b"\x80theora"), "video/ogg"),
        (ogg(b"another"), "application/ogg"),
        (b"MThd\0\0\0\x06\0\x01", "audio/midi"),
        (b"glTF\x02\0\0\0" + bytes(20), "model/gltf-binary"),
        (json.dumps({"asset": {"version": "2.0"}, "meshes": []}).encode(), "model/gltf+json"),
        (b'{"name": "Seven"}', "application/json"),
        (b'{"asset": ', "text/plain"),
        (b"%PDF-1.7", "application/pdf"),
        (b"PK\x03\x04\x14\0", "application/zip"),
        (gzipped(b"anything"), "application/gzip"),
        (b"A text.\nWith lines.", "text/plain"),
        ("\ufeffA text, é".encode("utf-16"), "text/plain"),
        (b"BM is how this text begins", "text/plain"),
        (b"", ""),
        (bytes(64), ""),
        (b"\x7fELF\x02\x01\x01", ""),
    ],
    # Not by the bytes: an animated AVIF has the second of its making in them, and workers must agree on names.
    ids=lambda value: "data" if isinstance(value, bytes) else value or "unknown",
)
def test_files_are_told_by_their_beginning(data: bytes, media_type: str) -> None:
    assert media_type_of(data) == media_type


@pytest.mark.parametrize(
    "text",
    [
        "<svg/>",
        '<svg xmlns="http://www.w3.org/2000/svg">',
        "\n  <svg\n>",
        '<?xml version="1.0" encoding="utf-8"?>\n<svg >',
        "<!-- Generator: a program --><svg>",
        '<?xml version="1.0"?><!-- <html> --><!-- two --><svg>',
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg>',
        '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">\n<!ENTITY a "b">]><svg xmlns="&ns;">',
        '<s:svg xmlns:s="http://www.w3.org/2000/svg">',
        f"<!--{'-' * 4000}--><svg>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_markup_whose_root_is_svg_is_svg(text: str, encoding: str) -> None:
    assert media_type_of(text.encode(encoding)) == "image/svg+xml"
    assert media_type_of(gzipped(text.encode(encoding))) == "image/svg+xml"


@pytest.mark.parametrize(
    ("text", "media_type"),
    [
        ("<!DOCTYPE html><html><svg></svg>", "text/html"),
        ("<html><svg>", "text/html"),
        ("<!doctype HTML>", "text/html"),
        ("  <script>1</script>", "text/html"),
        ("<!-- a comment alone -->", "text/html"),
        ("<!-- --><div><svg/></div>", "text/html"),
        ("<p>hello", "text/html"),
        ('<?xml version="1.0"?><rss>', "text/xml"),
        ("<svgfoo>", "text/plain"),
        ("<paragraph>", "text/plain"),
        ("a <svg> within a text", "text/plain"),
    ],
)
def test_other_markup_is_not(text: str, media_type: str) -> None:
    assert media_type_of(text.encode()) == media_type


def test_bytes_that_are_two_things_are_the_first_of_them() -> None:
    assert media_type_of(inputs.polyglot()) == "image/gif"
    assert media_type_of(small("PNG") + b"<html><script>1</script>") == "image/png"
    assert media_type_of(b"<html>" + small("PNG")) == "text/html"
    assert media_type_of(b"%PDF-1.4" + inputs.svg()) == "application/pdf"


@given(st.binary(max_size=200))
def test_any_bytes_have_a_type_or_none(data: bytes) -> None:
    media_type = media_type_of(data)
    assert media_type == "" or media_type.count("/") == 1


BUFFER = {"buffers": [{"uri": "data:application/octet-stream;base64," + "A" * JSON_BYTES}]}


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (
            json.dumps({"asset": {"generator": "a program", "version": "2.0"}, **BUFFER}, indent=1),
            "model/gltf+json",
        ),
        (json.dumps(BUFFER), "application/json"),
        ('{"name": "cut off", "x": "' + "a" * JSON_BYTES, "application/json"),
        ("[Verse 1]\n" + "la " * JSON_BYTES, "text/plain"),
        ("{in braces} " * JSON_BYTES, "text/plain"),
    ],
)
def test_long_json_is_told_by_its_beginning(data: str, media_type: str) -> None:
    assert media_type_of(data.encode()) == media_type


@pytest.mark.parametrize("element", [b"{},", b"[],", b'{"a":1},'])
@pytest.mark.parametrize("size", [JSON_BYTES, 16 * 2**20])
def test_telling_json_takes_little_memory(element: bytes, size: int) -> None:
    """16 MiB of empty objects took 442 MiB as Python's: in the worker itself, whose limits are the machine's."""
    data = b'{"asset": [' + element * ((size - 20) // len(element)) + b"0]}"
    tracemalloc.start()
    try:
        assert media_type_of(data) == "application/json"
        assert tracemalloc.get_traced_memory()[1] < 32 * 2**20
    finally:
        tracemalloc.stop()


STARTS = [
    *(
        b"<",
        b"<!--",
        b"<?xml ",
        b"<!DOCTYPE ",
        b"<!DOCTYPE a[]",
        b"<!DOCTYPE a[] ",
        b" ",
        b"\x1f\x8b\x08",
        b"{",
        b"[{},",
    ),
    *(b"<a-", b"<?", b'{"asset":', b'{"asset":{"version"'),
]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("filler", [b"", b" ", b"-", b"]", b"a"])
def test_a_megabyte_of_one_beginning_is_looked_at_once(start: bytes, filler: bytes) -> None:
    """A pattern that went back over what it has seen would take hours: the worker itself looks at these bytes."""
    repeated = start * (2**20 // len(start))
    began = time.process_time()
    assert media_type_of(repeated) != "image/svg+xml"
    assert media_type_of(start + filler * 2**20) != "image/svg+xml"
    assert time.process_time() - began < 2  # milliseconds are what it takes


def test_spaces_after_the_name_of_a_document_type_are_looked_at_once() -> None:
    """64 KiB of them took minutes when each space could be given back twice."""
    began = time.process_time()
    assert media_type_of(b"<!DOCTYPE" + b" " * 64 * 1024) == "text/plain"
    assert time.process_time() - began < 1


def test_a_document_type_of_html_is_one_after_any_space() -> None:
    assert media_type_of(b"<!DOCTYPE \n html><svg>") == "text/html"
