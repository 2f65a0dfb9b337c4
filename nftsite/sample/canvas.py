"""What the drawings of the sample share: a canvas at twice the size, gradients, glows, and small PNGs."""

from __future__ import annotations

import io
from functools import cache

from PIL import Image, ImageDraw, ImageFilter

SIZE = 320
"""Pixels of a side of the finished image."""
BIG = SIZE * 2
"""Pixels of a side while drawing: reduced to half, edges become smooth."""

COLOURS = (64, 32, 16)
"""Of a finished image, the first number with which it is small enough."""
MAX_BYTES = 5_900
"""As a `data:` URI a third more: records leave out those of more than 8,000 bytes."""

Colour = tuple[int, int, int]


def colour(text: str) -> Colour:
    """Return the colour that `#rrggbb` names."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mixed(one: str, other: str, share: float) -> Colour:
    """Return a colour between two; `share` is the other's, from 0 to 1."""
    pairs = zip(colour(one), colour(other), strict=True)
    red, green, blue = (round(a + (b - a) * share) for a, b in pairs)
    return red, green, blue


@cache
def _gradient(top: str, bottom: str) -> Image.Image:
    column = Image.new("RGB", (1, 64))
    for row in range(64):
        column.putpixel((0, row), mixed(top, bottom, row / 63))
    return column.resize((BIG, BIG), Image.Resampling.BICUBIC)


def sky(top: str, bottom: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return a canvas with a gradient from top to bottom, and the pen for it."""
    image = _gradient(top, bottom).copy()
    return image, ImageDraw.Draw(image)


@cache
def _glow(radius: int) -> Image.Image:
    small = Image.new("L", (64, 64))
    ImageDraw.Draw(small).ellipse((18, 18, 46, 46), fill=255)
    return small.filter(ImageFilter.GaussianBlur(9)).resize((radius * 2, radius * 2))


def glow(image: Image.Image, x: int, y: int, radius: int, light: str) -> None:
    """Lay a soft light upon the canvas."""
    image.paste(colour(light), (x - radius, y - radius), _glow(radius))


def disc(pen: ImageDraw.ImageDraw, x: float, y: float, radius: float, fill: str | Colour) -> None:
    """Draw a filled circle."""
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)


def png(image: Image.Image) -> bytes:
    """Return the finished image: of as many colours as fit into ``MAX_BYTES``.

    Colours are chosen by octree: cutting at medians loses the small bright parts, such as tassels and beacons.
    """
    small = image.reduce(2)
    data = b""
    for colours in COLOURS:
        file = io.BytesIO()
        few = small.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(file, "PNG")
        data = file.getvalue()
        if len(data) <= MAX_BYTES:
            break
    return data
