"""Boxes and lengths of shapes, in user units, for what refers to them: `fill-box` and `pathLength`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.perimeterPen import PerimeterPen
from fontTools.svgLib.path import parse_path

from media.decoding import BadImageError
from media.drawing.tree import local
from media.drawing.values import BadValueError, Frame, length, nodes, plain

_NUMBERS = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float


def box_of(element: Element, frame: Frame) -> Box | None:
    """Return the box of an element's fill, as `objectBoundingBox` has it; ``None`` for what is not computed here: text,
    references, and groups in which something is transformed."""
    if local(element) in ("g", "a", "svg"):
        return _around(element, frame)
    pen = _drawn(element, frame, BoundsPen(None))
    if pen is None:
        return None
    if pen.bounds is None:
        return Box(0, 0, 0, 0)
    left, top, right, bottom = pen.bounds
    return Box(left, top, right - left, bottom - top)


def length_of(element: Element, frame: Frame) -> float | None:
    """Return how long the outline of a shape is; ``None`` for what is not computed here."""
    pen = _drawn(element, frame, PerimeterPen(None))
    return None if pen is None else float(pen.value)


def _drawn(element: Element, frame: Frame, pen: Any) -> Any:
    """Return the pen once it has drawn a shape; ``None`` for what is none, or cannot be read."""
    path = path_of(element, frame)
    if path is None:
        return None
    try:
        parse_path(path, pen)
    except (ValueError, IndexError, AssertionError, TypeError):
        return None
    return pen


def path_of(element: Element, frame: Frame) -> str | None:
    """Return a basic shape as the data of a path (SVG 2, section 10); ``None`` for what is no such shape."""
    name = local(element)
    if name == "path":
        return element.get("d", "")
    if name in ("polygon", "polyline"):
        points = _NUMBERS.findall(element.get("points", ""))
        ends = " Z" if name == "polygon" else ""
        return f"M {' '.join(points[: len(points) // 2 * 2])}{ends}" if len(points) > 1 else ""
    try:
        given = {key: _side(element, key, frame) for key in _SIDES.get(name, ())}
        drawn = _DRAWN.get(name)
        return None if drawn is None else drawn(given)
    except BadValueError:
        return None


def _around(element: Element, frame: Frame) -> Box | None:
    boxes = []
    for child in element:
        if not local(child) or local(child) in ("title", "desc", "metadata", "defs"):
            continue
        if child.get("transform") or local(child) == "svg" or (found := box_of(child, frame)) is None:
            return None
        boxes.append(found)
    if not boxes:
        return None
    left, top = min(one.left for one in boxes), min(one.top for one in boxes)
    right, bottom = max(one.left + one.width for one in boxes), max(one.top + one.height for one in boxes)
    return Box(left, top, right - left, bottom - top)


_SIDES = {
    "rect": ("x", "y", "width", "height"),
    "image": ("x", "y", "width", "height"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
}
_DRAWN = {
    "rect": lambda at: _rectangle(at["x"], at["y"], at["width"], at["height"]),
    "image": lambda at: _rectangle(at["x"], at["y"], at["width"], at["height"]),
    "circle": lambda at: _ellipse(at["cx"], at["cy"], at["r"], at["r"]),
    "ellipse": lambda at: _ellipse(at["cx"], at["cy"], at["rx"], at["ry"]),
    "line": lambda at: f"M {plain(at['x1'])} {plain(at['y1'])} L {plain(at['x2'])} {plain(at['y2'])}",
}


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M {plain(x)} {plain(y)} h {plain(width)} v {plain(height)} h {plain(-width)} Z"


def _ellipse(x: float, y: float, across: float, down: float) -> str:
    half = f"a {plain(across)} {plain(down)} 0 0 1"
    start = f"M {plain(x + across)} {plain(y)}"
    return f"{start} {half} {plain(-2 * across)} 0 {half} {plain(2 * across)} 0 Z"


def _side(element: Element, key: str, frame: Frame) -> float:
    if not (text := element.get(key, "").strip()):
        return 0.0
    whole = frame.diagonal if key == "r" else frame.width if "x" in key or key == "width" else frame.height
    given = nodes(text)
    if len(given) != 1:
        raise BadValueError("no length")
    return length(given[0], frame, whole, may_be_number=True)


def even(element: Element, frame: Frame) -> None:
    """Write lengths along a shape that has a `pathLength` in true ones.

    Raises :class:`BadImageError` where its length is not computed here.
    """
    told = element.attrib.pop("pathLength")
    dashes = element.get("stroke-dasharray", "none")
    if dashes == "none":
        return
    true = length_of(element, frame)
    try:
        factor = (true or 0) / float(told)
        parts = [plain(float(part.removesuffix("px")) * factor) for part in re.split(r"[\s,]+", dashes)]
        offset = plain(float(element.get("stroke-dashoffset", "0").removesuffix("px")) * factor)
    except (ValueError, ZeroDivisionError):
        raise BadImageError("It has dashes whose length is not computed here.") from None
    if not true:
        raise BadImageError("It has dashes whose length is not computed here.")
    element.set("stroke-dasharray", " ".join(parts))
    element.set("stroke-dashoffset", offset)
