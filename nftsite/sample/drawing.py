"""The images of the sample, drawn from each NFT's traits: one style a collection."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

from PIL import Image, ImageDraw

from nftsite.sample.canvas import BIG, colour, disc, glow, mixed, png, sky
from nftsite.sample.cities import signal, voucher
from nftsite.sample.collections import COLLECTIONS, IMAGE_HOST, traits_of

MIDDLE = BIG // 2


def image_of(url: str) -> bytes:
    """Return the image at one of the sample's addresses as a PNG of 320 x 320. Raises ``KeyError`` for another."""
    slug, _, file = url.removeprefix(f"{IMAGE_HOST}/").partition("/")
    number = int(file.removesuffix(".png"))
    random = Random(f"drawing of {slug} {number}")  # noqa: S311 - a sample's data, not a secret
    return png(_STYLES[slug](random, traits_of(slug)[number - 1]))


def image_urls() -> list[str]:
    """Return the addresses of all images."""
    return [
        collection.image_url(number) for collection in COLLECTIONS for number in range(1, collection.size + 1)
    ]


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


def _lantern(random: Random, traits: Any) -> Image.Image:
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


_TIDES = {
    "Shore": ("#f3e3c3", ["#2f6f8f", "#74b3c4", "#e0a458", "#d9cdb0"]),
    "Kelp": ("#e7ecd8", ["#2f4f3a", "#6b8f5a", "#b7c38a", "#1d3326"]),
    "Coral": ("#fff0e6", ["#e8604c", "#f7a278", "#5a8f9c", "#fbd1b7"]),
    "Deep": ("#0a1a2f", ["#14507a", "#2f8fb3", "#7fd1d8", "#0f2f4f"]),
    "Foam": ("#eef6f7", ["#b9dbe0", "#7fb8c4", "#ffffff", "#4d8b99"]),
}


def _tide(random: Random, traits: Any) -> Image.Image:
    ground, inks = _TIDES[traits["Palette"]]
    image, pen = sky(ground, ground)
    x, y = MIDDLE + random.randrange(-60, 60), MIDDLE + random.randrange(-60, 60)
    rings = traits["Rings"]
    for ring in range(rings, 0, -1):
        share = ring / rings
        radius = 290 * (share**1.6 if traits["Rhythm"] == "Ebbing" else share)
        ink = random.choice(inks)
        disc(pen, x, y, radius, ink)
        inner = radius - 290 / rings * random.uniform(0.3, 0.6)
        disc(pen, x, y, max(inner, 4), ground)
        if traits["Rhythm"] == "Broken":
            start = random.randrange(360)
            box = (x - radius - 2, y - radius - 2, x + radius + 2, y + radius + 2)
            pen.pieslice(box, start, start + random.randrange(20, 70), fill=ground)
        x, y = x + random.randrange(-6, 7), y + random.randrange(-6, 7)
    if "Moon" in traits:
        disc(pen, 540, 100, 54, inks[0])
        if traits["Moon"] != "New":
            disc(pen, 540, 100, 46, "#fffbe8")
        if traits["Moon"] == "Half":
            pen.pieslice((492, 52, 588, 148), 90, 270, fill=inks[0])
    if traits["Spring Tide"]:
        pen.rectangle((14, 14, BIG - 14, BIG - 14), outline=inks[0], width=12)
    return image


_SEASONS = {
    "Summer": ["#d9b648", "#8fae4b", "#55803f", "#e4cf7a", "#b78d3c"],
    "Spring": ["#a9cf6b", "#f1c6d4", "#79b37a", "#dcebb0", "#f6e58d"],
    "Autumn": ["#b5522b", "#d98c3a", "#7d4a2a", "#e0b75c", "#5c5a33"],
    "Winter": ["#dfe8ee", "#b7c7d3", "#8fa6b5", "#f5f8fa", "#6e8494"],
}
_THREADS = {"White": "#ffffff", "Navy": "#1d2d50", "Gold": "#f0c93d"}


