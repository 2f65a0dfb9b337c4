"""Bytes that claim to be an image, vetted, and the files that are kept of them. Knows no database and no storage.

Hostile bytes belong into a process of their own, which can be lost: see ``media.vetting``.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from media import svg
from media.decoding import DAMAGED, FORMATS, BadImageError, decode
from media.sniff import SVG, media_type_of
from media.specs import Preview, Thumbnail

MAX_BYTES = 50 * 2**20

EXTENSIONS = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/bmp": "bmp",
}
TYPES_BY_EXTENSION = {extension: media_type for media_type, extension in EXTENSIONS.items()}
"""What cached files are served as. An SVG is none of them: it is kept as the PNG that was drawn of it."""


@dataclass(frozen=True, slots=True)
class File:
    """The bytes of a file and its name in the storage, which is the SHA-256 of the bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Renditions:
    """An image in its three sizes.

    ``media_type`` is of the bytes that were given; ``original`` has them as they came, except that of an SVG it is a
    PNG. ``width`` and ``height`` are the original's in pixels, as seen (EXIF applied).
    """

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

    Raises :class:`BadImageError` for what is no JPEG, PNG, GIF, WebP, AVIF, BMP or SVG, is cut off, or is larger than
    40 megapixels or 50 MiB. ``MemoryError`` is the caller's, who set a limit.
    """
    if len(data) > MAX_BYTES:
        raise BadImageError(f"It has more than {MAX_BYTES // 2**20} MiB.")
    media_type = media_type_of(data)
    if media_type != SVG and media_type not in FORMATS:
        raise BadImageError(f"It is no image of a format that is taken{_said(media_type)}.")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            return _render(data, media_type)
        except BadImageError:
            raise
        except UnidentifiedImageError:
            raise BadImageError(f"It begins as {media_type} and is none.") from None
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise BadImageError("It has more than 40 megapixels.") from None
        # Decoders tell of damaged data in many ways.
        except DAMAGED as error:
            raise BadImageError(f"It cannot be decoded: {str(error)[:200]}.") from error


def content_name(data: bytes, extension: str) -> str:
    """Return the name in the storage of a file with this content: `ab/cdef….png`."""
    digest = hashlib.sha256(data).hexdigest()
    return f"{digest[:2]}/{digest[2:]}.{extension}"


def file_of(data: bytes, media_type: str) -> File:
    """Return the file with this content, of a media type in ``EXTENSIONS``."""
    return File(content_name(data, EXTENSIONS[media_type]), data)


def _render(data: bytes, media_type: str) -> Renditions:
    kept, kept_type = data, media_type
    if media_type == SVG:
        kept, kept_type = svg.drawn(data), "image/png"
    picture = decode(kept, kept_type)
    if media_type == SVG and picture.pixels.getchannel("A").getextrema()[1] == 0:
        raise BadImageError("Nothing of it can be seen: what was drawn is transparent.")
    preview, thumbnail = (spec(picture.pixels).generate().read() for spec in (Preview, Thumbnail))
    return Renditions(
        original=file_of(kept, kept_type),
        preview=file_of(preview, "image/webp"),
        thumbnail=file_of(thumbnail, "image/webp"),
        media_type=media_type,
        width=picture.width,
        height=picture.height,
    )


def _said(media_type: str) -> str:
    return f", but {media_type}" if media_type else ""
