"""HTML within a document: a picture alone is drawn in its place, all else that shows something is refused."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from media.decoding import BadImageError
from media.drawing import pictures
from media.drawing.cascade import Cascade
from media.drawing.sheets import Declaration
from media.drawing.tree import SVG, XHTML, text_of
from media.drawing.values import BadValueError, Frame, length, nodes, plain

_WRAPPERS = {f"{XHTML}{name}" for name in ("div", "span", "center", "a", "picture", "html", "head", "figure")}
_MUTE = {f"{XHTML}{name}" for name in ("head", "title", "meta", "style", "script", "template", "br")}
_HARMLESS = {
    "width",
    "height",
    "display",
    "image-rendering",
    "object-fit",
    "object-position",
    "overflow",
    "cursor",
} | {
    *("user-select", "pointer-events", "position", "font-size", "line-height", "margin", "padding", "border"),
    *("max-width", "max-height", "vertical-align", "text-align", "font-family", "color"),
}
"""Properties that leave a picture in its place, some with these values alone."""
_VALUES = {
    "display": ("block", "inline", "inline-block"),
    "position": ("static", "relative"),
    "margin": ("0", "0px", "0 auto"),
    "padding": ("0", "0px"),
    "border": ("0", "none", "0px"),
    "object-position": ("center", "center center", "50% 50%"),
}
_FITTED = {
    "fill": "none",
    "contain": "xMidYMid meet",
    "cover": "xMidYMid slice",
    "scale-down": "",
    "none": "",
}
"""`preserveAspectRatio` by `object-fit`."""
_KEPT = ("transform", "opacity", "clip-path", "mask", "filter", "style", "class", "display", "visibility")
"""What the image has of the `foreignObject`, as it stands there."""
_NOT_DRAWN = "It has HTML in it (foreignObject), which is not drawn."


def as_image(
    element: Element,
    winning: Mapping[str, Declaration],
    cascade: Cascade,
    custom: Mapping[str, str],
    frame: Frame,
) -> Element | None:
    """Return the picture that a `foreignObject` shows, as an `image`; ``None`` if it shows nothing.

    Raises :class:`BadImageError` if it shows anything else than one picture in its upper left corner.
    """
    if element.get("requiredExtensions", "").strip():
        return None  # browsers know none: it stands for what else is in the `switch`
    sides = {
        name: _side(winning[name].value if name in winning else element.get(name), frame, name)
        for name in ("x", "y", "width", "height")
    }
    if not shows(element) or not (sides["width"] and sides["height"]):
        return None
    found = _picture(element, cascade, custom)
    styled = {name: one.value for name, one in cascade.of(found, custom)[0].items()}
    inner = Frame(sides["width"], sides["height"], frame.font, frame.root_font)
    image = Element(f"{SVG}image", {"href": found.get("src", "")})
    told = {name: styled.get(name, found.get(name)) for name in ("width", "height")}
    if (told["height"] or "").strip().endswith("%") and not _are_high(element, cascade, custom):
        told["height"] = None  # of a height that is not told itself: CSS 2.2, section 10.5
    width, height = (_side(value, inner, name) for name, value in told.items())
    width, height = _whole(found, width, height)
    fitted = _FITTED.get(styled.get("object-fit", "fill"), "")
    if not fitted:
        raise BadImageError(_NOT_DRAWN)
    image.set("preserveAspectRatio", fitted)
    if width > sides["width"] + 1 or height > sides["height"] + 1:
        raise BadImageError(_NOT_DRAWN)  # it would be cut
    for name, value in {"x": sides["x"], "y": sides["y"], "width": width, "height": height}.items():
        image.set(name, plain(value))
    if rendering := styled.get("image-rendering"):
        image.set("image-rendering", rendering)
    for name in _KEPT:
        if name in element.attrib:
            image.set(name, element.attrib[name])
    return image


def shows(element: Element) -> bool:
    """Tell whether there is anything in an element that a browser might show."""
    if element.tag in _MUTE:
        return False
    if element.tag not in _WRAPPERS and not element.tag.endswith("}foreignObject"):
        return True
    if (element.text or "").strip() or element.get("style") or element.get("class"):
        return True
    return any(shows(child) or (child.tail or "").strip() for child in element)


def _picture(element: Element, cascade: Cascade, custom: Mapping[str, str]) -> Element:
    """Return the one picture in an element. Raises :class:`BadImageError` if there is anything besides."""
    found = [one for one in element.iter() if one.tag == f"{XHTML}img"]
    others = [
        one for one in element.iter() if one is not element and one not in found and one.tag not in _MUTE
    ]
    if len(found) != 1 or text_of(element).strip() or any(one.tag not in _WRAPPERS for one in others):
        raise BadImageError(_NOT_DRAWN)
    for one in (*others, *found):
        for name, declaration in cascade.of(one, custom)[0].items():
            value = " ".join(declaration.value.lower().split())
            if name not in _HARMLESS or (name in _VALUES and value not in _VALUES[name]):
                raise BadImageError(_NOT_DRAWN)
            if one not in found and name in ("width", "height") and value != "100%":
                raise BadImageError(_NOT_DRAWN)
    return found[0]


def _side(value: str | None, frame: Frame, name: str) -> float:
    given = nodes(value or "")
    try:
        whole = frame.width if name in ("x", "width") else frame.height
        return length(given[0], frame, whole, may_be_number=True) if len(given) == 1 else 0.0
    except BadValueError:
        return 0.0


def _are_high(element: Element, cascade: Cascade, custom: Mapping[str, str]) -> bool:
    """Tell whether all that is around a picture has the height of the `foreignObject`."""
    around = [one for one in element.iter() if one.tag in _WRAPPERS]
    return all("height" in cascade.of(one, custom)[0] for one in around)


def _whole(found: Element, width: float, height: float) -> tuple[float, float]:
    """Return both sides of a picture, those that it does not tell by those that its file has."""
    if width and height:
        return width, height
    try:
        own = pictures.size_of(pictures.drawable(found.get("src", ""), _no_document))
    except (OSError, ValueError) as error:
        raise error if isinstance(error, BadImageError) else BadImageError(_NOT_DRAWN) from None
    if width or height:
        return (width or height * own[0] / own[1]), (height or width * own[1] / own[0])
    return float(own[0]), float(own[1])


def _no_document(_: bytes) -> bytes:
    raise BadImageError(_NOT_DRAWN)
