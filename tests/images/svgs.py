"""The pictures that are kept of SVGs, and the colours at places of them."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

from PIL import Image

from media.svg import drawn as as_png
from tests.images.inputs import encoded

RED, LIME, BLUE, CLEAR = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)
RED_PNG = encoded(Image.new("RGB", (10, 10), "red"), "PNG")


@lru_cache(maxsize=4)
def drawn(data: bytes) -> Image.Image:
    """The picture that is kept of an SVG; drawn once for all places of it that are looked at, and not to be changed."""
    return Image.open(io.BytesIO(as_png(data))).convert("RGBA")


def centre(data: bytes) -> Any:
    """The colour in the middle of the picture that is kept of an SVG."""
    image = drawn(data)
    return image.getpixel((image.width // 2, image.height // 2))


def at(document: bytes, x: int, y: int) -> object:
    """The colour at a place of a drawing of 100 x 100."""
    image = drawn(document)
    return image.getpixel((x * image.width // 100, y * image.height // 100))
