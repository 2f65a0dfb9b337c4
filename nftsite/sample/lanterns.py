"""Drawings of the lanterns."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from PIL import Image

from nftsite.sample.canvas import BIG, disc, glow, mixed, sky

MIDDLE = BIG // 2

_SKIES = {
    "Dusk": ("#2b2350", "#e98a6b"),
    "Midnight": ("#070b1f", "#1d2b5a"),
    "Dawn": ("#7fb2d9", "#fbd9b5"),
    "Storm": ("#2c343c", "#6d7c86"),
    "Aurora": ("#07192d", "#2fae8a"),
}
_PAPERS = {
    "Vermilion": ("#d8412f", "#8f1f1a"),
    "Amber": ("#f2a63b", "#b8661a"),
    "Rose": ("#ef8fa3", "#b24d68"),
    "Jade": ("#5fb58a", "#2b6e55"),
    "Indigo": ("#5b62c4", "#2b2f7a"),
    "Pearl": ("#f6efe0", "#c9b99a"),
}
_GLOWS = {"Soft": 190, "Bright": 250, "Flickering": 220, "Blinding": 320}
_SHAPES = {"Round": (175, 165), "Tall": (125, 215), "Drum": (180, 130), "Diamond": (175, 190)}
_TASSELS = {"Red": "#c0262d", "Gold": "#e2b33c", "Black, Knotted": "#15131a"}


def lantern(random: Random, traits: Any) -> Image.Image:
    """A lantern over a lake at night, lit from within."""
    image, pen = sky(*_SKIES[traits["Sky"]])
    for _ in range(26):
        disc(pen, random.randrange(BIG), random.randrange(BIG * 2 // 3), random.choice((2, 3)), "#ffffff")
    pen.rectangle((0, BIG - 80, BIG, BIG), fill=mixed(*_SKIES[traits["Sky"]], 0.15))
    light, edge = _PAPERS[traits["Paper"]]
    for _ in range(3):  # the others on the lake
        x, y = random.randrange(40, BIG - 40), random.randrange(80, BIG - 100)
        glow(image, x, y, 50, light)
        pen.ellipse((x - 13, y - 16, x + 13, y + 16), fill=light)
    x, y = MIDDLE + random.randrange(-30, 30), MIDDLE - 30 + random.randrange(-20, 20)
    wide, high = _SHAPES[traits["Shape"]]
    glow(image, x, y, _GLOWS[traits["Glow"]], "#ffe2a0")
    if traits["Shape"] == "Diamond":
        pen.polygon(
            ((x, y - high), (x + wide, y), (x, y + high), (x - wide, y)), fill=light, outline=edge, width=6
        )
    elif traits["Shape"] == "Drum":
        box = (x - wide, y - high, x + wide, y + high)
        pen.rounded_rectangle(box, 60, fill=light, outline=edge, width=6)
    else:
        pen.ellipse((x - wide, y - high, x + wide, y + high), fill=light, outline=edge, width=6)
    glow(image, x, y + 10, 110, "#fff3c9")
    ribs = traits["Ribs"]
    for rib in range(1, ribs + 1):
        place = 2 * rib / (ribs + 1) - 1
        shape = {"Diamond": 1 - abs(place), "Drum": 1.0}.get(traits["Shape"], math.sqrt(1 - place * place))
        reach, down = wide * shape, y + high * place
        pen.line((x - reach, down, x + reach, down), fill=edge, width=4)
    for end in (y - high, y + high):
        pen.rounded_rectangle((x - 48, end - 12, x + 48, end + 12), 8, fill="#2a1a14")
    if "Tassel" in traits:
        for strand in range(-3, 4):
            line = (x + strand * 5, y + high + 12, x + strand * 9, y + high + 90)
            pen.line(line, fill=_TASSELS[traits["Tassel"]], width=5)
    return image
