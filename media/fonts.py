"""Fonts for the text of SVGs, read into memory once: the process that draws can open no file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from PIL import ImageFont
from resvg import usvg

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts")
TAKEN = re.compile(
    r"(?:DejaVu|Liberation)(?:Sans|Serif|Mono|SansMono)(?:-\w+)?|Noto(?:Sans|Serif|SansMono|ColorEmoji)(?:-\w+)?"
    r"|(?:Arial|Times New Roman|Courier New)(?: \w+)?"
)
"""File names of the fonts that are taken when they are there: the usual ones, not all that a desktop has."""
MAX_BYTES = 32 * 2**20
"""Of all fonts together; they lie in the memory of each process that draws."""

FALLBACKS = {
    "serif": ("Times New Roman", "Liberation Serif", "DejaVu Serif", "Noto Serif"),
    "sans": ("Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans"),
    "mono": ("Courier New", "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono"),
}
"""Families of each kind, the first one that is there is used."""


@cache
def options() -> usvg.Options:
    """Return the options of drawing, with the fonts loaded. Takes a tenth of a second the first time."""
    loaded = usvg.Options.default()
    for data in _fonts():
        loaded.load_font_data(data)
    loaded.font_family = _first("serif", loaded)
    return loaded


@cache
def fallback(kind: str) -> str:
    """Return the family for text of a kind in ``FALLBACKS`` whose own font is not here.

    A machine without fonts has one all the same, Pillow's own, which knows ASCII.
    """
    return _first(kind, options())


_PILLOWS = "Aileron"


def _first(kind: str, loaded: usvg.Options) -> str:
    families = set(loaded.list_fonts())
    return next((name for name in FALLBACKS[kind] if name in families), _PILLOWS)


def _fonts() -> Iterator[bytes]:
    built_in = ImageFont.load_default(16)
    if isinstance(built_in, ImageFont.FreeTypeFont):
        yield built_in.font_bytes
    left = MAX_BYTES
    for path in sorted(path for folder in FOLDERS for path in Path(folder).rglob("*.[ot]tf")):
        if TAKEN.fullmatch(path.stem) and (size := path.stat().st_size) <= left:
            left -= size
            yield path.read_bytes()
