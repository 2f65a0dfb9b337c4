"""The root of a document as browsers paint it: a box with a ground, that effects of style apply to as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from tinycss2 import ast, serialize

from media.decoding import BadImageError
from media.drawing import transforms
from media.drawing.shapes import Box
from media.drawing.tree import SVG
from media.drawing.values import BadValueError, Frame, colour, length, nodes, plain, solid

_EFFECTS = ("opacity", "filter", "clip-path", "mask")
_EDGES = ("border", "outline", "box-shadow", "padding", "background-image", "border-image", "border-top")
_NOTHING = ("none", "0", "0px", "initial", "unset", "0 none", "none 0")
_EDGE = "edge-of-the-picture"
_MOVING = (*transforms.PROPERTIES, "transform-origin")


def arranged(
    root: Element, values: Mapping[str, str], seen: tuple[float, float], frame: Frame, *, is_cut: bool = False
) -> Element:
    """Return the root to draw: the document itself, or one around it that has its ground and its effects.

    ``values`` are those of its style, ``seen`` its width and height in CSS pixels; with ``is_cut`` it is always one
    around it, at whose edges it ends. Raises :class:`BadImageError` for a
    ground or an edge that is not drawn.
    """
    ground = _ground(values)
    rounded = _rounded(values, seen, is_told="width" in root.attrib or "height" in root.attrib)
    moved = {name: values[name] for name in _MOVING if name in values}
    effects = {name: root.attrib.pop(name) for name in (*_EFFECTS, "style") if name in root.attrib}
    own = root.attrib.pop("transform", "")
    for name in _EDGES:
        if values.get(name, "none").strip().lower() not in _NOTHING:
            raise BadImageError(f"It has a {name} around it, which is not drawn.")
    if not (ground or rounded or effects or moved or own or is_cut):
        return root
    if effects.keys() - {"opacity", "style"} and tuple(seen) != (frame.width, frame.height):
        raise BadImageError("It has effects on the whole picture, which are not drawn.")
    width, height = map(plain, seen)
    outer = Element(f"{SVG}svg", {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"})
    if ground:  # which nothing is done to: it is of the canvas (CSS Backgrounds 3, section 2.11)
        SubElement(outer, f"{SVG}rect", {"width": width, "height": height, "fill": ground})
    group = SubElement(outer, f"{SVG}g", effects)
    matrix = transforms.of_css(moved, root, frame, Box(0, 0, *seen)) if moved else None
    if matrix is not None:
        group.set("transform", transforms.written(matrix))
    elif own and "transform" not in moved:
        x, y = plain(seen[0] / 2), plain(seen[1] / 2)
        group.set("transform", f"translate({x} {y}) {own} translate(-{x} -{y})")
    if rounded:
        clip = SubElement(outer, f"{SVG}clipPath", {"id": _EDGE})
        SubElement(clip, f"{SVG}rect", {"width": width, "height": height, "rx": plain(rounded)})
        group = SubElement(group, f"{SVG}g", {"clip-path": f"url(#{_EDGE})"})
    root.attrib.setdefault("viewBox", f"0 0 {width} {height}")
    root.attrib |= {"width": width, "height": height}
    for name in ("x", "y", "overflow"):
        root.attrib.pop(name, None)
    group.append(root)
    return outer


def _ground(values: Mapping[str, str]) -> str:
    """Return the colour of the ground, "" for none."""
    told = ""
    for name in ("background", "background-color"):
        value = values.get(name, "").strip()
        if not value or value.lower() in ("none", "initial", "unset", "transparent"):
            continue
        told = _colour(name, value, values.get("color", "black"))
    return told


def _colour(name: str, value: str, current: str) -> str:
    words = [one for one in solid(nodes(value)) if not _is_about_pictures(one)]
    try:
        if len(words) != 1:
            raise BadValueError("no colour")
        found = colour(serialize(words))
    except BadValueError:
        if any(node.type in ("function", "url") for node in words) and name == "background":
            raise BadImageError(f"It has a ground that is not drawn: {value[:50]}.") from None
        return ""
    return colour(current) if found == "currentColor" else found


def _is_about_pictures(node: ast.Node) -> bool:
    return node.type == "ident" and node.lower_value in (
        "no-repeat",
        "repeat",
        "center",
        "fixed",
        "scroll",
        "none",
    )


def _rounded(values: Mapping[str, str], seen: tuple[float, float], *, is_told: bool) -> float:
    """Return the radius of the corners in CSS pixels."""
    value = values.get("border-radius", "0").strip()
    given = solid(nodes(value))
    if len(given) != 1 or (given[0].type == "percentage" and seen[0] != seen[1] and given[0].value):
        raise BadImageError(f"It has corners that are not drawn: {value[:50]}.")
    if given[0].type == "dimension" and given[0].value and not is_told:
        raise BadImageError("It has corners that depend on how large it is shown.")
    try:
        return min(max(0.0, length(given[0], Frame(*seen), seen[0])), min(seen) / 2)
    except BadValueError:
        return 0.0
