"""The images of the sample, drawn from each NFT's traits and written into its metadata, as on-chain art is.

Each collection has a style and a form: small palette PNGs, pixel art, or SVG.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from random import Random

from nftsite.sample.canvas import png
from nftsite.sample.cities import signal
from nftsite.sample.collections import Traits, traits_of
from nftsite.sample.fields import field
from nftsite.sample.lanterns import lantern
from nftsite.sample.vectors import packet, tide, voucher

PNG, SVG = "image/png", "image/svg+xml"


def image_of(slug: str, number: int) -> tuple[str, bytes]:
    """Return the media type and the bytes of an NFT's image; the number counts from 1. The same each time."""
    random = Random(f"drawing of {slug} {number}")  # noqa: S311 - a sample's data, not a secret
    media_type, draw = _STYLES[slug]
    return media_type, draw(random, traits_of(slug)[number - 1])


@cache
def image_url(slug: str, number: int) -> tuple[str, str]:
    """Return the media type of an NFT's image, and the image as a `data:` URI (RFC 2397).

    All together have 4 MB and take 5 seconds to draw: a process that writes the sample twice draws it once.
    """
    media_type, data = image_of(slug, number)
    return media_type, f"data:{media_type};base64,{b64encode(data).decode()}"


_STYLES: dict[str, tuple[str, Callable[[Random, Traits], bytes]]] = {
    "paper-lanterns": (PNG, lambda random, traits: png(lantern(random, traits))),
    "tide-circles": (SVG, tide),
    "quilted-fields": (PNG, field),
    "seed-packets": (SVG, packet),
    "night-signals": (PNG, lambda random, traits: png(signal(random, traits))),
    "lucky-vouchers": (SVG, voucher),
}
