"""No text is taken for a medium, and no medium for another one, whatever stands after its header or in its strings."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from media.sniff import media_type_of
from tests.images.inputs import box, ogg
from tokens.metadata.documents import metadata_of

many = settings(max_examples=1000, deadline=None)

MAGIC = [
    *(
        "RIFF",
        "WEBP",
        "WAVE",
        "AVI ",
        "ftyp",
        "ftypavif",
        "ftypheic",
        "ftypmif1",
        "ftypisom",
        "ftypqt  ",
        "ftypM4A ",
    ),
    *(
        "moov",
        "mdat",
        "wide",
        "pnot",
        "ID3",
        "ID3\x04",
        "fLaC",
        "OggS",
        "glTF",
        "GIF89a",
        "%PDF-1.7",
        "BM",
        "webm",
    ),
    *("JFIF", "Exif", "MThd", "JXL ", "<svg>", "\u89504e47", "\u6674\u7970", "\u6d6f\u6f76", "\u6d64\u6174"),
]
"""What magic numbers look for; the last ones are `ftyp`, `moov` and `mdat` where UTF-16 is taken for bytes."""
SPACE = st.text(" \t\r\n", max_size=12)
BEFORE = st.sampled_from(["", "\ufeff"])
ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]

words = st.lists(st.sampled_from(MAGIC) | st.text(max_size=8), min_size=1, max_size=4).map("".join)
# Hypothesis makes up texts of the project's own too, with which a document says that it is an error's message.
innocent = words.filter(lambda word: word in MAGIC or not re.search("[a-z]{2}", word, re.IGNORECASE))
values = st.recursive(
    words | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@many
@given(values, SPACE, BEFORE, st.sampled_from(ENCODINGS), st.booleans())
@example({"id": "WAVE-12"}, "", "", "utf-8", False)
@example({"id": "WEBPunk 1"}, "", "", "utf-8", False)
@example({"ftypisom": 1}, "  ", "", "utf-8", False)
@example({"abftypavif": 1}, "", "", "utf-8", False)
@example(["xxmoov"], "", "", "utf-8", False)
@example(["\u6d64\u6174"], "", "", "utf-16-be", False)
def test_no_json_is_a_medium(value: Any, space: str, mark: str, encoding: str, is_ascii: bool) -> None:
    data = (mark + space + json.dumps(value, ensure_ascii=is_ascii)).encode(encoding, "surrogatepass")
    assert media_type_of(data) in ("", "text/plain", "application/json")


@many
@given(
    st.dictionaries(innocent, values, max_size=2),
    innocent,
    SPACE,
    BEFORE,
    st.sampled_from(["", "image/png", "video/mp4"]),
)
@example({"id": "WAVE-12"}, "Punk", "", "", "")
@example({"id": "WEBPunk 1"}, "Punk", "", "", "image/png")
@example({"asset": {"version": "2.0"}}, "A model of a punk", "", "", "")
def test_metadata_keep_their_name_whatever_their_bytes_look_like(
    others: dict[str, Any], name: str, space: str, mark: str, claimed: str
) -> None:
    name = f"Number 1 {name}".replace("\0", "").strip()
    body = (mark + space + json.dumps({**others, "name": name})).encode()
    told = metadata_of(body, claimed, "https://x.example/1")["name"]
    assert told[:8] == "Number 1"


def ftyp(size: int, *brands: bytes) -> bytes:
    """A file of that first box, whose size is stated."""
    return size.to_bytes(4) + b"ftyp" + brands[0] + bytes(4) + b"".join(brands[1:])


HEADERS = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF89a", "image/gif"),
    (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
    (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
    (b"RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"),
    (box(b"ftyp", b"avif", b"mif1", b"miaf"), "image/avif"),
    (box(b"ftyp", b"avis", b"msf1", b"iso8"), "image/avif"),
    (box(b"ftyp", b"mif1", b"miaf", b"MA1B", b"avif"), "image/avif"),
    (box(b"ftyp", b"msf1", b"iso8", b"avis"), "image/avif"),
    (box(b"ftyp", b"miaf", b"avif"), "image/avif"),
    (box(b"ftyp", b"heic", b"mif1"), "image/heic"),
    (box(b"ftyp", b"heix", b"mif1"), "image/heic"),
    (box(b"ftyp", b"hevc", b"msf1", b"iso8"), "image/heic"),
    (box(b"ftyp", b"mif1", b"heic"), "image/heic"),
    (box(b"ftyp", b"msf1", b"hevc"), "image/heic"),
    (box(b"ftyp", b"mif1"), "image/heif"),
    (box(b"ftyp", b"msf1", b"iso8"), "image/heif"),
    (box(b"ftyp", b"isom", b"iso2", b"avc1", b"mp41"), "video/mp4"),
    (box(b"ftyp", b"mp42"), "video/mp4"),
    (box(b"ftyp", b"M4V ", b"mp42"), "video/mp4"),
    (box(b"ftyp", b"qt  ", b"mp42"), "video/quicktime"),
    (box(b"ftyp", b"M4A ", b"mp42", b"isom"), "audio/mp4"),
    (b"\0\0\x10\0moov", "video/quicktime"),
    (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", "video/webm"),
    (b"\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x82\x88matroska", "video/x-matroska"),
    (ogg(b"OpusHead"), "audio/ogg"),
    (ogg(b"\x80theora"), "video/ogg"),
    (b"fLaC\0\0\0\x22", "audio/flac"),
    (b"ID3\x03\0\0", "audio/mpeg"),
    (b"\xff\xfb\x90\x64", "audio/mpeg"),
    (b"\xff\xf1\x50\x80", "audio/aac"),
    (b"glTF\x02\0\0\0", "model/gltf-binary"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"),
    (b"%PDF-1.7", "application/pdf"),
]


@many
@given(st.sampled_from(HEADERS), st.binary(max_size=64) | words.map(str.encode))
def test_a_header_is_its_formats_whatever_follows(header: tuple[bytes, str], tail: bytes) -> None:
    start, media_type = header
    assert media_type_of(start + tail) == media_type


@many
@given(st.sampled_from(HEADERS), st.integers(0, 40))
def test_a_header_that_is_cut_off_is_its_formats_or_unknown(header: tuple[bytes, str], length: int) -> None:
    start, media_type = header
    family = media_type.partition("/")[0]  # or the container, where that is all that is told
    told = media_type_of(start[:length])
    assert told == media_type or told.partition("/")[0] in ("", "text", family) or told == "application/ogg"


@given(
    st.sampled_from([b"avif", b"avis", b"heic", b"heix", b"mif1", b"msf1"]),
    st.lists(
        st.sampled_from([b"isom", b"iso8", b"mp42", b"mif1", b"msf1", b"miaf", b"MA1B", b"abcd"]), max_size=6
    ),
    st.randoms(use_true_random=False),
)
def test_what_can_be_read_as_a_picture_is_never_a_video(
    picture: bytes, others: list[bytes], random: Any
) -> None:
    brands = [picture, *others]
    random.shuffle(brands)
    assert media_type_of(box(b"ftyp", *brands)).startswith("image/")


@pytest.mark.parametrize("size", [0, 1, 8, 2**16, 0x7B226162, 2**32 - 1])
def test_a_first_box_of_no_plausible_size_is_none(size: int) -> None:
    assert not media_type_of(ftyp(size, b"isom", b"mp42")).startswith(("video/", "image/", "audio/"))
