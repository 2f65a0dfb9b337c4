"""Pixels from the bytes of a raster image: the first frame, upright, in sRGB with transparency, of a bounded size.

Raises :class:`BadImageError` or whatever Pillow raises of damaged data; :func:`media.renditions.render` tells of both.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image, ImageCms, ImageFile, ImageOps, PngImagePlugin

from media.endings import completed, png_chunks
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

EMBEDDED = FORMATS | {"image/x-icon": "ICO", "image/tiff": "TIFF"}
"""The same of pictures that an SVG shows, which are encoded again where need be."""

DAMAGED = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError),
    *(ZeroDivisionError, RuntimeError, struct.error, zlib.error),
)
"""What decoders raise of damaged data, which is many things."""

ENOUGH = 2 * PREVIEW
"""Pixels of the longer side beyond which a picture is reduced at once: what is fitted later is not seen to differ."""
STRIP = 2_000_000
"""Pixels that are converted at a time: a copy of the whole in another mode would not fit into the memory."""

_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
_MAX_PROFILE = 8 * 2**20
"""Bytes of a colour profile, unpacked; a larger one is left out. The largest in use have 3 MiB."""
PngImagePlugin.MAX_TEXT_CHUNK = _MAX_PROFILE  # which holds for profiles too; texts are left out before
_WITH_ALPHA = ("RGBA", "RGBa")
_SIXTEEN_BITS = ("I", "F")  # and I;16, I;16B, …: what Pillow makes of deep grey


class BadImageError(ValueError):
    """Why bytes are not taken as an image, as a sentence."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image in RGB, or where it has transparency RGBA or RGBa (colours weighted by alpha), of at most twice
    ``ENOUGH`` pixels on its longer side; ``width`` and ``height`` are the original's in pixels, as it is seen (EXIF
    orientation applied).
    """

    pixels: Image.Image
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Whole:
    """A picture that an SVG shows: ``pixels`` in RGBA, upright, in sRGB; ``mode`` is Pillow's of the file.

    ``is_plain`` tells that it is upright and in sRGB as it lies, and has all of its bytes.
    """

    pixels: Image.Image
    mode: str
    is_plain: bool


def decode(data: bytes, media_type: str) -> Picture:
    """Return the picture in a file of this type, which is one of ``FORMATS``; of an animation the first frame.

    A file that lacks its end is taken if nearly all of its picture is there. Raises :class:`BadImageError` for more
    than 40 megapixels, before they are decoded.
    """
    with _loaded(data, media_type, ENOUGH) as (opened, size, _):
        orientation = _orientation(opened)
        reduced = _reduced(opened, ENOUGH)
    upright = reduced if orientation == _UPRIGHT else ImageOps.exif_transpose(reduced)
    width, height = size[::-1] if orientation in _ON_ITS_SIDE else size
    pixels = _coloured(upright, opened.info.get("icc_profile"))
    return Picture(pixels.convert("RGBA").convert("RGB") if _is_opaque(pixels) else pixels, width, height)


def is_transparent(pixels: Image.Image) -> bool:
    """Tell whether nothing of a :class:`Picture` can be seen."""
    return pixels.mode != "RGB" and pixels.getchannel(3).getextrema() == (0, 0)


def _is_opaque(pixels: Image.Image) -> bool:
    return pixels.mode != "RGB" and pixels.getchannel(3).getextrema() == (255, 255)


def whole(data: bytes, media_type: str, longest: int) -> Whole:
    """Return the picture in a file of a type in ``EMBEDDED``, reduced to at most twice ``longest``; raises as
    :func:`decode`."""
    with _loaded(data, media_type, longest) as (opened, _, is_complete):
        orientation, profile = _orientation(opened), opened.info.get("icc_profile")
        mode = opened.mode
        reduced = _reduced(opened, longest)
    upright = reduced if orientation == _UPRIGHT else ImageOps.exif_transpose(reduced)
    is_in_srgb = not profile or _SRGB_NAME.search(profile) is not None
    pixels = _coloured(upright, profile).convert("RGBA")
    return Whole(pixels, mode, is_complete and orientation == _UPRIGHT and is_in_srgb)


_ORIENTATION = 0x0112
_UPRIGHT = 1
_ON_ITS_SIDE = range(5, 9)
"""Values of the EXIF tag Orientation that swap width and height."""
_SRGB_NAME = re.compile(b"s\0?R\0?G\0?B")
"""How profiles of sRGB name themselves, in ASCII or UTF-16."""


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, _UPRIGHT))
    except (SyntaxError, ValueError, TypeError, struct.error):
        return _UPRIGHT  # damaged EXIF data: viewers show the picture as it lies


@contextmanager
def _loaded(data: bytes, media_type: str, enough: int) -> Iterator[tuple[Image.Image, tuple[int, int], bool]]:
    """Open an image and decode its first frame; also gives its size as it lies, and whether the file has its end."""
    is_complete = True
    try:
        opened, size = _decoded(data, media_type, enough)
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        if isinstance(error, BadImageError) or (more := completed(data, media_type)) is None:
            raise
        is_complete = False
        with _lenient(media_type == "image/png"):
            opened, size = _decoded(more, media_type, enough)
    with opened:
        yield opened, size, is_complete


def _decoded(data: bytes, media_type: str, enough: int) -> tuple[Image.Image, tuple[int, int]]:
    opened = _opened(data, media_type)
    if opened.width * opened.height > MAX_PIXELS:
        raise BadImageError(f"It has more than {MAX_PIXELS // 1_000_000} megapixels.")
    size = opened.size
    opened.draft(opened.mode, (enough, enough))  # JPEG is decoded at a half, a quarter or an eighth
    opened.load()  # the whole of the first frame: a file that is cut off is found here
    return opened, size


@contextmanager
def _lenient(is_so: bool) -> Iterator[None]:
    """Have Pillow fill what is missing; the setting is of the process, which is one image's."""
    ImageFile.LOAD_TRUNCATED_IMAGES = is_so
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False


