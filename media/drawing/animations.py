"""What SMIL animations show at their first moment, written into the elements that they animate."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from xml.etree.ElementTree import Element

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

from media.decoding import BadImageError
from media.drawing.tree import descendants, local, removed

ANIMATIONS = ("animate", "set", "animateTransform", "animateMotion", "animateColor")
_CLOCK = re.compile(r"([+-]?)\s*(?:(?:(\d+):)?(\d\d?):)?(\d+(?:\.\d*)?|\.\d+)(h|min|s|ms)?")
_UNITS = {"h": 3600.0, "min": 60.0, "ms": 0.001}
_WITH_UNITS = {"font-size", "letter-spacing", "word-spacing"}
"""Properties whose numbers need a unit in a style sheet."""


def begun(root: Element, properties: frozenset[str]) -> None:
    """Give the elements of a document the values that its animations begin with, and take out the animations.

    ``properties`` are the attributes that style sheets may set too. Raises :class:`BadImageError` for a motion whose
    beginning is not computed here.
    """
    pairs = [(parent, one) for parent, one in descendants(root) if local(one) in ANIMATIONS]
    if not pairs:
        return
    named = {one.get("id", ""): one for one in root.iter()}
    bases: dict[Element, str] = {}
    for parent, animation in pairs:
        href = animation.get("href", "")
        target = named.get(href[1:]) if href.startswith("#") else parent
        if target is not None and _has_begun(animation):
            _apply(animation, target, named, bases, properties)
    for parent, animation in pairs:
        removed(parent, animation)


def _has_begun(animation: Element) -> bool:
    """Tell whether an animation shows at the first moment; one that began earlier is shown as it began."""
    starts = [_seconds(part) for part in animation.get("begin", "0s").split(";") if part.strip()]
    return any(start is not None and start <= 0 for start in starts) and animation.get("dur") != "0s"


def _seconds(text: str) -> float | None:
    """Return a clock value (SMIL 3, section 5.4.3); ``None`` for events and what else is not known before."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    sign, hours, minutes, rest, unit = found.groups()
    seconds = float(rest) * _UNITS.get(unit or "", 1.0) + 60 * float(minutes or 0) + 3600 * float(hours or 0)
    return -seconds if sign == "-" else seconds


def _apply(
    animation: Element,
    target: Element,
    named: dict[str, Element],
    bases: dict[Element, str],
    properties: frozenset[str],
) -> None:
    if local(animation) == "animateMotion":
        target.set("transform", f"{_motion(animation, named)} {target.get('transform', '')}".strip())
        return
    value = _first_value(animation)
    if value is None:
        return
    name = animation.get("attributeName", "").removeprefix("xlink:")
    if local(animation) == "animateTransform":
        name = name or "transform"
        base = bases.setdefault(target, target.get(name, ""))
        before = target.get(name, "") if animation.get("additive") == "sum" else ""
        if not before and base and animation.get("additive") == "sum":
            before = base
        target.set(name, f"{before} {animation.get('type', 'translate')}({value})".strip())
        return
    if animation.get("additive") == "sum":
        value = _added(target.get(name, ""), value)
    if name in properties:
        with suppress(ValueError):
            value = f"{float(value)}px" if name in _WITH_UNITS else value
        target.set("style", f"{target.get('style', '')};{name}:{value}".lstrip(";"))
    elif name and not name.startswith("on") and ":" not in name:
        target.set(name, value)


def _first_value(animation: Element) -> str | None:
    """Return the value at the first moment; ``None`` for one that begins with what the element has itself."""
    if local(animation) == "set":
        return animation.get("to")
    if "values" in animation.attrib:
        return animation.get("values", "").split(";")[0].strip() or None
    return animation.get("from")


_AMOUNT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([a-z%]*)")


def _added(base: str, value: str) -> str:
    """Return what an element has and an animation adds, if both are amounts of one unit."""
    one, other = _AMOUNT.fullmatch(base.strip()), _AMOUNT.fullmatch(value.strip())
    if one is None or other is None:
        return value
    return f"{float(one[1]) + float(other[1]):.6f}{one[2] or other[2]}"


def _motion(animation: Element, named: dict[str, Element]) -> str:
    """Return where a motion begins, as a transform."""
    paths = [named.get(one.get("href", "")[1:]) for one in animation if local(one) == "mpath"]
    path = paths[0].get("d", "") if paths and paths[0] is not None else animation.get("path", "")
    if animation.get("keyPoints", "0").split(";")[0].strip() not in ("0", "0.0"):
        raise BadImageError("It is moved along a path from a place that is not computed here.")
    if not path:
        value = _first_value(animation) or "0,0"
        return f"translate({value})"
    pen = RecordingPen()
    try:
        parse_path(path, pen)
    except (ValueError, IndexError, AssertionError, TypeError):
        return ""
    points = [point for _, given in pen.value for point in given]
    if not points:
        return ""
    start = points[0]
    turned = animation.get("rotate", "0").strip()
    if turned in ("auto", "auto-reverse"):
        ahead = next((point for point in points if point != start), start)
        degrees = math.degrees(math.atan2(ahead[1] - start[1], ahead[0] - start[0]))
        turned = f"{degrees + (180 if turned == 'auto-reverse' else 0):.4f}"
    return f"translate({start[0]:.4f} {start[1]:.4f}) rotate({turned or 0})"
