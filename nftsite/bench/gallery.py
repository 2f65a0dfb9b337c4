"""Pictures for the measurement of images, no two the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random

from PIL import Image, ImageChops

SIDE = 1024
"""Pixels of both sides: a megapixel."""
DETAILS = (3, 12, 48, 192)
"""Spots along a side, from the coarse shapes to the fine ones: light and shade as in a photograph, without noise."""


def paint(folder: Path, count: int) -> None:
    """Write pictures as PNG, about 2 MB each, named by their numbers from 0 on."""
    folder.mkdir(parents=True)
    _painting()
    with ThreadPoolExecutor() as pool:  # Pillow lets others work while it compresses
        list(pool.map(_paint, [folder] * count, range(count)))


def _paint(folder: Path, number: int) -> None:
    random = Random(number)  # noqa: S311 - a benchmark's data
    moved = ImageChops.offset(_painting(), random.randrange(SIDE), random.randrange(SIDE))
    moved.save(folder / str(number), "PNG", compress_level=1)  # six times as fast as the default, 10 % larger


@cache
def _painting() -> Image.Image:
    random = Random(0)  # noqa: S311 - a benchmark's data
    painting = _spots(random, DETAILS[0])
    for count in DETAILS[1:]:
        painting = Image.blend(painting, _spots(random, count), 0.3)
    return painting


def _spots(random: Random, count: int) -> Image.Image:
    bands = [Image.frombytes("L", (count, count), random.randbytes(count * count)) for _ in range(3)]
    return Image.merge("RGB", bands).resize((SIDE, SIDE), Image.Resampling.BICUBIC)
