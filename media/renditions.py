"""Bytes that claim to be an image, vetted, and the files that are kept of them. Knows no database and no storage."""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from media.specs import PREVIEW, Preview, Thumbnail

MAX_PIXELS = 40_000_000
"""Width times height of the largest image that is decoded."""
MAX_BYTES = 50 * 2**20

MEDIA_TYPES = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "AVIF": "image/avif",
}
"""Media type of each format of Pillow's that is taken; all are plain pixels, none can hold a script."""
EXTENSIONS = {"JPEG": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
TYPES_BY_EXTENSION = {extension: MEDIA_TYPES[name] for name, extension in EXTENSIONS.items()}


class BadImageError(ValueError):
    """Why bytes are not taken as an image, as a sentence."""


@dataclass(frozen=True, slots=True)
class File:
    """The bytes of a file and its name in the storage, which is the SHA-256 of the bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Renditions:
    """An image in its three sizes. ``width`` and ``height`` are the original's in pixels, as seen (EXIF applied)."""

    original: File
    preview: File
    thumbnail: File
    media_type: str
    width: int
    height: int

    @property
    def files(self) -> tuple[File, ...]:
        """All that is to be stored of it."""
        return self.original, self.preview, self.thumbnail

    @property
    def content_hash(self) -> str:
        """SHA-256 of the original's bytes, in hexadecimal."""
        return hashlib.sha256(self.original.data).hexdigest()


def render(data: bytes) -> Renditions:
    """Vet an image and return it with its smaller sizes (WebP, of an animation the first frame).

    Raises :class:`BadImageError` for what is no JPEG, PNG, GIF, WebP or AVIF, is cut off, is larger than 40 megapixels
    or 50 MiB, or is so narrow that nothing of it would be left at 250 pixels.
    """
    if len(data) > MAX_BYTES:
        raise BadImageError(f"It has more than {MAX_BYTES // 2**20} MiB.")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            return _render(data)
        except UnidentifiedImageError:
            raise BadImageError("It is no image of a format that is taken.") from None
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise BadImageError(_too_large()) from None
        # Decoders tell of damaged data in many ways.
        except (OSError, SyntaxError, ValueError, EOFError, IndexError, OverflowError) as error:
            if isinstance(error, BadImageError):
                raise
            raise BadImageError(f"It cannot be decoded: {str(error)[:200]}.") from error


def content_name(data: bytes, extension: str) -> str:
    """Return the name in the storage of a file with this content: `ab/cdef….png`."""
    digest = hashlib.sha256(data).hexdigest()
    return f"{digest[:2]}/{digest[2:]}.{extension}"


def _render(data: bytes) -> Renditions:
    with Image.open(io.BytesIO(data), formats=list(MEDIA_TYPES)) as opened:
        kind = str(opened.format)
        if opened.width * opened.height > MAX_PIXELS:
            raise BadImageError(_too_large())
        if min(opened.size) * PREVIEW / max(opened.size) < 1:
            raise BadImageError(f"It is too narrow: {opened.width} x {opened.height} pixels.")
        opened.load()  # the whole of the first frame: a file that is cut off is found here
        width, height = ImageOps.exif_transpose(opened).size
    source = io.BytesIO(data)
    preview, thumbnail = (spec(source).generate().read() for spec in (Preview, Thumbnail))
    return Renditions(
        original=File(content_name(data, EXTENSIONS[kind]), data),
        preview=File(content_name(preview, "webp"), preview),
        thumbnail=File(content_name(thumbnail, "webp"), thumbnail),
        media_type=MEDIA_TYPES[kind],
        width=width,
        height=height,
    )


def _too_large() -> str:
    return f"It has more than {MAX_PIXELS // 1_000_000} megapixels."
