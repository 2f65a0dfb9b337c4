"""Properties as the drawing library reads them: values brought into its grammar, and those told that it ignores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from core.memo import cached_if_short
from media.decoding import BadImageError
from media.drawing.sheets import Declaration
from media.drawing.shorthands import SHORTHANDS, UNITLESS, URL, listed
from media.drawing.values import SIMPLE_LENGTH, BadValueError, Frame, colour, length, nodes, number, plain

_COLOURS = {"color", "stop-color", "flood-color", "lighting-color"}
_PAINTS = {"fill", "stroke"}
_NUMBERS = {"opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity"}
_REFERENCES = {"clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end"}
_LENGTHS = {"letter-spacing", "word-spacing", "stroke-width", "stroke-dashoffset"}
GEOMETRY = {
    "x": ("svg", "rect", "image", "use", "foreignObject", "symbol"),
    "y": ("svg", "rect", "image", "use", "foreignObject", "symbol"),
    "width": ("svg", "rect", "image", "use", "foreignObject", "symbol"),
    "height": ("svg", "rect", "image", "use", "foreignObject", "symbol"),
    "cx": ("circle", "ellipse"),
    "cy": ("circle", "ellipse"),
    "r": ("circle",),
    "rx": ("rect", "ellipse"),
    "ry": ("rect", "ellipse"),
}
"""Attributes that are properties too, with the elements on which they are (SVG 2, section 8)."""
DRAWN = frozenset(
    {
        *_COLOURS,
        *_PAINTS,
        *_NUMBERS,
        *_REFERENCES,
        *_LENGTHS,
        *("alignment-baseline", "baseline-shift", "clip-rule", "color-interpolation"),
        *("color-interpolation-filters", "direction", "display", "dominant-baseline", "fill-rule"),
        *("font-family", "font-kerning", "font-size", "font-size-adjust", "font-stretch", "font-style"),
        *("font-variant", "font-weight", "glyph-orientation-horizontal", "glyph-orientation-vertical"),
        *("overflow", "paint-order", "shape-rendering", "stroke-dasharray"),
        *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "text-anchor", "text-decoration"),
        *("text-rendering", "unicode-bidi", "visibility", "white-space", "writing-mode"),
    }
)
"""Properties that are written as attributes."""
STYLED = ("mix-blend-mode", "isolation", "mask-type", "image-rendering")
"""Properties that the drawing library reads in style alone."""
ATTRIBUTES = DRAWN | {*GEOMETRY, *STYLED, "transform-origin", "vector-effect"}
"""Attributes that style overrides. `transform` is apart, since its grammar differs."""

_BLENDS = (
    *(
        "plus-lighter",
        "normal",
        "multiply",
        "screen",
        "overlay",
        "darken",
        "lighten",
        "color-dodge",
        "color-burn",
    ),
    *("hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"),
)
"""Modes that browsers know (Compositing 1 and 2); the first one the drawing library does not."""
_REFUSED: dict[str, tuple[str, ...]] = {
    "mask-image": ("none",),
    "-webkit-mask-image": ("none",),
    "-webkit-mask": ("none",),
    "-webkit-clip-path": ("none",),
    "-webkit-filter": ("none",),
    "offset-path": ("none",),
    "offset": ("none",),
    "vector-effect": ("none",),
    "zoom": ("1", "normal", "100%"),
    "content-visibility": ("visible", "auto"),
    "text-shadow": ("none",),
    "text-emphasis": ("none",),
    "-webkit-text-stroke": ("0",),
    "transform-style": ("flat", "preserve-3d"),
    "clip": ("auto",),
    "text-orientation": ("mixed",),
    "direction": ("ltr",),
    "font-variant": ("normal", "none"),
    "font-variant-caps": ("normal",),
    "mix-blend-mode": _BLENDS[1:],
}
"""Properties that browsers heed and the drawing library does not, with the values that change nothing."""

_EVERYWHERE = ("inherit", "initial", "unset", "revert", "revert-layer")
_INITIAL = {
    "fill": "black",
    "stroke": "none",
    "color": "black",
    "opacity": "1",
    "fill-opacity": "1",
    "stroke-opacity": "1",
    "stroke-width": "1",
    "visibility": "visible",
    "font-size": "16",
    "font-weight": "normal",
    "font-style": "normal",
    "text-anchor": "start",
    "stroke-dasharray": "none",
}
_INHERITED = DRAWN - {
    *("opacity", "stop-color", "flood-color", "lighting-color", "stop-opacity", "flood-opacity", "display"),
    *("clip-path", "mask", "filter", "overflow", "text-decoration", "baseline-shift", "alignment-baseline"),
    *("dominant-baseline", "unicode-bidi"),
}
_SHORT = 200
"""Characters of a property with its value up to which what follows from it is kept."""
_IN_FUNCTION = re.compile(r"\b(?:rem|vw|vh|vmin|vmax|calc)\b", re.IGNORECASE)


def expanded(declaration: Declaration) -> tuple[Declaration, ...]:
    """Return what a declaration stands for, in the drawing library's grammar as far as that needs no context.

    Raises ``BadValueError`` for what is no value of its property.
    """
    is_short = len(declaration.name) + len(declaration.value) <= _SHORT
    return _short_expanded(declaration) if is_short else tuple(_expanded(declaration))


@lru_cache(10_000)
def _short_expanded(declaration: Declaration) -> tuple[Declaration, ...]:
    return tuple(_expanded(declaration))


def _expanded(declaration: Declaration) -> Iterator[Declaration]:
    name, value = declaration.name, declaration.value.strip()
    if name in SHORTHANDS and value.lower() not in _EVERYWHERE:
        yield from SHORTHANDS[name](declaration)
        return
    name = _RENAMED.get(name, name)
    if value.lower() in _EVERYWHERE:
        value = value.lower()
    elif name in _COLOURS:
        value = colour(value)
    elif name in _PAINTS:
        value = _paint(value)
    elif name in _NUMBERS:
        value = _number(value)
    elif name == "mix-blend-mode" and value.lower() not in _BLENDS:
        raise BadValueError("no mode of blending")
    elif declaration.needs_units and (name in GEOMETRY or name in _LENGTHS or name == "font-size"):
        _check_length(name, value)
    yield replace(declaration, name=name, value=value)


@cached_if_short(maxsize=10_000, longest=_SHORT)
def check(name: str, value: str) -> None:
    """Raise :class:`BadImageError` for what browsers show and the drawing library would leave out."""
    low = value.lower()
    if low in _EVERYWHERE:
        return
    if name in _REFUSED and low not in _REFUSED[name] and "".join(low.split()) not in ("0", "0px"):
        raise BadImageError(f"It is styled by {name}, which is not drawn: {value[:50]}.")
    if "url(" in low:
        for one in URL.finditer(value):
            target = (one[1] or one[2] or one[3] or "").strip()
            if name in DRAWN and target and not target.startswith("#"):
                raise BadImageError(f"Its {name} refers to the outside: {target[:100]}.")
    if name.startswith("animation") and ("scroll(" in low or "view(" in low):
        raise BadImageError("Its animation depends on how it is scrolled.")
    if name in ("clip-path", "mask") and low != "none" and not URL.match(value):
        raise BadImageError(f"Its {name} is not drawn: {value[:50]}.")
    if name == "filter" and _IN_FUNCTION.search(value):
        raise BadImageError(f"Its {name} is not drawn: {value[:50]}.")


def references(value: str) -> list[str]:
    """Return the ids that a value refers to."""
    targets = [(one[1] or one[2] or one[3] or "").strip() for one in URL.finditer(value)]
    return [target[1:] for target in targets if target.startswith("#")]


def drawn(name: str, value: str, frame: Frame) -> str | None:
    """Return a value as an attribute's; ``None`` for none, which is then that of the parent, or the initial one."""
    if value in ("unset", "revert", "revert-layer", "initial"):
        if value == "initial" or name not in _INHERITED:
            return _INITIAL.get(name)
        return None
    if name in _LENGTHS and not SIMPLE_LENGTH.fullmatch(value):
        return _computed(value, frame, frame.diagonal)
    if name == "stroke-dasharray":
        return " ".join(_computed(part, frame, frame.diagonal) or "0" for part in listed(value))
    return value


