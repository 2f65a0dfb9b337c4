"""Values of CSS as numbers: lengths, angles, calculations, and colours as the drawing library reads them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import tinycss2
from tinycss2 import ast, color5

from media.decoding import BadImageError
from media.svgsize import PIXELS

Nodes = Sequence[ast.Node]


class BadValueError(ValueError):
    """A value that CSS does not know: the declaration counts as not written."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What relative lengths refer to: width and height of the nearest viewport in user units, and the font's size there
    and at the root."""

    width: float
    height: float
    font: float = 16.0
    root_font: float = 16.0

    @property
    def diagonal(self) -> float:
        """What percentages of lengths that are neither wide nor high refer to (SVG 2, section 8.9)."""
        return math.hypot(self.width, self.height) / math.sqrt(2)

    def with_font(self, size: float) -> Frame:
        """Return the same with another size of the font."""
        return replace(self, font=size)


_OF_THE_PAGE = re.compile("[sld]?v(?:w|h|i|b|min|max)")
ANGLES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
"""Degrees of each unit."""
_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "min": min,
    "max": max,
    "clamp": lambda given: max(given[0], min(given[1], given[2])),
    "hypot": lambda given: math.hypot(*given),
    "abs": lambda given: abs(given[0]),
}
_TRIGONOMETRY = {"sin": math.sin, "cos": math.cos, "tan": math.tan}


def nodes(text: str) -> list[ast.Node]:
    """Return a value's parts without comments and the blanks around it."""
    found: list[ast.Node] = tinycss2.parse_component_value_list(text, skip_comments=True)
    while found and found[0].type == "whitespace":
        del found[0]
    while found and found[-1].type == "whitespace":
        del found[-1]
    return found


def solid(given: Nodes) -> list[ast.Node]:
    """Return the parts that are no blanks."""
    return [node for node in given if node.type not in ("whitespace", "comment")]


def split(given: Nodes, mark: str = ",") -> list[list[ast.Node]]:
    """Return the parts between marks, each without blanks; none of nothing."""
    parts: list[list[ast.Node]] = [[]]
    for node in solid(given):
        if node.type == "literal" and node.value == mark:
            parts.append([])
        else:
            parts[-1].append(node)
    return [] if parts == [[]] else parts


def length(node: ast.Node, frame: Frame, whole: float, *, may_be_number: bool = False) -> float:
    """Return a length or percentage (of ``whole``) in user units. Raises :class:`BadValueError`."""
    if node.type == "dimension":
        return float(node.value) * _unit(node.lower_unit, frame)
    if node.type == "percentage":
        return float(node.value) * whole / 100
    if node.type == "number":
        if node.value == 0 or may_be_number:
            return float(node.value)
        raise BadValueError("a length without a unit")
    if node.type == "function":
        return _function(node, lambda one: length(one, frame, whole, may_be_number=True))
    raise BadValueError("no length")


def angle(node: ast.Node) -> float:
    """Return an angle in degrees. Raises :class:`BadValueError`."""
    if node.type == "dimension" and node.lower_unit in ANGLES:
        return float(node.value) * ANGLES[node.lower_unit]
    if node.type == "number" and node.value == 0:
        return 0.0
    if node.type == "function":
        return _function(node, lambda one: float(one.value) if one.type == "number" else angle(one))
    raise BadValueError("no angle")


def number(node: ast.Node) -> float:
    """Return a number, or a percentage as a part of one. Raises :class:`BadValueError`."""
    if node.type == "number":
        return float(node.value)
    if node.type == "percentage":
        return float(node.value) / 100
    if node.type == "function":
        return _function(node, number)
    raise BadValueError("no number")


def _unit(unit: str, frame: Frame) -> float:
    if unit in PIXELS and not unit.endswith("em"):
        return PIXELS[unit]
    if _OF_THE_PAGE.fullmatch(unit):
        raise BadImageError(f"It has lengths in {unit}, which depend on how large it is shown.")
    sizes = {"em": frame.font, "rem": frame.root_font, "ex": frame.font / 2, "ch": frame.font / 2}
    if unit not in sizes:
        raise BadValueError(f"a length in {unit}")
    return sizes[unit]


