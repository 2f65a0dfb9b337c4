"""Text as it is drawn: its letters, and the blanks between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from xml.etree.ElementTree import Element

from media import fonts
from media.decoding import BadImageError
from media.drawing.tree import SPACE

_NEVER_DRAWN = re.compile(
    r"[\s\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
"""Characters that have no shape of their own."""


_FROM_THE_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def lettered(text: str | None, cased: str, families: Set[str], *, is_alone: bool) -> str | None:
    """Return text as it is drawn: ``cased`` as ``text-transform`` says, ``is_alone`` where it is all of its line.

    Raises :class:`BadImageError` for characters that neither our fonts have nor those of the document (``families``:
    their characters), and for text in pieces that runs from right to left.
    """
    if not text:
        return text
    if cased == "uppercase":
        text = text.upper()
    elif cased == "lowercase":
        text = text.lower()
    elif cased == "capitalize":
        text = re.sub(r"(?<!\S)\w", lambda found: found[0].upper(), text)
    if not is_alone and _FROM_THE_RIGHT.search(text):
        raise BadImageError("It has text in pieces that runs from right to left, which is not drawn.")
    missing = {one for one in text if not _NEVER_DRAWN.match(one)} - fonts.characters() - families
    if missing:
        one = min(missing)
        raise BadImageError(f"No font here has its character {one!r} (U+{ord(one):04X}).")
    return text


def keeps_blanks(element: Element, values: Mapping[str, str], is_kept_around: bool) -> bool:
    """Tell whether the blanks of an element's text are kept, and have it say so as the drawing library reads it."""
    told = values.get("white-space", values.get("white-space-collapse"))
    if told is None:
        return element.get(SPACE, "preserve" if is_kept_around else "default") == "preserve"
    keeps = told in ("pre", "pre-wrap", "break-spaces", "preserve")
    element.attrib.pop("white-space", None)
    element.set(SPACE, "preserve" if keeps else "default")
    return keeps
