"""Files without their last bytes, and PNGs of long texts, are kept where their picture is there."""

from __future__ import annotations

import io
import zlib
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from media.decoding import BadImageError
from media.renditions import render
from tests.images.inputs import chunk, encoded, picture

FORMATS: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    ("JPEG", {}, (1, 2, 3, 50)),
    ("JPEG", {"progressive": True}, (1, 2, 3, 50)),
    ("PNG", {}, (1, 4, 12, 13, 16, 40)),
    ("GIF", {}, (1, 2)),
    ("BMP", {}, (1, 2, 900)),
    ("WEBP", {}, (1, 2, 20)),
]


@pytest.mark.parametrize(("kind", "options", "cuts"), FORMATS)
def test_a_file_without_its_last_bytes_is_kept_as_it_came(
    kind: str, options: dict[str, Any], cuts: tuple[int, ...]
) -> None:
    whole = encoded(picture(), kind, **options)
    for cut in cuts:
        found = render(whole[:-cut])
        assert found.original.data == whole[:-cut]
        assert (found.width, found.height) == (300, 200)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP"])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_file_that_is_cut_in_the_middle_is_refused(kind: str, part: float) -> None:
    whole = encoded(picture(), kind)
    with pytest.raises(BadImageError):
        render(whole[: int(len(whole) * part)])


def test_a_jpeg_of_one_colour_that_is_cut_in_the_middle_is_what_it_would_be() -> None:
    """Its end tells nothing that browsers do not show anyway: the same pixels."""
    whole = encoded(Image.new("RGB", (300, 300), "red"), "JPEG")
    assert render(whole[:-2]).width == 300


@pytest.mark.parametrize("kind", ["zTXt", "iTXt", "tEXt", "iCCP"])
@pytest.mark.parametrize("mebibytes", [2, 30])
def test_what_a_png_says_at_length_costs_no_picture(kind: str, mebibytes: int) -> None:
    said = bytes(mebibytes * 2**20)
    if kind == "tEXt":
        more = chunk(b"tEXt", b"a\0" + said[: 5 * 2**20].replace(b"\0", b"x"))
    elif kind == "iTXt":
        more = chunk(b"iTXt", b"a\0\1\0\0\0" + zlib.compress(said))
    else:
        more = chunk(kind.encode(), b"a\0\0" + zlib.compress(said))
    plain = encoded(picture(), "PNG")
    data = plain[:33] + more * 3 + plain[33:]
    found = render(data)
    assert found.original.data == data
    assert found.preview.data == render(plain).preview.data


def test_texts_and_profile_of_pillow_are_taken() -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("a", "x" * 3_000_000, zip=True)
    info.add_itxt("b", "y" * 3_000_000, zip=True)
    file = io.BytesIO()
    picture().save(file, "PNG", pnginfo=info, icc_profile=bytes(3_000_000))
    assert render(file.getvalue()).width == 300


@pytest.mark.parametrize(
    "options", [{"restart_marker_rows": 1}, {"restart_marker_blocks": 1}, {"restart_marker_blocks": 9}]
)
@pytest.mark.parametrize("side", [300, 1500])
def test_a_jpeg_with_restart_markers_is_kept_as_far_as_others(options: dict[str, Any], side: int) -> None:
    whole = encoded(picture(side, side), "JPEG", **options)
    for cut in (1, 2, 12):
        assert render(whole[:-cut]).width == side
    for part in (0.5, 0.8, 0.93):
        with pytest.raises(BadImageError):
            render(whole[: int(len(whole) * part)])


@pytest.mark.parametrize("name", [b"pHYs", b"iCCP", b"tIME", b"gAMA", b"tEXt", b"eXIf"])
def test_what_is_not_critical_in_a_png_may_be_damaged(name: bytes) -> None:
    plain = encoded(picture(), "PNG")
    data = plain[:33] + chunk(name, b"a\0\0" + bytes(9))[:-1] + b"\xff" + plain[33:]
    found = render(data)
    assert found.original.data == data
    assert found.preview.data == render(plain).preview.data


def test_a_checksum_that_does_not_fit_is_still_a_fault() -> None:
    data = bytearray(encoded(picture(), "PNG"))
    data[data.index(b"IDAT") + 30] ^= 1
    with pytest.raises(BadImageError):
        render(bytes(data))
