"""The two smaller sizes of a cached image, as ImageKit specs.

They are used by calling ``generate()`` on a vetted image and storing the bytes ourselves (``media.cache``). ImageKit's
cache files are not used: their names do not change with the content, and their state would live in a cache that
processes do not share. So ``imagekit`` is not among INSTALLED_APPS either: as an app it adds template tags and a
command that nothing here needs.
"""

from __future__ import annotations

from imagekit import ImageSpec, register
from imagekit.processors import ResizeToFit
from PIL import Image, ImageOps

PREVIEW = 250
THUMBNAIL = 128
"""Pixels of the longer side."""


class Upright:
    """Turns an image as its EXIF orientation says, and makes it RGB, or RGBA where it has transparency.

    In place of pilkit's ``Transpose``, which finds no orientation in some of the formats that are taken.
    """

    def process(self, image: Image.Image) -> Image.Image:
        """Return the image as it is meant to be seen."""
        image = ImageOps.exif_transpose(image)
        if image.mode.startswith("I"):  # 16 bits of grey, which convert() would cut instead of scaling
            image = image.point(lambda value: value / 256).convert("L")
        return image.convert("RGBA" if image.has_transparency_data else "RGB")


class _Rendition(ImageSpec):  # type: ignore[misc] # imagekit has no types
    format = "WEBP"  # keeps transparency, and every browser shows it
    options = {"quality": 82, "method": 2}


class Preview(_Rendition):
    """At most 250 x 250."""

    processors = [Upright(), ResizeToFit(PREVIEW, PREVIEW, upscale=False)]


class Thumbnail(_Rendition):
    """At most 128 x 128."""

    processors = [Upright(), ResizeToFit(THUMBNAIL, THUMBNAIL, upscale=False)]


register.generator("media:preview", Preview)
register.generator("media:thumbnail", Thumbnail)
