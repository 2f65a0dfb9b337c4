"""Bytes that claim to be an image are vetted, and kept in three sizes under the names of their content."""

from __future__ import annotations

import hashlib
import io
import zlib
from typing import Any

import pytest
from PIL import Image

from media.renditions import BadImageError, render
from media.specs import Preview, Thumbnail


def encoded(
    size: tuple[int, int], kind: str = "PNG", mode: str = "RGB", fill: Any = 0, **options: Any
) -> bytes:
    """The bytes of an image of one colour."""
    file = io.BytesIO()
    Image.new(mode, size, fill).save(file, kind, **options)
    return file.getvalue()


def opened(data: bytes) -> Image.Image:
    """The image in these bytes."""
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize(
    ("size", "preview", "thumbnail"),
    [
        ((500, 500), (250, 250), (128, 128)),
        ((600, 300), (250, 125), (128, 64)),
        ((300, 600), (125, 250), (64, 128)),
        ((200, 100), (200, 100), (128, 64)),
        ((24, 24), (24, 24), (24, 24)),
        ((1, 1), (1, 1), (1, 1)),
    ],
)
def test_the_sizes_keep_the_shape_and_never_enlarge(
    size: tuple[int, int], preview: tuple[int, int], thumbnail: tuple[int, int]
) -> None:
    image = render(encoded(size))
    assert (image.width, image.height) == size
    assert opened(image.preview.data).size == preview
    assert opened(image.thumbnail.data).size == thumbnail


@pytest.mark.parametrize(
    ("kind", "media_type", "extension"),
    [
        ("JPEG", "image/jpeg", ".jpg"),
        ("PNG", "image/png", ".png"),
        ("GIF", "image/gif", ".gif"),
        ("WEBP", "image/webp", ".webp"),
        ("AVIF", "image/avif", ".avif"),
    ],
)
def test_five_formats_are_taken_and_named_by_what_they_are(
    kind: str, media_type: str, extension: str
) -> None:
    image = render(encoded((300, 200), kind))
    assert image.media_type == media_type
    assert image.original.name.endswith(extension)
    assert opened(image.preview.data).format == "WEBP"


def test_a_name_is_the_hash_of_the_content() -> None:
    data = encoded((300, 200))
    image = render(data)
    for file in (image.original, image.preview, image.thumbnail):
        digest = hashlib.sha256(file.data).hexdigest()
        assert file.name.partition(".")[0] == f"{digest[:2]}/{digest[2:]}"
    assert image.original.data == data
    assert image.content_hash == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(("mode", "fill"), [("RGBA", (255, 0, 0, 0)), ("LA", (200, 0))])
def test_transparency_is_kept(mode: str, fill: tuple[int, ...]) -> None:
    preview = opened(render(encoded((300, 300), mode=mode, fill=fill)).preview.data)
    assert preview.mode == "RGBA"
    assert preview.getpixel((10, 10))[3] == 0  # type: ignore[index]


def test_transparency_of_a_palette_is_kept() -> None:
    preview = opened(render(encoded((300, 300), "GIF", "P", transparency=0)).preview.data)
    assert preview.convert("RGBA").getpixel((10, 10))[3] == 0  # type: ignore[index]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_image_stands_as_its_exif_orientation_says(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    image = render(encoded((400, 200), kind, exif=exif))
    assert (image.width, image.height) == (200, 400)
    assert opened(image.preview.data).size == (125, 250)


def test_16_bits_of_grey_are_scaled() -> None:
    preview = opened(render(encoded((300, 300), mode="I;16", fill=0x8000)).preview.data)
    assert abs(preview.getpixel((10, 10))[0] - 128) < 4  # type: ignore[index]


def test_cmyk_becomes_rgb() -> None:
    assert opened(render(encoded((300, 300), "JPEG", "CMYK")).preview.data).mode == "RGB"


def test_an_animation_is_kept_and_its_first_frame_becomes_the_smaller_sizes() -> None:
    file = io.BytesIO()
    frames = [Image.new("RGB", (300, 300), colour) for colour in ("red", "blue")]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    image = render(file.getvalue())
    assert opened(image.original.data).n_frames == 2  # type: ignore[attr-defined]
    preview = opened(image.preview.data).convert("RGB").getpixel((5, 5))
    assert preview[0] > 200 > 50 > preview[2]  # type: ignore[index]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"<!doctype html><script>alert(1)</script>", id="html"),
        pytest.param(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', id="svg"),
        pytest.param(b"\x89PNG\r\n\x1a\n", id="a signature alone"),
        pytest.param(encoded((300, 300), "BMP"), id="bmp"),
        pytest.param(encoded((300, 300), "TIFF"), id="tiff"),
        pytest.param(encoded((4000, 1)), id="4000 x 1"),
        pytest.param(encoded((1, 4000)), id="1 x 4000"),
    ],
)
def test_what_is_no_image_of_a_format_that_is_taken_is_refused(data: bytes) -> None:
    with pytest.raises(BadImageError):
        render(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "AVIF"])
def test_a_file_that_is_cut_off_is_refused(kind: str) -> None:
    file = io.BytesIO()
    Image.effect_noise((300, 300), 60).convert("RGB").save(file, kind)
    whole = file.getvalue()
    with pytest.raises(BadImageError):
        render(whole[: len(whole) // 2])


@pytest.mark.parametrize("size", [(8000, 5001), (10_000, 9_000), (20_000, 20_000)])
def test_more_than_40_megapixels_are_refused_before_they_are_decoded(size: tuple[int, int]) -> None:
    """A few bytes may claim any size: those beyond Pillow's own limits end the same way."""
    data = bytearray(encoded((300, 300)))
    data[16:24] = size[0].to_bytes(4) + size[1].to_bytes(4)
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4)
    with pytest.raises(BadImageError, match="more than 40 megapixels"):
        render(bytes(data))


def test_the_specs_are_registered_under_stable_ids() -> None:
    from imagekit.registry import generator_registry

    registered = generator_registry._generators  # get() would look for modules of installed apps
    assert (registered["media:preview"], registered["media:thumbnail"]) == (Preview, Thumbnail)