def _opened(data: bytes, media_type: str) -> Image.Image:
    name = EMBEDDED[media_type]
    if name == "PNG":  # whose checksums Pillow compares only when it is asked to
        data = _without_texts(data)
        with Image.open(io.BytesIO(data), formats=[name]) as checked:
            if checked.width * checked.height <= MAX_PIXELS:
                checked.verify()
    return Image.open(io.BytesIO(data), formats=[name])


_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_MAX_TEXT = 64 * 2**20
"""Bytes that a text or profile unpacks to, beyond which it is there to do harm."""


def _without_texts(data: bytes) -> bytes:
    """Return a PNG without its texts, a profile that is larger than any in use, and what else is not critical and has a
    wrong checksum: viewers go without them, and Pillow would refuse the file. Raises :class:`BadImageError` beyond
    ``_MAX_TEXT``."""
    kept, place = [], 0
    for name, start, end in png_chunks(data):
        if not name[:1].islower():
            continue
        is_damaged = end <= len(data) and zlib.crc32(data[start + 4 : end - 4]) != int.from_bytes(
            data[end - 4 : end]
        )
        size = _unpacked_size(name, data[start + 8 : end - 4]) if name in (*_TEXTS, b"iCCP") else 0
        if size > _MAX_TEXT:
            raise BadImageError(f"It cannot be decoded: a text in it has more than {_MAX_TEXT // 2**20} MiB.")
        if is_damaged or name in _TEXTS or size > _MAX_PROFILE:
            kept.append(data[place:start])
            place = end
    return b"".join((*kept, data[place:])) if place else data


def _unpacked_size(name: bytes, chunk: bytes) -> int:
    """Return how many bytes a text or profile has (PNG specification, section 11.3), one more than ``_MAX_TEXT`` at
    most; never holds them all."""
    packed = chunk.partition(b"\0")[2]
    if name == b"iTXt":
        packed = packed[2:].partition(b"\0")[2].partition(b"\0")[2] if packed[:1] == b"\1" else b""
    elif name == b"tEXt":
        packed = b""
    else:
        packed = packed[1:]
    unpacker, size = zlib.decompressobj(), 0
    try:
        while packed and size <= _MAX_TEXT:
            size += len(unpacker.decompress(packed, 2**20))
            packed = unpacker.unconsumed_tail
    except zlib.error:
        pass  # Pillow goes without a profile that is damaged
    return size


def _reduced(image: Image.Image, enough: int) -> Image.Image:
    """Return the image in L, RGB, RGBA or CMYK, at a whole fraction of its size if it is large: then not in RGBA
    but RGBa."""
    factor = max(1, max(image.size) // enough)
    width, height = (-(-length // factor) for length in image.size)
    rows = max(1, STRIP // (image.width * factor)) * factor
    reduced = None
    for top in range(0, image.height, rows):
        bottom = min(top + rows, image.height)
        is_whole = bottom - top == image.height
        strip = _plain(image if is_whole else image.crop((0, top, image.width, bottom)))
        if factor > 1:
            # Averaged with the colours weighted by alpha: what is transparent has none to give.
            strip = (strip.convert("RGBa") if strip.mode == "RGBA" else strip).reduce(factor)
        if is_whole:
            reduced = strip.copy() if strip is image else strip
            break
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
        return image if image.mode == "RGBA" else image.convert("RGBA")
    return image if image.mode in ("L", "RGB", "CMYK") else image.convert("RGB")


def _coloured(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return the image in RGB, RGBA or RGBa, of sRGB if the file tells its colours by a profile."""
    if profile:
        mode = "RGBA" if image.mode in _WITH_ALPHA else "RGB"
        image = image.convert(mode) if image.mode == "RGBa" else image
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode=mode)
        except (ImageCms.PyCMSError, OSError):
            converted = None  # a damaged profile, or one of other channels: viewers go without it too
        image = converted or image
    return image if image.mode in ("RGB", *_WITH_ALPHA) else image.convert("RGB")
