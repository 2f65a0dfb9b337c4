"""Shorthand properties of CSS as the properties that they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from media.decoding import BadImageError
from media.drawing.sheets import Declaration
from media.drawing.values import BadValueError

URL = re.compile(r"url\(\s*(?:'([^']*)'|\"([^\"]*)\"|([^)'\"]*))\s*\)", re.IGNORECASE)
UNITLESS = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def listed(value: str) -> list[str]:
    """Return the words of a value; what stands in brackets is one."""
    return [part for part in re.split(r"[\s,]+(?![^(]*\))", value.strip()) if part]


def _marker(declaration: Declaration) -> Iterator[Declaration]:
    for place in ("start", "mid", "end"):
        yield replace(declaration, name=f"marker-{place}")


_STYLES = ("italic", "oblique")
_WEIGHTS = ("bold", "bolder", "lighter")
_STRETCHES = ("condensed", "expanded")


def _font(declaration: Declaration) -> Iterator[Declaration]:
    """CSS Fonts 4, section 2.7: style, weight and width in any order, then size, height of line and families."""
    words = listed(declaration.value.replace(",", " , ").replace("/", " / "))
    raw = declaration.value.strip()
    told = {
        "font-style": "normal",
        "font-weight": "normal",
        "font-stretch": "normal",
        "font-variant": "normal",
    }
    for word in words:
        low = word.lower()
        if low in _STYLES:
            told["font-style"] = low
        elif low in _WEIGHTS or re.fullmatch(r"[1-9]\d\d", low):
            told["font-weight"] = low
        elif low.endswith(_STRETCHES):
            told["font-stretch"] = low
        elif low == "small-caps":
            told["font-variant"] = low
        elif low != "normal":
            break
        raw = raw[len(word) :].lstrip()
    found = re.match(r"([^\s/]+(?:\([^)]*\))?)\s*(?:/\s*\S+)?\s+(.+)", raw, re.DOTALL)
    if found is None:
        raise BadValueError("no font")
    if UNITLESS.fullmatch(found[1]) and float(found[1]) != 0:
        raise BadValueError("a size without a unit")
    for name, value in {**told, "font-size": found[1], "font-family": found[2]}.items():
        yield replace(declaration, name=name, value=value)


_LINES = ("underline", "overline", "line-through", "none")


def _decoration(declaration: Declaration) -> Iterator[Declaration]:
    words = declaration.value.lower().split()
    others = [word for word in words if word not in (*_LINES, "solid", "auto", "currentcolor")]
    if others and "none" not in words:
        raise BadImageError(f"It has text decorated in a way that is not drawn: {declaration.value[:50]}.")
    yield replace(declaration, value=" ".join(word for word in words if word in _LINES) or "none")


def _mask(declaration: Declaration) -> Iterator[Declaration]:
    found = URL.match(declaration.value)
    rest = declaration.value[found.end() :].split() if found else []
    is_plain = all(
        word.lower() in ("no-repeat", "center", "/", "contain", "cover", "0", "luminance") for word in rest
    )
    yield replace(declaration, value=found[0] if found and is_plain else declaration.value)


SHORTHANDS: dict[str, Callable[[Declaration], Iterator[Declaration]]] = {
    "font": _font,
    "marker": _marker,
    "mask": _mask,
    "text-decoration": _decoration,
}
