"""A line as JSON: the object in it, and the text of its members exactly as it stands there."""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

_SPACE = re.compile(r"[ \t\n\r]*").match


class BadLineError(ValueError):
    """A line that cannot be taken, with the reason as a clear sentence."""


def _refuse(name: str) -> NoReturn:
    raise BadLineError(f"{name} is not JSON.")


# Decimals are read exactly. Of a key that comes twice the last one counts, as everywhere in Python and JavaScript.
_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=_refuse)
_scan = _DECODER.scan_once  # type: ignore[attr-defined]


def read_object(text: str) -> dict[str, Any]:
    """Return the JSON object that a line is. Raises :class:`BadLineError` when it is none."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadLineError(f"Not valid JSON: {error.msg} at character {error.pos + 1}.") from None
    except BadLineError:
        raise
    except (ValueError, InvalidOperation):
        raise BadLineError("Holds a number that is out of range.") from None
    except RecursionError:
        raise BadLineError("Is nested too deeply.") from None
    if not isinstance(value, dict):
        raise BadLineError("Not a JSON object.")
    return value


def members(text: str) -> dict[str, str]:
    """Return the text of each member's value, byte for byte, of an object that :func:`read_object` has read."""
    found: dict[str, str] = {}
    at = _SPACE(text).end() + 1  # type: ignore[union-attr]
    while True:
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        if text[at] == "}":
            return found
        if text[at] == ",":
            at = _SPACE(text, at + 1).end()  # type: ignore[union-attr]
        key, at = scanstring(text, at + 1, True)
        start = _SPACE(text, _SPACE(text, at).end() + 1).end()  # type: ignore[union-attr]
        _, at = _scan(text, start)
        found[key] = text[start:at]
