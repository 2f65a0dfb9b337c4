"""Bytes that claim to be an image, vetted, and the files that are kept of them. Knows no database and no storage.

Hostile bytes belong into a process of their own, which can be lost: see ``media.vetting``.
"""

from __future__ import annotations

import warnings

from PIL import Image, UnidentifiedImageError

from media import svg
from media.decoding import DAMAGED, FORMATS, BadImageError, decode, is_transparent
from media.files import MAX_BYTES, File, Renditions
from media.sniff import SVG, media_type_of
from media.specs import PREVIEW, Preview, Thumbnail, within


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


def _render(data: bytes, media_type: str) -> Renditions:
    kept, kept_type = data, media_type
    if media_type == SVG:
        kept, kept_type = svg.drawn(data), "image/png"
    picture = decode(kept, kept_type)
    if media_type == SVG and is_transparent(picture.pixels):
        raise BadImageError("Nothing of it can be seen: what was drawn is transparent.")
    # The smaller one of what was reduced for the larger one, which is a quarter of the work and not seen to differ.
    pixels = picture.pixels if max(picture.pixels.size) <= PREVIEW else within(picture.pixels, PREVIEW)
    preview, thumbnail = (spec(pixels).generate().read() for spec in (Preview, Thumbnail))
    return Renditions(
        original=File(kept, kept_type),
        preview=File(preview, "image/webp"),
        thumbnail=File(thumbnail, "image/webp"),
        media_type=media_type,
        width=picture.width,
        height=picture.height,
    )


def _said(media_type: str) -> str:
    return f", but {media_type}" if media_type else ""
