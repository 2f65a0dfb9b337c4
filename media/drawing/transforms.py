"""Transforms of CSS (CSS Transforms 1 and 2) as one matrix of SVG's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element

from tinycss2 import ast

from media.decoding import BadImageError
from media.drawing.shapes import Box, box_of
from media.drawing.sheets import Declaration
from media.drawing.tree import local
from media.drawing.values import BadValueError, Frame, angle, length, nodes, number, plain, solid, split

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

PROPERTIES = ("transform", "translate", "rotate", "scale")
"""What moves an element; they apply from the last one to the first."""
_MOVED = {
    "linearGradient": "gradientTransform",
    "radialGradient": "gradientTransform",
    "pattern": "patternTransform",
}
"""Attribute in which some elements have their transform."""
_SIDES = {"left": 0.0, "top": 0.0, "center": 50.0, "right": 100.0, "bottom": 100.0}


def times(one: Matrix, other: Matrix) -> Matrix:
    """Return the matrix that does the other first, then this one."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def written(matrix: Matrix) -> str:
    """Return a matrix as an attribute's value. Raises ``BadValueError`` beyond all sizes."""
    return f"matrix({' '.join(map(plain, matrix))})"


def of_css(
    declared: Mapping[str, str], element: Element, frame: Frame, box: Box | None = None
) -> Matrix | None:
    """Return what CSS does to an element, with its origin; ``None`` for nothing.

    ``declared`` has those of ``PROPERTIES`` and ``transform-origin`` and ``transform-box`` that CSS told, ``box`` the
    box they refer to, if it is not the element's own or the viewport. Raises :class:`BadImageError` for what cannot be
    computed.
    """
    reference = box or _reference(declared.get("transform-box", "view-box"), element, frame)
    matrix = IDENTITY
    for name in ("translate", "rotate", "scale", "transform"):
        value = declared.get(name, "none").strip()
        if value.lower() in ("none", "initial", "unset", ""):
            continue
        try:
            matrix = times(matrix, _ONE[name](nodes(value), frame, reference))
        except BadValueError:
            continue
    if matrix == IDENTITY:
        return None
    default = "50% 50%" if box else "0 0"
    try:
        x, y = origin(declared.get("transform-origin", default), frame, reference)
    except BadValueError:
        x, y = origin(default, frame, reference)
    return times(times((1, 0, 0, 1, x, y), matrix), (1, 0, 0, 1, -x, -y))


def origin(value: str, frame: Frame, box: Box) -> tuple[float, float]:
    """Return the point that a transform leaves where it is, in user units. Raises ``BadValueError``."""
    given = solid(nodes(value))[:3]
    if not given:
        raise BadValueError("no origin")
    if len(given) == 1:
        given = [given[0], nodes("center")[0]]
        if given[0].type == "ident" and given[0].lower_value in ("top", "bottom"):
            given.reverse()
    elif given[0].type == "ident" and given[1].type == "ident":
        if given[0].lower_value in ("top", "bottom") or given[1].lower_value in ("left", "right"):
            given[:2] = [given[1], given[0]]
    elif given[0].type == "ident" and given[0].lower_value in ("top", "bottom"):
        given[:2] = [given[1], given[0]]
    return (box.left + _side(given[0], frame, box.width), box.top + _side(given[1], frame, box.height))


def origin_of(declared: Mapping[str, str], element: Element, frame: Frame) -> tuple[float, float]:
    """Return the point around which an element is transformed, in user units."""
    reference = _reference(declared.get("transform-box", "view-box"), element, frame)
    try:
        return origin(declared.get("transform-origin", "0 0"), frame, reference)
    except BadValueError:
        return 0.0, 0.0


def _side(node: ast.Node, frame: Frame, whole: float) -> float:
    if node.type == "ident":
        if node.lower_value not in _SIDES:
            raise BadValueError("no side")
        return _SIDES[node.lower_value] * whole / 100
    return length(node, frame, whole)


def _reference(name: str, element: Element, frame: Frame) -> Box:
    if name.strip().lower() in ("fill-box", "content-box"):
        return _own_box(element, frame)
    if name.strip().lower() in ("stroke-box", "border-box"):
        raise BadImageError("It is transformed around the box of a stroke.")
    return Box(0, 0, frame.width, frame.height)


def _own_box(element: Element, frame: Frame) -> Box:
    found = box_of(element, frame)
    if found is None:
        raise BadImageError("It is transformed around a box that is not computed here.")
    return found


