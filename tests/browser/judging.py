"""Chromium as the judge of drawings: the same document drawn by both, compared as a person would."""

from __future__ import annotations

import base64
import io
import os
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, BrowserType, Page

from media import fonts, svg
from media.decoding import BadImageError
from tests.chromium import CHROMIUM

SIDE = 256
"""Pixels of the longer side at which both are compared; at 1,024 once more where they seem to differ."""
REACH = 5
"""Pixels of the square in which a pixel may have its like: antialiasing and rounding move edges by one or two."""
SHADES = 40
"""Difference of a channel, of 255, from which a pixel counts."""
DIFFERENT = 0.004
"""Part of the pixels that may differ: a square of a sixteenth of the side, what a person would see."""

FONTS = """<?xml version="1.0"?><fontconfig><include>/etc/fonts/fonts.conf</include>{}</fontconfig>"""
_FONT = """<match target="pattern"><test name="family"><string>{}</string></test>
<edit name="family" mode="assign" binding="strong"><string>{}</string></edit></match>"""

_DRAW = """async ([uri, width, height]) => {
  const image = new Image();
  image.src = uri;
  try { await image.decode(); } catch { return null; }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", {willReadFrequently: true});
  context.scale(width / image.naturalWidth, height / image.naturalHeight);
  context.drawImage(image, 0, 0, image.naturalWidth, image.naturalHeight);
  const bytes = context.getImageData(0, 0, width, height).data;
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 32768));
  return btoa(text);
}"""


_FAMILIES = {
    "serif": ("Times New Roman", "Times", "serif"),
    "sans": ("Arial", "Helvetica", "Verdana", "sans-serif"),
    "mono": ("Courier New", "Courier", "monospace"),
}


def fonts_like_ours(path: Path) -> None:
    """Write a configuration of fontconfig that has the browser take the service's fonts for others' names."""
    rules = "".join(
        _FONT.format(name, fonts.fallback(kind)) for kind, names in _FAMILIES.items() for name in names
    )
    path.write_text(FONTS.format(rules))


def judging_browser(kind: BrowserType, folder: Path) -> Browser:
    """Start a browser that draws text as the service does; ``folder`` is for its configuration."""
    configuration = folder / "fonts.conf"
    fonts_like_ours(configuration)
    return kind.launch(
        executable_path=CHROMIUM,
        args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        env={**os.environ, "FONTCONFIG_FILE": str(configuration)},
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """``kind`` is agree, refused, differ or broken (the browser shows nothing); with the reason, or the part of the
    pixels that differ, and both pictures."""

    kind: str
    told: str = ""
    ours: Image.Image | None = None
    theirs: Image.Image | None = None


class Judge:
    """Draws documents by both, one after the other, in one page."""

    def __init__(self, browser: Browser) -> None:
        self._page: Page = browser.new_page()

    def judge(self, document: bytes) -> Judgement:
        """Return how what is kept of an SVG compares with what the browser shows."""
        try:
            ours = Image.open(io.BytesIO(svg.drawn(document))).convert("RGBA")
        except BadImageError as error:
            return Judgement("refused", str(error))
        if ours.getchannel("A").getextrema()[1] == 0:
            return Judgement("refused", "Nothing of it can be seen.")
        small = ours.reduce(4)
        for side in (SIDE, max(ours.size)):
            size = tuple(max(1, round(length * side / max(ours.size))) for length in ours.size)
            theirs = self._drawn(document, (size[0], size[1]))
            if theirs is None:
                return Judgement("broken")
            pair = small, theirs.resize(small.size, Image.Resampling.BOX)
            part = difference(*pair)
            if part <= DIFFERENT:
                return Judgement("agree")
        return Judgement("differ", f"{part:.2%} of the pixels", *pair)

    def _drawn(self, document: bytes, size: tuple[int, int]) -> Image.Image | None:
        uri = "data:image/svg+xml;base64," + base64.b64encode(document).decode()
        found = self._page.evaluate(_DRAW, [uri, *size])
        return None if found is None else Image.frombytes("RGBA", size, base64.b64decode(found))


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the part of the pixels that have nothing like them near their place in the other picture, on white or
    on black, whichever is more."""
    worst = 0.0
    for ground in ("white", "black"):
        pair = [
            Image.alpha_composite(Image.new("RGBA", image.size, ground), image)
            .convert("RGB")
            .filter(ImageFilter.GaussianBlur(1))
            for image in (one, other)
        ]
        if _shares(ImageChops.difference(*pair)) <= DIFFERENT:
            continue
        for seen, near in (pair, pair[::-1]):
            highest = near.filter(ImageFilter.MaxFilter(REACH))
            lowest = near.filter(ImageFilter.MinFilter(REACH))
            off = ImageChops.lighter(ImageChops.subtract(seen, highest), ImageChops.subtract(lowest, seen))
            worst = max(worst, _shares(off))
    return worst


def _shares(off: Image.Image) -> float:
    """Return the part of the pixels in which a channel is off by more than ``SHADES``."""
    red, green, blue = off.split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[SHADES:]) / sum(counts)
