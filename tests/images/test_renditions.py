"""Bytes that claim to be an image are vetted, and kept in three sizes under the names of their content."""

from __future__ import annotations

import hashlib
import io
import zlib
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageCms

from media.decoding import BadImageError
from media.renditions import render
from tests.images.inputs import noise
from tests.images.one_colour import encoded, opened


def encoded_as(picture: Image.Image, kind: str, **options: Any) -> bytes:
    """The bytes of a picture in a format."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def pixels(data: bytes) -> Image.Image:
    """The picture in these bytes, with transparency."""
    return opened(data).convert("RGBA")


@pytest.mark.parametrize(
    ("size", "preview", "thumbnail"),
    [
        ((500, 500), (0, 0, 250, 250), (0, 0, 128, 128)),
        ((600, 300), (0, 62, 250, 187), (0, 32, 128, 96)),
        ((300, 600), (62, 0, 187, 250), (32, 0, 96, 128)),
        ((200, 100), (0, 62, 250, 187), (0, 32, 128, 96)),
        ((24, 24), (0, 0, 250, 250), (0, 0, 128, 128)),
        ((1, 1), (0, 0, 250, 250), (0, 0, 128, 128)),
        ((4000, 1), (0, 124, 250, 125), (0, 63, 128, 64)),
        ((1, 4000), (124, 0, 125, 250), (63, 0, 64, 128)),
    ],
)
def test_the_sizes_are_squares_with_the_whole_picture_in_their_middle(
    size: tuple[int, int], preview: tuple[int, int, int, int], thumbnail: tuple[int, int, int, int]
) -> None:
    """The boxes are of what is not transparent."""
    image = render(encoded(size, fill=(10, 20, 30)))
    assert (image.width, image.height) == size
    seen = [pixels(file.data) for file in (image.preview, image.thumbnail)]
    assert [one.size for one in seen] == [(250, 250), (128, 128)]
    assert [one.getchannel("A").getbbox() for one in seen] == [preview, thumbnail]


def test_a_picture_of_24_pixels_comes_out_sharp() -> None:
    """Each pixel of the preview is the pixel of the picture that lies under it: no other colour, no blur."""
    picture = noise((24, 24), 90).convert("RGBA")
    preview = pixels(render(encoded_as(picture, "PNG")).preview.data)
    expected = [
        picture.getpixel(((2 * x + 1) * 24 // 500, (2 * y + 1) * 24 // 500))
        for y in range(250)
        for x in range(250)
    ]
    assert list(preview.get_flattened_data()) == expected


def test_a_drawing_of_few_colours_is_enlarged_and_stored_without_a_new_one() -> None:
    picture = noise((192, 192), 90).convert("RGB").quantize(16).convert("RGB")
    preview = pixels(render(encoded_as(picture, "PNG")).preview.data).convert("RGB")
    assert colours(preview) == colours(picture)


def test_a_picture_of_two_to_one_keeps_all_of_its_content() -> None:
    """Eight coloured fields, those at the edges among them, are where they are in the picture; above is nothing."""
    fields = [(index * 30, 255 - index * 30, index % 2 * 200) for index in range(8)]
    picture = Image.new("RGB", (1600, 800))
    for index, colour in enumerate(fields):
        picture.paste(
            colour, (index % 4 * 400, index // 4 * 400, index % 4 * 400 + 400, index // 4 * 400 + 400)
        )
    preview = pixels(render(encoded_as(picture, "PNG")).preview.data)
    for y in range(250):
        for x in range(250):
            seen = preview.getpixel((x, y))
            column, row = divmod(x, 62.5), divmod(y - 62, 62.5)
            if not 62 <= y < 187:
                assert seen[3] == 0  # type: ignore[index]
            elif 4 <= column[1] < 58 and 4 <= row[1] < 58:  # in a field, not between two
                expected = (*fields[int(row[0]) * 4 + int(column[0])], 255)
                assert max(abs(one - other) for one, other in zip(seen, expected, strict=True)) <= 3  # type: ignore[arg-type]


def test_a_large_picture_is_reduced_as_if_at_once() -> None:
    """Beyond 500 pixels it is averaged first, in strips: to the eye the same as resampling the whole."""
    picture = Image.radial_gradient("L").resize((3000, 1500)).convert("RGB")
    image = render(encoded_as(picture, "PNG"))
    for file, box in ((image.preview, (0, 62, 250, 187)), (image.thumbnail, (0, 32, 128, 96))):
        seen = pixels(file.data).crop(box).convert("L")
        difference = ImageChops.difference(seen, picture.convert("L").resize(seen.size))
        assert difference.getextrema()[1] <= 6  # type: ignore[operator]


def test_what_is_transparent_gives_no_colour_to_its_neighbours() -> None:
    picture = Image.new("RGBA", (1600, 1600), (255, 0, 0, 0))  # red, but not to be seen
    picture.paste((0, 0, 255, 255), (0, 0, 801, 1600))
    preview = pixels(render(encoded_as(picture, "PNG")).preview.data)
    assert {pixel[0] for pixel in preview.get_flattened_data() if pixel[3] > 64} == {0}  # type: ignore[index]


def colours(picture: Image.Image) -> set[Any]:
    """The colours that a picture has."""
    return {colour for _, colour in picture.getcolors(2**20) or []}


@pytest.mark.parametrize(
    ("kind", "media_type", "extension"),
    [
        ("JPEG", "image/jpeg", ".jpg"),
        ("PNG", "image/png", ".png"),
        ("GIF", "image/gif", ".gif"),
        ("WEBP", "image/webp", ".webp"),
        ("AVIF", "image/avif", ".avif"),
        ("BMP", "image/bmp", ".bmp"),
    ],
)
def test_six_formats_are_taken_and_named_by_what_they_are(kind: str, media_type: str, extension: str) -> None:
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


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_an_image_stands_as_its_exif_orientation_says(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    image = render(encoded((400, 200), kind, exif=exif))
    assert (image.width, image.height) == (200, 400)
    assert pixels(image.preview.data).getchannel("A").getbbox() == (62, 0, 187, 250)


def test_16_bits_of_grey_are_scaled() -> None:
    preview = opened(render(encoded((300, 300), mode="I;16", fill=0x8000)).preview.data)
    assert abs(preview.getpixel((10, 10))[0] - 128) < 4  # type: ignore[index]


@pytest.mark.parametrize(
    ("mode", "fill", "clear"),
    [
        ("I;16", 0x8000, 0x8000),
        ("L", 40, 40),
        ("RGB", (1, 2, 3), (1, 2, 3)),
        ("1", 1, 255),
        ("P", 1, b"\xff\x00"),
    ],
)
def test_a_colour_that_a_png_names_as_transparent_is(mode: str, fill: Any, clear: Any) -> None:
    picture = Image.new(mode, (300, 300), fill)
    if mode == "P":
        picture.putpalette([255, 0, 0, 0, 255, 0])
    preview = pixels(render(encoded_as(picture, "PNG", transparency=clear)).preview.data)
    assert preview.getchannel("A").getextrema() == (0, 0)


@pytest.mark.parametrize("metadata", ["exif", "icc_profile"])
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_damaged_metadata_costs_no_picture(kind: str, metadata: str) -> None:
    options: dict[str, Any] = {metadata: b"Exif\0\0 but nothing of the kind"}
    data = encoded((300, 300), kind, fill=(10, 20, 200), **options)
    colour = pixels(render(data).preview.data).getpixel((125, 125))
    assert max(abs(one - other) for one, other in zip(colour, (10, 20, 200, 255), strict=True)) <= 2  # type: ignore[arg-type]


def test_colours_are_those_of_the_profile() -> None:
    """The profile's red and blue have changed places: a viewer that heeds it sees the picture's red as blue."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    at = [profile.index(tag) for tag in (b"rXYZ", b"bXYZ")]
    profile[at[0] : at[0] + 4], profile[at[1] : at[1] + 4] = b"bXYZ", b"rXYZ"
    for kind in ("PNG", "JPEG", "WEBP"):
        data = encoded((300, 300), kind, fill=(250, 0, 0), icc_profile=bytes(profile))
        red, _, blue, _ = pixels(render(data).preview.data).getpixel((125, 125))  # type: ignore[misc]
        assert red < 20 < 200 < blue


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
        pytest.param(b'<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', id="a bad svg"),
        pytest.param(b"\x89PNG\r\n\x1a\n", id="a signature alone"),
        pytest.param(encoded((300, 300), "TIFF"), id="tiff"),
    ],
)
def test_what_is_no_image_of_a_format_that_is_taken_is_refused(data: bytes) -> None:
    with pytest.raises(BadImageError):
        render(data)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP"])
def test_a_file_that_is_cut_off_is_refused(kind: str) -> None:
    file = io.BytesIO()
    noise((300, 300), 60).convert("RGB").save(file, kind)
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
