"""What records have in common: read-only serializers that declare them, and values as JSON can hold them.

A record is built by one plain function, since DRF's field machinery costs several times what the database does; the
serializer declares the same fields for OpenAPI and the browsable API. A test holds the two together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from rest_framework import serializers

from core.memo import cached_if_short

Record = dict[str, Any]


class Records(NamedTuple):
    """The records of a page, and when something in them is known to change (Unix seconds; ``None``: it is not)."""

    records: list[Record]
    first_end: int | None = None


MAX_NATIVE_DEPTH = 100
"""Levels of third-party JSON that are passed on; a deeper document is left out, as it could not be written back."""

SMALLEST_PLAIN = 1e-4
"""Below it a float is written with an exponent, by Python and by orjson differently (:mod:`core.rest.rendering`)."""

MAX_INTEGER_DIGITS = 4000
"""Digits of an integer that Python reads; a longer one is passed on as text."""


class RecordSerializer(serializers.Serializer[Any]):
    """Base of the declared records. Optional fields (``required=False``) are absent when unknown, never ``null``.

    It takes records that their function has built, and passes them on as they are.
    """

    def to_representation(self, instance: Record) -> Record:
        return instance


def present(fields: Mapping[str, Any]) -> Record:
    """Return the fields that are known: those that are not ``None``. Empty lists, ``False`` and 0 are known."""
    return {name: value for name, value in fields.items() if value is not None}


def number(value: float | Decimal | None) -> int | float | None:
    """Return a JSON number, an integer where it is whole; ``None`` for what is unknown or no float can hold."""
    if value is None:
        return None
    try:
        result = float(value)
    except OverflowError:
        return None
    if not math.isfinite(result):
        return None
    if result.is_integer() and abs(result) < 2**53:
        return int(result)
    return result if abs(result) >= SMALLEST_PLAIN else ExactFloat(result)


def third_party_json(text: str | None) -> Any:
    """Return stored third-party JSON as a value that can be written as strict JSON again; ``None`` for none.

    Never raises: what does not parse, or nests deeper than :data:`MAX_NATIVE_DEPTH`, is left out; a number that no
    float or integer of Python can hold (``1e400``, ``NaN``) is passed on as its text.
    """
    if not text:
        return None
    if text == "[]":
        return []
    try:
        value = _decoder.decode(text)
    except (ValueError, RecursionError):
        return None
    brackets = text.count("[") + text.count("{")
    return value if brackets <= MAX_NATIVE_DEPTH or _is_shallow(value, MAX_NATIVE_DEPTH) else None


def texts(text: str | None) -> list[str]:
    """Return the strings of a stored JSON list."""
    return [] if not text or text == "[]" else list(_texts(text))


@cached_if_short(maxsize=5_000, longest=200)
def _texts(text: str) -> tuple[str, ...]:
    value = third_party_json(text)
    return tuple(entry for entry in value if isinstance(entry, str)) if isinstance(value, list) else ()


def cut_text(text: str, limit: int) -> str:
    """Return the text cut to ``limit`` bytes of UTF-8, never within a character."""
    if len(text) * 4 <= limit:
        return text
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= limit:
        return text
    end = limit
    while raw[end] & 0xC0 == 0x80:  # a continuation byte: the character it belongs to does not fit
        end -= 1
    return raw[:end].decode("utf-8", "surrogatepass")


class ExactFloat(float):
    """A float that remembers the text it was read from, for whoever compares it exactly; JSON writes it as a float."""

    __slots__ = ("text",)
    text: str

    def __repr__(self) -> str:
        return getattr(self, "text", None) or float.__repr__(self)


def exact_float(text: str) -> float | str:
    """Return the number of a JSON text with a fraction or an exponent; one that no float can hold is its text."""
    value = ExactFloat(text)
    value.text = text
    return value if math.isfinite(value) else text


def exact_integer(text: str) -> int | str:
    """Return the integer of a JSON text; one of more than :data:`MAX_INTEGER_DIGITS` is its text."""
    return int(text) if len(text) <= MAX_INTEGER_DIGITS else text


_decoder = json.JSONDecoder(parse_float=exact_float, parse_int=exact_integer, parse_constant=str)
"""Kept: to make one takes as long as to read a small document."""


def _is_shallow(value: Any, levels: int) -> bool:
    level = [value]
    for _ in range(levels + 1):
        inner = [one for one in level if isinstance(one, list | dict)]
        if not inner:
            return True
        level = [child for one in inner for child in (one.values() if isinstance(one, dict) else one)]
    return not any(isinstance(one, list | dict) for one in level)
