"""What made-up documents are made of."""

from __future__ import annotations

import base64
import io
from random import Random

from PIL import Image, ImageDraw

NS = 'xmlns="http://www.w3.org/2000/svg"'
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
HTML = 'xmlns="http://www.w3.org/1999/xhtml"'


def hue(random: Random) -> str:
    """A colour in one of the ways to write it."""
    red, green, blue = (random.randrange(256) for _ in range(3))
    angle, full, light = random.randrange(360), random.randrange(40, 101), random.randrange(25, 75)
    return random.choice(
        [
            f"#{red:02x}{green:02x}{blue:02X}",
            f"#{red // 16:x}{green // 16:x}{blue // 16:x}",
            f"rgb({red}, {green}, {blue})",
            f"rgb({red} {green} {blue} / {random.randrange(40, 100)}%)",
            f"rgba({red * 100 // 255}%,{green * 100 // 255}%,{blue * 100 // 255}%,0.8)",
            f"hsl({angle}, {full}%, {light}%)",
            f"hsl({angle}deg {full}% {light}% / .9)",
            f"hsla({angle},{full}%,{light}%,.7)",
            random.choice(["rebeccapurple", "Tomato", "gold", "teal", "MIDNIGHTBLUE", "olive"]),
        ]
    )


def svg(body: str, attributes: str = 'viewBox="0 0 100 100"') -> str:
    """A document."""
    return f"<svg {NS} {XLINK} {attributes}>{body}</svg>"


def uri(media_type: str, data: bytes) -> str:
    """A `data:` URI in base64."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def pixels(random: Random, kind: str, size: tuple[int, int] = (24, 24), **options: object) -> bytes:
    """A picture of some coloured boxes."""
    image = Image.new("RGB", size, random.choice(["navy", "ivory", "pink"]))
    draw = ImageDraw.Draw(image)
    for _ in range(8):
        left, top = random.randrange(size[0] - 6), random.randrange(size[1] - 6)
        draw.rectangle(
            (left, top, left + 5, top + 5), random.choice(["red", "lime", "blue", "black", "orange"])
        )
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()
