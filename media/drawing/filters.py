"""Filters that are drawn otherwise here than by browsers, found by comparing both."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from media.decoding import BadImageError
from media.drawing.tree import local

_OTHERWISE = {"feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feSpecularLighting", "feTile"}
_INPUTS = ("BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint")
"""Inputs that no browser has, and each does with them what it will."""


def check(element: Element) -> None:
    """Raise :class:`BadImageError` for a `filter` that is drawn otherwise than by browsers."""
    if element.get("primitiveUnits") == "objectBoundingBox":
        raise BadImageError("It has a filter by the box of what is filtered, which is not drawn.")
    for primitive in element.iter():
        if local(primitive) in _OTHERWISE:
            raise BadImageError(f"It has a filter that is not drawn: {local(primitive)}.")
        if local(primitive) == "feImage" and primitive.get("href", "").startswith("#"):
            raise BadImageError("It has a filter that shows another element, which is not drawn.")
        if primitive.get("in") in _INPUTS or primitive.get("in2") in _INPUTS:
            raise BadImageError("It has a filter of what is behind it, which is not drawn.")