def _transform(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    matrix = IDENTITY
    for node in solid(given):
        if node.type != "function":
            raise BadValueError("no transform")
        name = node.lower_name
        if name in _IN_SPACE:
            raise BadImageError(f"It is transformed in space, by {name}().")
        if name not in _FUNCTIONS:
            raise BadValueError(name)
        parts = split(node.arguments)
        if any(len(part) != 1 for part in parts) or not parts:
            raise BadValueError(name)
        matrix = times(matrix, _FUNCTIONS[name]([part[0] for part in parts], frame, box))
    return matrix


def _translate(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    x = length(given[0], frame, box.width)
    return (1, 0, 0, 1, x, length(given[1], frame, box.height) if len(given) > 1 else 0.0)


def _scale(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    x = number(given[0])
    return (x, 0, 0, number(given[1]) if len(given) > 1 else x, 0, 0)


def _rotate(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    turned = math.radians(angle(given[0]))
    return (math.cos(turned), math.sin(turned), -math.sin(turned), math.cos(turned), 0, 0)


def _skew(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    down = math.tan(math.radians(angle(given[1]))) if len(given) > 1 else 0.0
    return (1, down, math.tan(math.radians(angle(given[0]))), 1, 0, 0)


def _skew_y(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    return (1, math.tan(math.radians(angle(given[0]))), 0, 1, 0, 0)


def _matrix(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    if len(given) != 6:
        raise BadValueError("matrix")
    a, b, c, d, e, f = map(number, given)
    return (a, b, c, d, e, f)


_IN_SPACE = ("matrix3d", "perspective", "rotate3d", "rotatex", "rotatey")
_FUNCTIONS: dict[str, Callable[[list[ast.Node], Frame, Box], Matrix]] = {
    "translate": _translate,
    "translate3d": _translate,
    "translatex": lambda given, frame, box: _translate(given[:1], frame, box),
    "translatey": lambda given, frame, box: (1, 0, 0, 1, 0, length(given[0], frame, box.height)),
    "translatez": lambda given, frame, box: IDENTITY,
    "scale": _scale,
    "scale3d": _scale,
    "scalex": lambda given, frame, box: (number(given[0]), 0, 0, 1, 0, 0),
    "scaley": lambda given, frame, box: (1, 0, 0, number(given[0]), 0, 0),
    "scalez": lambda given, frame, box: IDENTITY,
    "rotate": _rotate,
    "rotatez": _rotate,
    "skew": _skew,
    "skewx": lambda given, frame, box: _skew(given[:1], frame, box),
    "skewy": _skew_y,
    "matrix": _matrix,
}


def _turned(given: list[ast.Node], frame: Frame, box: Box) -> Matrix:
    parts = solid(given)
    if len(parts) == 2 and parts[0].type == "ident" and parts[0].lower_value == "z":
        parts = parts[1:]
    if len(parts) != 1:
        raise BadImageError("It is rotated in space.")
    return _rotate(parts, frame, box)


_ONE: dict[str, Callable[[list[ast.Node], Frame, Box], Matrix]] = {
    "transform": _transform,
    "translate": lambda given, frame, box: _translate(solid(given), frame, box),
    "rotate": _turned,
    "scale": lambda given, frame, box: _scale(solid(given), frame, box),
}


def write_into(element: Element, winning: Mapping[str, Declaration], frame: Frame) -> None:
    """Have an element say in its attribute what CSS and that attribute together do to it.

    Raises :class:`BadImageError` for what cannot be computed.
    """
    declared = {
        name: winning[name].value
        for name in (*PROPERTIES, "transform-origin", "transform-box")
        if name in winning
    }
    attribute = _MOVED.get(local(element), "transform")
    origin = element.attrib.pop("transform-origin", None)
    own = element.get(attribute, "")
    if not declared or (declared.keys() == {"transform-box"} and not origin):
        return
    if "transform" not in declared and own:
        if "transform-origin" not in declared and not declared.keys() & set(PROPERTIES):
            return
        x, y = origin_of(declared, element, frame)
        before, after = f"translate({plain(x)} {plain(y)})", f"translate({plain(-x)} {plain(-y)})"
        moved = of_css(declared, element, frame)
        own = f"{before} {own} {after}" if x or y else own
        element.set(attribute, own if moved is None else f"{written(moved)} {own}")
        return
    matrix = of_css(declared, element, frame)
    element.attrib.pop(attribute, None)
    if matrix is not None:
        try:
            element.set(attribute, written(matrix))
        except BadValueError:
            raise BadImageError("It is transformed beyond all sizes.") from None
