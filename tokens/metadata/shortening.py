"""How much of what strangers write is kept of an NFT, and shown of it, so that no page grows with them. Pure.

A text is cut at a character; bytes are those of UTF-8.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from core.db.texts import storable
from core.net.http.data_uris import is_data_uri
from core.rest.records import cut_text
from tokens.metadata.trait_texts import value_text

MAX_NAME_BYTES = 1_000
MAX_DESCRIPTION_BYTES = 10_000

MAX_TRAITS = 500
"""Traits of an NFT, the first ones."""

MAX_TRAIT_BYTES = 1_000
"""Of a trait's type, and of its value; a number or a nested value of more is left out, as half of it is another."""

MAX_TRAITS_BYTES = 100_000
"""Types and values of an NFT's traits together; those behind are left out."""


MAX_DATA_URI = 8_000
"""Characters of a ``data:`` URI that is kept as an NFT's: a longer one is in no answer, and the document is kept."""


class Short(NamedTuple):
    """A trait as far as it is kept: ``size`` in bytes."""

    kind: str
    value: Any
    size: int


def short_trait(kind: str, value: Any) -> Short | None:
    """Return a trait's type and JSON value, strings cut at :data:`MAX_TRAIT_BYTES`; ``None`` for a larger value."""
    kind = cut_text(kind, MAX_TRAIT_BYTES)
    least = 0
    if isinstance(value, str):
        value = text = cut_text(value, MAX_TRAIT_BYTES)
    else:
        least = _least_bytes(value)
        if least > MAX_TRAIT_BYTES:
            return None
        text = value_text(value)
    size = max(_bytes(text), least)
    return Short(kind, value, _bytes(kind) + size) if size <= MAX_TRAIT_BYTES else None


def kept_uri(uri: str) -> str | None:
    """Return a canonical URI as databases can hold it; ``None`` for a ``data:`` URI that is not kept."""
    return None if is_data_uri(uri) and len(uri) > MAX_DATA_URI else storable(uri)


def _least_bytes(value: Any) -> int:
    """Return how long a JSON value is at least as it is written, counted no further than to what is too much.

    To make its text costs more than all else, and an equal number may be written shorter.
    """
    count, waiting = 0, [value]
    while waiting and count <= MAX_TRAIT_BYTES:
        one = waiting.pop()
        if isinstance(one, dict | list):
            count += 2 * len(one)  # a digit and a comma
            waiting += one.values() if isinstance(one, dict) else one
        elif isinstance(one, float):
            count += len(repr(one))
        elif isinstance(one, int):
            count += one.bit_length() * 3 // 10
    return count


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
