"""The two smaller sizes of a cached image, as ImageKit specs.

They are used by calling ``generate()`` on a vetted picture and storing the bytes ourselves (``media.cache``).
ImageKit's cache files are not used: their names do not change with the content, and their state would live in a cache
that processes do not share. So ``imagekit`` is not among INSTALLED_APPS either: as an app it adds template tags and a
command that nothing here needs.
"""

from __future__ import annotations

import io

from imagekit import ImageSpec
from imagekit.processors import ProcessorPipeline
from PIL import Image

PREVIEW = 250
THUMBNAIL = 128
"""Pixels of both sides."""

PIXEL_ART = 128
"""A picture whose longer side has at most so many pixels is taken as drawn by the pixel, whatever its colours."""
FEW_COLOURS = 256
"""A picture with at most so many is a drawing: stored without loss, in which it is smaller too."""


class Fitted:
    """Fits the whole of a picture in RGB, RGBA or RGBa into a square, in the middle of a transparent ground.

    Pixel art is enlarged by repeating pixels, so that no edge is blurred and no colour is new; all else is resampled.
    What is very narrow keeps one pixel.
    """

    def __init__(self, side: int) -> None:
        self.side = side

    def process(self, image: Image.Image) -> Image.Image:
        """Return a picture of exactly ``side`` times ``side`` pixels."""
        fitted = within(image, self.side)
        if fitted.mode == "RGBa":
            fitted = fitted.convert("RGBA")
        if fitted.size == (self.side, self.side):
            return fitted
        ground = Image.new("RGBA", (self.side, self.side), (0, 0, 0, 0))
        ground.paste(fitted, ((self.side - fitted.width) // 2, (self.side - fitted.height) // 2))
        return ground


def within(image: Image.Image, side: int) -> Image.Image:
    """Return a picture whose longer side has ``side`` pixels."""
    longest = max(image.size)
    size = (max(1, round(image.width * side / longest)), max(1, round(image.height * side / longest)))
    by_pixel = longest <= side and _is_pixel_art(image)
    return image.resize(size, Image.Resampling.NEAREST if by_pixel else Image.Resampling.LANCZOS)


def _is_pixel_art(image: Image.Image) -> bool:
    return max(image.size) <= PIXEL_ART or _has_few_colours(image)


def _has_few_colours(image: Image.Image) -> bool:
    return image.getcolors(FEW_COLOURS) is not None


class _Rendition(ImageSpec):  # type: ignore[misc] # imagekit has no types
    """A spec whose source is a picture, decoded once for all sizes, rather than a file."""

    format = "WEBP"  # keeps transparency, and every browser shows it
    # Twice as fast as others, which look no better and save 2 % of bytes.
    options = {"quality": 82, "method": 0}

    def generate(self) -> io.BytesIO:
        """Return the file of this rendition.

        In place of imagekit's own, which decodes the source again for each spec, and opens /dev/null while it saves:
        the process that vets may open nothing.
        """
        image = ProcessorPipeline(self.processors).process(self.source)
        file = io.BytesIO()
        image.save(file, self.format, **({"lossless": True} if _has_few_colours(image) else self.options))
        file.seek(0)
        return file


class Preview(_Rendition):
    """250 x 250."""

    processors = [Fitted(PREVIEW)]


class Thumbnail(_Rendition):
    """128 x 128."""

    processors = [Fitted(THUMBNAIL)]