def _function(node: ast.FunctionBlock, leaf: Callable[[ast.Node], float]) -> float:
    """CSS Values 4, section 10: the calculations that drawings use."""
    name = node.lower_name
    if name in ("calc", "-webkit-calc"):
        return _sum(node.arguments, leaf)
    if name in _FUNCTIONS:
        given = [_sum(part, leaf) for part in split(node.arguments)]
        if not given or (name == "clamp" and len(given) != 3):
            raise BadValueError(name)
        return _FUNCTIONS[name](given)
    if name in _TRIGONOMETRY:
        return _TRIGONOMETRY[name](_sum(node.arguments, _radians))
    raise BadValueError(f"{name}()")


def _radians(node: ast.Node) -> float:
    return float(node.value) if node.type == "number" else math.radians(angle(node))


def _sum(given: Nodes, leaf: Callable[[ast.Node], float]) -> float:
    """Return a sum of products."""
    total, sign, product = 0.0, 1.0, None
    operator = ""
    for node in solid(given):
        if node.type == "literal":
            if node.value in "+-" and product is not None:
                total, sign, product = total + sign * product, 1.0 if node.value == "+" else -1.0, None
            elif node.value in "*/" and product is not None:
                operator = node.value
            else:
                raise BadValueError("a calculation")
            continue
        one = _term(node, leaf)
        if product is None:
            product = one
        elif operator == "*":
            product *= one
        elif operator == "/" and one:
            product /= one
        else:
            raise BadValueError("a calculation")
        operator = ""
    if product is None or operator:
        raise BadValueError("a calculation")
    return total + sign * product


def _term(node: ast.Node, leaf: Callable[[ast.Node], float]) -> float:
    if node.type == "() block":
        return _sum(node.content, leaf)
    if node.type == "ident" and node.lower_value in ("pi", "e"):
        return getattr(math, node.lower_value)  # type: ignore[no-any-return]
    if node.type == "function":
        return _function(node, leaf)
    return leaf(node)


SIMPLE_LENGTH = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:px|em|ex|in|cm|mm|pt|pc|%)?")
"""A length that the drawing library knows."""
_PLAIN_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_OTHER_SPACES = ("color-mix(", "lab(", "lch(", "oklab(", "oklch(", "color(", "device-cmyk(")
_SYSTEM = re.compile(
    r"(?:canvas|link|visited|active|button|field|highlight|selected|mark|gray|accent|window|menu|caption|info)"
    r"(?:text|face|border|item|itemtext|color|colortext|frame)?",
    re.IGNORECASE,
)


def colour(text: str) -> str:
    """Return a colour as the drawing library reads it. Raises :class:`BadValueError` for none, and
    :class:`BadImageError` for one that cannot be computed here."""
    text = text.strip()
    if _PLAIN_COLOUR.fullmatch(text):
        return text
    if text.lower() in ("currentcolor", "inherit"):
        return "currentColor" if text.lower() == "currentcolor" else "inherit"
    try:
        found = color5.parse_color(_of_one_kind(text), ["light"])
        if found is None:
            raise BadValueError("no colour")
        if isinstance(found, str):
            return found
        red, green, blue = (
            min(255, max(0, round((part or 0) * 255))) for part in found.to("srgb").coordinates
        )
    except NotImplementedError:
        raise BadImageError(f"It has a colour that is not computed here: {text[:50]}.") from None
    except BadValueError:
        if text.lower().startswith(_OTHER_SPACES) or " from " in text or _SYSTEM.fullmatch(text):
            raise BadImageError(f"It has a colour that is not computed here: {text[:50]}.") from None
        raise
    alpha = 1.0 if found.alpha is None else found.alpha
    return f"rgb({red},{green},{blue})" if alpha >= 1 else f"rgba({red},{green},{blue},{max(alpha, 0):.4f})"


_CHANNELS = re.compile(r"(?i)(rgba?\()([^,/()]+)(/[^()]*)?\)")


def _of_one_kind(text: str) -> str:
    """Return a colour with its channels as numbers, where it has numbers and percentages (CSS Color 4, section 5.1)."""
    found = _CHANNELS.fullmatch(text)
    if found is None or "%" not in found[2]:
        return text
    numbers = re.sub(r"([\d.]+)%", lambda one: f"{float(one[1]) * 2.55:.4f}", found[2])
    return f"{found[1]}{numbers}{found[3] or ''})"


def plain(value: float) -> str:
    """Return a number as SVG writes it. Raises :class:`BadValueError` for what is none or beyond all sizes."""
    if not math.isfinite(value) or abs(value) > 1e12:
        raise BadValueError("a number beyond all sizes")
    return f"{value:.6f}".rstrip("0").rstrip(".") or "0"