def weight(value: str, above: int) -> int | None:
    """Return a weight of a font as a number (CSS Fonts 4, section 2.2.1), given that of the parent."""
    if value == "bolder":
        return 400 if above < 350 else 700 if above < 550 else 900
    if value == "lighter":
        return 100 if above < 550 else 400 if above < 750 else 700
    named = {"normal": 400, "bold": 700, "initial": 400}
    return named.get(value) or (int(value) if value.isdigit() and 0 < int(value) <= 1000 else None)


def geometry(name: str, value: str, frame: Frame) -> str | None:
    """Return a place or size as an attribute's; ``None`` for one that is not told, such as `auto`."""
    if value.lower() in ("auto", *_EVERYWHERE):
        return None
    if SIMPLE_LENGTH.fullmatch(value):
        return value
    whole = frame.width if name in ("x", "width", "cx", "rx") else frame.height
    return _computed(value, frame, frame.diagonal if name == "r" else whole)


_LENGTH_ATTRIBUTES = re.compile(
    "d?[xy]|[cfr][xy]|[xy][12]|f?r|width|height|startOffset|textLength|marker(?:Width|Height)|ref[XY]"
)
_NEEDS_COMPUTING = re.compile(r"[\d.](?:rem|ch|q|[sld]?v(?:w|h|i|b|min|max))\b|\(", re.IGNORECASE)


