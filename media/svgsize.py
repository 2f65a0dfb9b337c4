"""How large an SVG is drawn: its longer side becomes 1,024 pixels, whatever size it tells."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from media.decoding import BadImageError

LONGER_SIDE = 1024
DEFAULT = (300.0, 150.0)
"""Width and height where a document tells neither: CSS 2.2, section 10.3.2."""

PIXELS = {
    "": 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
    "q": 96 / 101.6,
    "em": 16.0,
    "rem": 16.0,
}
"""CSS pixels of each unit (CSS Values 4, section 6) on an empty page; others depend on how large that is."""
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)\s*+([A-Za-z]*+)\s*+")
_BOX_SEPARATOR = re.compile(r"[\s,]+")


def canvas(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes of the root element that have it drawn at ``LONGER_SIDE``, given those that it has.

    Raises :class:`BadImageError` for a size that is not above nothing.
    """
    seen, box = natural(attributes)
    view = " ".join(f"{number:.6f}" for number in box or (0.0, 0.0, *seen))
    longest = max(seen)
    if not (math.isfinite(longest) and min(seen) > 0):
        raise BadImageError("It tells no size that can be drawn.")
    drawn = [str(max(1, round(side / longest * LONGER_SIDE))) for side in seen]
    return {"width": drawn[0], "height": drawn[1], "viewBox": view}


def natural(
    attributes: Mapping[str, str],
) -> tuple[tuple[float, float], tuple[float, float, float, float] | None]:
    """Return the width and height that a document tells, in CSS pixels, and its `viewBox`, ``None`` for none."""
    width, height = (_length(attributes.get(side)) for side in ("width", "height"))
    box = _box(attributes.get("viewBox"))
    if box is None:
        return (DEFAULT[0] if width is None else width, DEFAULT[1] if height is None else height), None
    return _seen(width, height, box[2], box[3]), box


def tells_size(attributes: Mapping[str, str]) -> bool:
    """Tell whether a document says how wide and how high it is, on its own."""
    return all(_length(attributes.get(side)) is not None for side in ("width", "height"))


def _seen(width: float | None, height: float | None, across: float, down: float) -> tuple[float, float]:
    """Return width and height, one that is not told by the other and the shape of the viewBox."""
    if width is not None and height is not None:
        return width, height
    if width is not None:
        return width, width * down / across
    return (height * across / down, height) if height is not None else (across, down)


def _length(text: str | None) -> float | None:
    """Return a length in pixels; ``None`` for none, and for one that depends on a page, such as ``100%``."""
    found = _LENGTH.fullmatch(text or "")
    if found is None or found[2].lower() not in PIXELS:
        return None
    return float(found[1]) * PIXELS[found[2].lower()]


def _box(text: str | None) -> tuple[float, float, float, float] | None:
    try:
        left, top, width, height = (float(part) for part in _BOX_SEPARATOR.split((text or "").strip()))
    except ValueError:
        return None
    are_sane = all(math.isfinite(number) for number in (left, top, width, height)) and min(width, height) > 0
    return (left, top, width, height) if are_sane else None
