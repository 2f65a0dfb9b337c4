"""Images of one colour as bytes, and bytes as images."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from tests.images import inputs


def encoded(
    size: tuple[int, int], kind: str = "PNG", mode: str = "RGB", fill: Any = 0, **options: Any
) -> bytes:
    """The bytes of an image of one colour."""
    return inputs.encoded(Image.new(mode, size, fill), kind, **options)


def opened(data: bytes) -> Image.Image:
    """The image in these bytes."""
    return Image.open(io.BytesIO(data))
