"""Texts of traits: what a stored value reads as, and what an entry ``<type>-<value>`` of a query may mean. Pure.

Both sides of a comparison use this room: loading makes a trait's label with it, a query looks labels up.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

MAX_PLAIN_DIGITS = 100
"""Numbers of more places before or behind the point are written with an exponent, so that ``1e999999`` stays short."""

MAX_DEPTH = 32
"""Levels of a nested value that are read; what lies deeper counts as ``null``."""


def value_text(value: Any) -> str:
    """Return the text of a trait's JSON value, by which traits are found and counted.

    A string is itself; a number its plain decimal without trailing zeros (``5.0`` equals ``5``); then ``true``,
    ``false``, and for a nested value compact JSON with sorted keys. Only stored values are normalised so: the entry of
    a query is taken as written. Numbers may be ``int``, ``float`` or, exactly, ``Decimal``.
    """
    return value if isinstance(value, str) else _json_text(value, MAX_DEPTH)


def label(trait_type: str, value: str) -> str:
    """Return the text that an entry is compared with. An untyped trait has the empty type: ``-Gold``."""
    return f"{trait_type}-{value}"


def readings(entry: str) -> list[tuple[str, str]]:
    """Return each (type, value) that an entry may mean: its splits at each dash, none when it has no dash.

    >>> readings("Hi-Top-Red")
    [('Hi', 'Top-Red'), ('Hi-Top', 'Red')]
    """
    return [(entry[:at], entry[at + 1 :]) for at, character in enumerate(entry) if character == "-"]


def _json_text(value: Any, depth: int) -> str:
    if value is None or depth == 0:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return _number_text(Decimal(repr(value)) if isinstance(value, float) else Decimal(value))
    if isinstance(value, dict):
        members = (
            (json.dumps(key, ensure_ascii=False), _json_text(value[key], depth - 1)) for key in sorted(value)
        )
        return "{" + ",".join(f"{key}:{text}" for key, text in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_json_text(item, depth - 1) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _number_text(number: Decimal) -> str:
    """Return one text for equal numbers, exactly: no rounding, no trailing zeros, no sign of zero."""
    if not number.is_finite():
        return str(number)
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).lstrip("0")
    significant = text.rstrip("0")
    if not significant:
        return "0"
    exponent += len(text) - len(significant)
    minus = "-" if sign else ""
    if exponent > MAX_PLAIN_DIGITS - len(significant) or exponent < -MAX_PLAIN_DIGITS:
        return f"{minus}{significant}e{exponent}" if exponent else f"{minus}{significant}"
    if exponent >= 0:
        return f"{minus}{significant}{'0' * exponent}"
    padded = significant.rjust(1 - exponent, "0")
    return f"{minus}{padded[:exponent]}.{padded[exponent:]}"
