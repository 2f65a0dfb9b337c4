"""Texts as both databases can hold them."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """Return a text that both databases can hold: NUL and lone surrogates become U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)