def _field(random: Random, traits: Any) -> Image.Image:
    tones, thread = _SEASONS[traits["Season"]], _THREADS[traits["Thread"]]
    image, pen = sky(tones[0], tones[0])
    count = traits["Patches"]
    side = BIG / count
    for place in range(count * count):
        x, y = place % count * side, place // count * side
        one, other = random.sample(tones, 2)
        pen.rectangle((x, y, x + side, y + side), fill=one)
        _patch(pen, random, traits["Patch"], (x, y, side), other)
    for line in range(count + 1):
        for dash in range(0, BIG, 24):
            pen.line((line * side, dash, line * side, dash + 13), fill=thread, width=5)
            pen.line((dash, line * side, dash + 13, line * side), fill=thread, width=5)
    if "Pond" in traits:
        x, y = random.randrange(180, BIG - 180), random.randrange(180, BIG - 180)
        size = 120 if traits["Pond"] == "Large" else 65
        pen.ellipse(
            (x - size, y - size * 0.7, x + size, y + size * 0.7), fill="#4f93b8", outline=thread, width=6
        )
    return image


def _patch(
    pen: ImageDraw.ImageDraw, random: Random, kind: str, place: tuple[float, float, float], ink: str
) -> None:
    x, y, side = place
    if kind == "Squares":
        edge = side * 0.25
        pen.rectangle((x + edge, y + edge, x + side - edge, y + side - edge), fill=ink)
    elif kind == "Triangles":
        corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
        corners.pop(random.randrange(4))
        pen.polygon(corners, fill=ink)
    elif kind == "Stripes":
        flat = random.random() < 0.5
        for stripe in range(3):
            start = side * (stripe * 2 + 0.5) / 6
            end = start + side / 6
            box = (x, y + start, x + side, y + end) if flat else (x + start, y, x + end, y + side)
            pen.rectangle(box, fill=ink)
    else:
        pen.pieslice(
            (x + 8, y + 8, x + side - 8, y + side - 8), *random.choice(((0, 180), (90, 270))), fill=ink
        )


_FLOWERS = {
    "Poppy": ("#d93a2b", "#2a1512"),
    "Aster": ("#8c6fd1", "#f2c84b"),
    "Sunflower": ("#f5b921", "#5b3716"),
    "Bluebell": ("#4d74d9", "#dbe6ff"),
    "Night Orchid": ("#2b1b4d", "#e86fb0"),
}
_PACKETS = {"Cream": "#f7efda", "Mint": "#d5eadb", "Sky": "#d6e6f5", "Charcoal": "#3a3d42"}


def _packet(random: Random, traits: Any) -> Image.Image:
    petal, heart = _FLOWERS[traits["Flower"]]
    image, pen = sky("#c7a679", "#a98457")
    pen.rounded_rectangle((90, 36, BIG - 90, BIG - 36), 18, fill=_PACKETS[traits["Paper"]])
    pen.rectangle((90, 96, BIG - 90, 108), fill=petal)
    pen.line((MIDDLE, 330, MIDDLE + random.randrange(-40, 40), BIG - 70), fill="#4c7a3d", width=14)
    for side in (-1, 1):
        y = random.randrange(450, 510)
        box = sorted((MIDDLE, MIDDLE + side * 110))
        pen.ellipse((box[0], y, box[1], y + 44), fill="#5e9149")
    petals, turn = traits["Petals"], random.random() * 6.28
    wide = 300 / petals + 14
    for number in range(petals):
        angle = turn + number * 2 * math.pi / petals
        disc(pen, MIDDLE + 92 * math.cos(angle), 300 + 92 * math.sin(angle), wide, petal)
        tip = mixed(petal, "#ffffff", 0.25)
        disc(pen, MIDDLE + 100 * math.cos(angle), 300 + 100 * math.sin(angle), wide * 0.5, tip)
    disc(pen, MIDDLE, 300, 58, heart)
    for _ in range(14):
        disc(pen, MIDDLE + random.gauss(0, 20), 300 + random.gauss(0, 20), 5, mixed(heart, petal, 0.5))
    if traits["Organic"]:
        disc(pen, 470, 540, 40, colour("#5e9149"))
        pen.line(((452, 540), (466, 556), (492, 524)), fill="#ffffff", width=10)
    return image


_STYLES: dict[str, Callable[[Random, Any], Image.Image]] = {
    "paper-lanterns": _lantern,
    "tide-circles": _tide,
    "quilted-fields": _field,
    "seed-packets": _packet,
    "night-signals": signal,
    "lucky-vouchers": voucher,
}
