"""Drawings of a city at night."""

from __future__ import annotations

from random import Random
from typing import Any

from PIL import Image, ImageDraw

from nftsite.sample.canvas import BIG, disc, glow, mixed, sky

_HOURS = {
    "Late": ("#141a33", "#3d3a66"),
    "Blue": ("#12345c", "#5b8fc7"),
    "Witching": ("#1a0f2b", "#5c2a63"),
    "First Light": ("#33416b", "#f0a37c"),
}
_DISTRICTS = {"Harbour": "#0f1f2e", "Old Town": "#2b1b1a", "Heights": "#17172b", "Works": "#1f2421"}
_WINDOWS = {
    "Warm": ["#ffd27a", "#ffb84d"],
    "Cold": ["#bfe3ff", "#8fc7f2"],
    "Mixed": ["#ffd27a", "#bfe3ff", "#ff9ea8"],
    "Dark": ["#ffd27a"],
}


def signal(random: Random, traits: Any) -> Image.Image:
    """Towers under a sky, their windows lit, one of them with a signal on its roof."""
    top, bottom = _HOURS[traits["Hour"]]
    image, pen = sky(top, bottom)
    for _ in range(30):
        disc(pen, random.randrange(BIG), random.randrange(300), random.choice((2, 3)), "#ffffff")
    _above(random, image, traits.get("Above"))
    count = traits["Towers"]
    wide = BIG / count
    wall, lit = _DISTRICTS[traits["District"]], _WINDOWS[traits["Windows"]]
    share = 0.12 if traits["Windows"] == "Dark" else 0.6
    beacon = random.randrange(count)
    for tower in range(count):
        left, roof = tower * wide, random.randrange(250, 470)
        tone = mixed(wall, bottom, random.uniform(0, 0.22))
        pen.rectangle((left, roof, left + wide, BIG), fill=tone)
        if traits["District"] == "Old Town":
            pen.polygon(((left, roof), (left + wide / 2, roof - 50), (left + wide, roof)), fill=tone)
        elif traits["District"] == "Works" and tower % 2:
            pen.rectangle((left + wide * 0.3, roof - 70, left + wide * 0.5, roof), fill=tone)
        for row in range(roof + 24, BIG - (70 if traits["District"] == "Harbour" else 20), 34):
            for column in range(3):
                if random.random() < share:
                    x = left + wide * (column + 0.5) / 3
                    pen.rectangle((x - 8, row, x + 8, row + 17), fill=random.choice(lit))
        if tower == beacon:
            x = int(left + wide / 2)
            pen.line((x, roof - 90, x, roof), fill=tone, width=6)
            glow(image, x, roof - 92, 60, "#ff4d4d")
            disc(pen, x, roof - 92, 9, "#ffd0d0")
    if traits["District"] == "Harbour":
        pen.rectangle((0, BIG - 56, BIG, BIG), fill=mixed(bottom, "#000000", 0.45))
        for _ in range(16):
            x, y = random.randrange(BIG), random.randrange(BIG - 50, BIG - 6)
            pen.line((x, y, x + random.randrange(20, 70), y), fill=random.choice(lit), width=3)
    return image


def _above(random: Random, image: Image.Image, thing: str | None) -> None:
    pen = ImageDraw.Draw(image)
    x, y = random.randrange(120, BIG - 120), random.randrange(80, 180)
    if thing == "Moon":
        glow(image, x, y, 150, "#fff4cf")
        disc(pen, x, y, 50, "#fff8e0")
        disc(pen, x + 14, y - 10, 10, "#eadfb8")
    elif thing == "Comet":
        for step in range(24):
            disc(pen, x - step * 8, y - step * 4, 13 - step / 2, mixed("#ffffff", "#5f78b8", step / 24))
    elif thing == "Balloon":
        disc(pen, x, y, 48, "#d9573f")
        pen.pieslice((x - 48, y - 48, x + 48, y + 48), 60, 120, fill="#f4d9a8")
        pen.rectangle((x - 13, y + 62, x + 13, y + 82), fill="#6b4a2f")
