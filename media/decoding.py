"""Pixels from the bytes of a raster image: the first frame, upright, in sRGB with transparency, of a bounded size.

Raises :class:`BadImageError` or whatever Pillow raises of damaged data; :func:`media.renditions.render` tells of both.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass

from PIL import Image, ImageCms, ImageOps

from media.specs import PREVIEW

MAX_PIXELS = 40_000_000
"""Width times height of the largest image that is decoded."""

FORMATS = {
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/avif": "AVIF",
    "image/bmp": "BMP",
}
"""Format of Pillow's by each media type that is taken; all are plain pixels, none can hold a script."""

ENOUGH = 2 * PREVIEW
"""Pixels of the longer side beyond which a picture is reduced at once: what is fitted later is not seen to differ."""
STRIP = 2_000_000
"""Pixels that are converted at a time: a copy of the whole in another mode would not fit into the memory."""

_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
_SIXTEEN_BITS = ("I", "F")  # and I;16, I;16B, …: what Pillow makes of deep grey


class BadImageError(ValueError):
    """Why bytes are not taken as an image, as a sentence."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An RGBA image of at most twice ``ENOUGH`` pixels on its longer side; ``width`` and ``height`` are the
    original's in pixels, as it is seen (EXIF orientation applied).
    """

    pixels: Image.Image
    width: int
    height: int


def decode(data: bytes, media_type: str) -> Picture:
    """Return the picture in a file of this type, which is one of ``FORMATS``; of an animation the first frame.

    Raises :class:`BadImageError` for more than 40 megapixels, before they are decoded.
    """
    with _opened(data, media_type) as opened:
        if opened.width * opened.height > MAX_PIXELS:
            raise BadImageError(f"It has more than {MAX_PIXELS // 1_000_000} megapixels.")
        size = opened.size
        opened.draft(opened.mode, (ENOUGH, ENOUGH))  # JPEG is decoded at a half, a quarter or an eighth
        opened.load()  # the whole of the first frame: a file that is cut off is found here
        orientation = _orientation(opened)
        reduced = _reduced(opened)
    upright = reduced if orientation == _UPRIGHT else ImageOps.exif_transpose(reduced)
    width, height = size[::-1] if orientation in _ON_ITS_SIDE else size
    return Picture(_coloured(upright, opened.info.get("icc_profile")), width, height)


_ORIENTATION = 0x0112
_UPRIGHT = 1
_ON_ITS_SIDE = range(5, 9)
"""Values of the EXIF tag Orientation that swap width and height."""


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, _UPRIGHT))
    except (SyntaxError, ValueError, TypeError, struct.error):
        return _UPRIGHT  # damaged EXIF data: viewers show the picture as it lies


def _opened(data: bytes, media_type: str) -> Image.Image:
    name = FORMATS[media_type]
    if name == "PNG":  # whose checksums Pillow compares only when it is asked to
        with Image.open(io.BytesIO(data), formats=[name]) as checked:
            if checked.width * checked.height <= MAX_PIXELS:
                checked.verify()
    return Image.open(io.BytesIO(data), formats=[name])


def _reduced(image: Image.Image) -> Image.Image:
    """Return the image in L, RGB, RGBA or CMYK, at a whole fraction of its size if it is large."""
    factor = max(1, max(image.size) // ENOUGH)
    width, height = (-(-length // factor) for length in image.size)
    rows = max(1, STRIP // (image.width * factor)) * factor
    reduced = None
    for top in range(0, image.height, rows):
        bottom = min(top + rows, image.height)
        is_whole = bottom - top == image.height
        strip = _plain(image if is_whole else image.crop((0, top, image.width, bottom)))
        if factor > 1:
            # Averaged with the colours weighted by alpha: what is transparent has none to give.
            mode = strip.mode
            weighted = strip.convert("RGBa") if mode == "RGBA" else strip
            strip = weighted.reduce(factor).convert(mode)
        if reduced is None:
            reduced = Image.new(strip.mode, (width, height))
        reduced.paste(strip, (0, top // factor))
    assert reduced is not None  # an image has a row
    reduced.info = image.info  # which holds the EXIF orientation
    return reduced


def _plain(image: Image.Image) -> Image.Image:
    """Return the image in a mode of 8 bits a channel without a palette."""
    if image.mode.startswith(_SIXTEEN_BITS):  # convert() would cut instead of scaling
        clear = image.info.get("transparency")
        image = image.point(lambda value: value / 256).convert("L")
        if isinstance(clear, int):  # the one shade that is transparent, to 8 bits too
            image.info["transparency"] = clear >> 8
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image if image.mode in ("L", "RGB", "CMYK") else image.convert("RGB")


def _coloured(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return the image in RGBA, of sRGB if the file tells its colours by a profile."""
    if profile:
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode=mode)
        except (ImageCms.PyCMSError, OSError):
            converted = None  # a damaged profile, or one of other channels: viewers go without it too
        image = converted or image
    return image.convert("RGBA")
