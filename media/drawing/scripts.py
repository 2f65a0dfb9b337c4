"""Scripts in a document: none runs, here or in a browser's `<img>`; of those that draw the picture it is lacking."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from media.decoding import BadImageError
from media.drawing.tree import local, text_of

_BUILDS = re.compile(
    r"createElement|appendChild|\.append\b|\.prepend\b|innerHTML|outerHTML|insertAdjacent|insertBefore|setAttribute"
    r"|textContent|innerText|replaceChild|replaceWith|cloneNode|document\.write|\.style\b|classList|getContext"
    r"|\.animate\(|\.remove\(|removeChild|removeAttribute|beginElement|transform\.baseVal"
)
"""What scripts change a document with."""


def refuse_builders(root: Element) -> None:
    """Raise :class:`BadImageError` if scripts of a document draw it, or lie elsewhere and may."""
    for element in root.iter():
        if local(element) == "script":
            if element.get("href") or element.get("src"):
                raise BadImageError("Scripts from elsewhere may draw it, and none is run.")
            if _BUILDS.search(text_of(element)):
                raise BadImageError("Scripts draw it, and none is run.")
        if (told := element.get("onload")) and (_BUILDS.search(told) or _calls(told, root)):
            raise BadImageError("Scripts draw it, and none is run.")


def _calls(handler: str, root: Element) -> bool:
    """Tell whether a handler calls what a script of the document defines."""
    names = re.findall(r"([A-Za-z_$][\w$]*)\s*\(", handler)
    defined = "".join(text_of(one) for one in root.iter() if local(one) == "script")
    return any(re.search(rf"\b{re.escape(name)}\b", defined) for name in names)
