"""Pixel art of fields: one pixel is one pixel, and they come out sharp at any size."""

from __future__ import annotations

import io
from random import Random
from typing import Any

from PIL import Image

from nftsite.sample.canvas import colour

_SIDES = {3: 8, 4: 6, 5: 5, 6: 4}
"""Pixels of a patch's side by the number of patches in a row: fields have 24 pixels a side, or 25."""
_SEASONS = {
    "Summer": ["#d9b648", "#8fae4b", "#55803f", "#e4cf7a", "#b78d3c"],
    "Spring": ["#a9cf6b", "#f1c6d4", "#79b37a", "#dcebb0", "#f6e58d"],
    "Autumn": ["#b5522b", "#d98c3a", "#7d4a2a", "#e0b75c", "#5c5a33"],
    "Winter": ["#dfe8ee", "#b7c7d3", "#8fa6b5", "#f5f8fa", "#6e8494"],
}
_THREADS = {"White": "#ffffff", "Navy": "#1d2d50", "Gold": "#f0c93d"}
_WATERS = ("#4f93b8", "#7fc0dd")
_THREAD, _WATER, _SHINE = 5, 6, 7


def field(random: Random, traits: Any) -> bytes:
    """Return a field from above as a PNG: patches in the season's tones, seams, and at times a pond."""
    count = traits["Patches"]
    side = _SIDES[count]
    image = Image.new("P", (count * side, count * side))
    palette = [*_SEASONS[traits["Season"]], _THREADS[traits["Thread"]], *_WATERS]
    image.putpalette([part for tone in palette for part in colour(tone)])
    for place in range(count * count):
        one, other = random.sample(range(5), 2)
        turn = random.randrange(4)
        for x, y in _square(side):
            is_other = _is_other(traits["Patch"], x, y, side, turn)
            image.putpixel((place % count * side + x, place // count * side + y), other if is_other else one)
    for x, y in _square(count * side):
        if (x and x % side == 0 and y % 2) or (y and y % side == 0 and x % 2):
            image.putpixel((x, y), _THREAD)
    if "Pond" in traits:
        _pond(image, random, 5.5 if traits["Pond"] == "Large" else 3.2)
    file = io.BytesIO()
    image.save(file, "PNG", bits=3)
    return file.getvalue()


def _square(side: int) -> list[tuple[int, int]]:
    return [(x, y) for y in range(side) for x in range(side)]


def _is_other(kind: str, x: int, y: int, side: int, turn: int) -> bool:
    """Whether a pixel of a patch has the second tone. The first row and column are seams."""
    for _ in range(turn):
        x, y = y, side - x
    if kind == "Squares":
        edge = side / 4
        return edge < x < side - edge + 0.5 and edge < y < side - edge + 0.5
    if kind == "Triangles":
        return x > y
    if kind == "Stripes":
        return x % 2 == 0
    return y > side / 2 and (x - side / 2) ** 2 + (y - side / 2) ** 2 < (side / 2) ** 2


def _pond(image: Image.Image, random: Random, radius: float) -> None:
    width = image.width
    left, top = (random.uniform(width * 0.3, width * 0.7) for _ in range(2))
    for x, y in _square(width):
        away = ((x - left) / radius) ** 2 + ((y - top) / radius / 0.75) ** 2
        if away < 1:
            is_shine = 0.15 < away < 0.45 and x < left and y < top
            image.putpixel((x, y), _SHINE if is_shine else _WATER)