def is_computed(name: str, value: str) -> bool:
    """Tell whether an attribute has lengths that the drawing library does not know."""
    return _LENGTH_ATTRIBUTES.fullmatch(name) is not None and _NEEDS_COMPUTING.search(value) is not None


def lengths(name: str, value: str, frame: Frame) -> str:
    """Return an attribute's lengths in user units."""
    is_down = name.endswith(("y", "y1", "y2", "Y")) or "eight" in name
    whole = frame.diagonal if name in ("r", "fr") else frame.height if is_down else frame.width
    return " ".join(_computed(part, frame, whole) or "0" for part in listed(value))


def font_size(value: str, frame: Frame) -> float | None:
    """Return a size of the font in user units, given the frame of the parent."""
    low = value.strip().lower()
    if low in _SIZES:
        return _SIZES[low]
    if low in ("smaller", "larger"):
        return frame.font / 1.2 if low == "smaller" else frame.font * 1.2
    given = nodes(value)
    try:
        found = length(given[0], frame, frame.font, may_be_number=True) if len(given) == 1 else None
    except BadValueError:
        return None
    return found if found is not None and found >= 0 else None


_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
    "initial": 16.0,
}


def _computed(value: str, frame: Frame, whole: float) -> str | None:
    if SIMPLE_LENGTH.fullmatch(value) or value in ("none", "normal", "inherit"):
        return value
    given = nodes(value)
    try:
        return plain(length(given[0], frame, whole, may_be_number=True)) if len(given) == 1 else None
    except BadValueError:
        return None


def _paint(value: str) -> str:
    if value.lower() in ("none", "context-fill", "context-stroke"):
        return value.lower()
    found = URL.match(value)
    if found is None:
        return colour(value)
    rest = value[found.end() :].strip()
    return f"{found[0]} {'none' if rest.lower() == 'none' else colour(rest)}" if rest else found[0]


def _number(value: str) -> str:
    given = nodes(value)
    if len(given) != 1:
        raise BadValueError("no number")
    return plain(min(1.0, max(0.0, number(given[0]))))


def _check_length(name: str, value: str) -> None:
    """Of style sheets' lengths all but those of strokes need a unit."""
    if not name.startswith("stroke") and UNITLESS.fullmatch(value) and float(value) != 0:
        raise BadValueError("a length without a unit")


_RENAMED = {
    "text-decoration-line": "text-decoration",
    "word-wrap": "overflow-wrap",
    "-webkit-transform": "transform",
    "-webkit-transform-origin": "transform-origin",
    "-webkit-opacity": "opacity",
}
