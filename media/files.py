"""The files that are kept of an image: their types, names and sizes. Whoever serves or stores them needs no decoder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True)
class File:
    """The bytes of a file, of a media type in ``EXTENSIONS``."""

    data: bytes
    media_type: str

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def name(self) -> str:
        """Name in the storage of a file with this content: `ab/cdef….png`."""
        return f"{self.digest[:2]}/{self.digest[2:]}.{EXTENSIONS[self.media_type]}"


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
        return self.original.digest
