"""Pictures within a document, in `data:` URIs, as the drawing library takes them: by their bytes, and such
that it draws them as browsers do."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, UnidentifiedImageError

from core.net.http.data_uris import decode_data_uri, is_data_uri
from core.net.http.uri_errors import BadUriError
from media.decoding import DAMAGED, EMBEDDED, BadImageError, whole
from media.sniff import SVG, media_type_of

_DRAWN = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What the drawing library takes, if its colours and its place are plain."""
_PLAIN_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "I;16", "I;16B")
LONGEST = 4096
"""Pixels of the longer side of a picture that is encoded again: four times that of the whole drawing."""


def drawable(target: str, document: Callable[[bytes], bytes]) -> str:
    """Return the `data:` URI of a picture, of a type that is drawn and named by it.

    ``document`` writes out an SVG for drawing. Raises :class:`BadImageError` for a picture that is elsewhere, of a
    format that is not taken, or damaged.
    """
    if not is_data_uri(target):
        raise BadImageError(f"It shows a picture that is elsewhere: {target[:100]}.")
    try:
        data = decode_data_uri(target).body
    except BadUriError as error:
        raise BadImageError(f"A picture within it cannot be read: {error}.") from None
    media_type = media_type_of(data)
    if media_type == SVG:
        data = document(data)
    elif media_type in EMBEDDED:
        media_type, data = _plain(data, media_type)
    else:
        told = media_type or "of no type that is known"
        raise BadImageError(f"A picture within it is no image of a format that is taken, but {told}.")
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def size_of(target: str) -> tuple[int, int]:
    """Return width and height of a picture in a `data:` URI of :func:`drawable`."""
    with Image.open(io.BytesIO(decode_data_uri(target).body)) as image:
        return image.size


@lru_cache(2)
def _plain(data: bytes, media_type: str) -> tuple[str, bytes]:
    """Return media type and bytes of a picture that is upright, in sRGB, and whole."""
    try:
        found = whole(data, media_type, LONGEST)
    except (*DAMAGED, UnidentifiedImageError) as error:
        raise BadImageError(f"A picture within it cannot be decoded: {str(error)[:200]}.") from None
    if found.is_plain and media_type in _DRAWN and found.mode in _PLAIN_MODES:
        return media_type, data
    file = io.BytesIO()
    found.pixels.save(file, "PNG", compress_level=1)
    return "image/png", file.getvalue()
