"""Fonts for the text of SVGs, read into memory once: the process that draws can open no file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont
from PIL import ImageFont
from resvg import usvg

from core.net.http.data_uris import decode_data_uri, is_data_uri
from media.decoding import BadImageError
from media.drawing.sheets import Declaration

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts")
TAKEN = re.compile(
    r"(?:DejaVu|Liberation)(?:Sans|Serif|Mono|SansMono)(?:-\w+)?|Noto(?:Sans|Serif|SansMono|ColorEmoji)(?:-\w+)?"
    r"|(?:Arial|Times New Roman|Courier New)(?: \w+)?"
)
"""File names of the fonts that are taken when they are there: the usual ones, not all that a desktop has."""
MAX_BYTES = 32 * 2**20
"""Of all fonts together; they lie in the memory of each process that draws."""

_STYLE = re.compile(r"Bold|Italic|Oblique|Condensed|Light|Black|Thin|Medium", re.IGNORECASE)
"""Names of fonts that are loaded last: a character that a font lacks is taken from the first one that has it."""

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
    for data in _files():
        loaded.load_font_data(data)
    loaded.font_size = 16.0  # as in browsers
    loaded.font_family = _first("serif", loaded)
    return loaded


def options_with(more: tuple[bytes, ...]) -> usvg.Options:
    """Return the options of drawing with further fonts, which a document brings along."""
    if not more:
        return options()
    loaded = options.__wrapped__()
    for data in more:
        loaded.load_font_data(data)
    return loaded


@cache
def characters() -> frozenset[str]:
    """Return the characters that the fonts here have a shape for."""
    return frozenset(one for data in _files() for one in _characters(TTFont(io.BytesIO(data), lazy=True)))


def embedded(faces: Iterable[Iterable[Declaration]]) -> tuple[list[bytes], set[str]]:
    """Return the fonts in `data:` URIs that a style sheet declares, each named as it says, and their characters.

    Fonts that are elsewhere are left out, as in browsers that show the document as a picture. Raises
    :class:`BadImageError` for one that cannot be read.
    """
    read: list[bytes] = []
    known: set[str] = set()
    for face in faces:
        told = {one.name: one.value for one in face}
        target = _SOURCE.search(told.get("src", ""))
        if target is None or not is_data_uri(uri := next(filter(None, target.groups()), "")):
            continue
        try:
            font = TTFont(io.BytesIO(decode_data_uri(uri).body), recalcBBoxes=False, recalcTimestamp=False)
            _name(font, told)
            known.update(_characters(font))
            file = io.BytesIO()
            font.save(file)
        except Exception as error:  # the library raises whatever it comes across in damaged fonts
            raise BadImageError(f"A font within it cannot be read: {str(error)[:200]}.") from None
        read.append(file.getvalue())
    return read, known


_SOURCE = re.compile(r"""url\(\s*(?:'([^']*)'|"([^"]*)"|([^)'"]*))""")
_WEIGHTS = {"normal": 400, "bold": 700}
_FAMILY_NAMES = (1, 16, 21)
"""Ids of names that are a family's (OpenType, table `name`)."""


def _characters(font: TTFont) -> set[str]:
    return {chr(code) for code in font.getBestCmap() or ()}


def _name(font: TTFont, told: Mapping[str, str]) -> None:
    """Give a font the family, weight and slope that a style sheet says it has."""
    family = told.get("font-family", "").strip("'\" ")
    for one in _FAMILY_NAMES:
        font["name"].removeNames(nameID=one)
    for one in (1, 6):  # without a name for PostScript a font is not loaded
        font["name"].setName(family, one, 3, 1, 0x409)
    weight = told.get("font-weight", "normal").split()[0]
    font["OS/2"].usWeightClass = _WEIGHTS.get(weight) or int(weight)
    is_slanted = told.get("font-style", "normal") != "normal"
    font["OS/2"].fsSelection = font["OS/2"].fsSelection & ~1 | is_slanted
    font.flavor = None


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


@cache
def _files() -> tuple[bytes, ...]:
    """The fonts, read once: a document that brings further ones along is drawn with options of its own."""
    return tuple(_fonts())


def _fonts() -> Iterator[bytes]:
    built_in = ImageFont.load_default(16)
    if isinstance(built_in, ImageFont.FreeTypeFont):
        yield built_in.font_bytes
    left = MAX_BYTES
    paths = [path for folder in FOLDERS for path in Path(folder).rglob("*.[ot]tf")]
    for path in sorted(paths, key=lambda path: (_STYLE.search(path.stem) is not None, path)):
        if TAKEN.fullmatch(path.stem) and (size := path.stat().st_size) <= left:
            left -= size
            yield path.read_bytes()
