"""The files that are kept of an image: their types, names and sizes. Whoever serves or stores them needs no decoder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

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


def content_name(data: bytes, extension: str) -> str:
    """Return the name in the storage of a file with this content: `ab/cdef….png`."""
    digest = hashlib.sha256(data).hexdigest()
    return f"{digest[:2]}/{digest[2:]}.{extension}"


def file_of(data: bytes, media_type: str) -> File:
    """Return the file with this content, of a media type in ``EXTENSIONS``."""
    return File(content_name(data, EXTENSIONS[media_type]), data)
