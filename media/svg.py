"""SVG as a picture: cleaned of all that points out of the document, and drawn as PNG.

Documents come from strangers, so :func:`drawn` belongs into a process that may crash (see ``media.vetting``): resvg
ends its process where it runs out of stack or memory.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import resvg
from resvg import usvg

from core.net.http.data_uris import decode_data_uri, is_data_uri
from core.net.http.uri_errors import BadUriError
from media import fonts
from media.decoding import BadImageError
from media.drawing.document import written_out
from media.drawing.tree import MAX_DEPTH, MAX_TEXT, TOO_LONG, guarded_parser, unpacked
from media.sniff import SVG, media_type_of
from media.svgsize import canvas

_LEFT_OUT = {
    *(
        "script",
        "handler",
        "foreignobject",
        "iframe",
        "embed",
        "object",
        "audio",
        "video",
        "img",
        "link",
        "meta",
    ),
    *("set", "animate", "animatemotion", "animatetransform", "discard"),
}
"""Elements, in lower case, that run, show something else, or set attributes later on: none of them is drawn."""
_POINTING = {
    "base",
    "src",
    "srcset",
    "srcdoc",
    "poster",
    "data",
    "action",
    "formaction",
    "background",
    "ping",
}
"""Attributes, in lower case, whose value is an address in some vocabulary; no drawing needs them."""
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What resvg draws within a document, besides another one."""
_OUTER = re.compile(
    r"(?<![\w-])(?:url|src|image|(?:-webkit-)?image-set|cross-fade)\(\s*+(?!['\"]?\s*#)[^;{}]*+",
    re.IGNORECASE,
)
_IMPORT = re.compile(r"@import[^;{}]*+;?", re.IGNORECASE)
_FONT = re.compile(r"(\bfont(?:-family)?\s*:\s*)([^;{}!]+)", re.IGNORECASE)


def drawn(data: bytes) -> bytes:
    """Return an SVG, compressed or not, as a PNG of 1,024 pixels on the longer side.

    Raises :class:`BadImageError` for what is not well-formed, refers to the outside by an entity, nests too deeply,
    tells no size that can be drawn, or has something to be seen in a browser that is not drawn here.
    """
    found = written_out(unpacked(data))
    text = cleaned(found.text.encode())  # once more: whatever was written out, nothing refers to the outside
    try:
        return bytes(
            resvg.render(
                usvg.Tree.from_str(text, fonts.options_with(found.fonts)), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
            )
        )
    except BaseException as error:  # resvg's panics are no Exception
        if type(error).__name__ != "PanicException":
            raise
        told = re.sub(r"^called `Result::unwrap\(\)` on an `Err` value: ", "", str(error))
        raise BadImageError(f"It cannot be drawn: {told[:200]}.") from None


def cleaned(data: bytes) -> str:
    """Return an SVG as text that refers to nothing outside of it, sized to be drawn."""
    return _Cleaner().run(unpacked(data))


class _Cleaner:
    """Writes a document again while it is read: what is not written cannot be acted upon."""

    def __init__(self, is_shown_by_another: bool = False) -> None:
        self.is_shown_by_another = is_shown_by_another
        self.parts: list[str] = []
        self.length = 0
        self.depth = 0
        self.skipped_from: int | None = None
        """Depth of the element that is being left out, if one is."""
        self.style: list[str] | None = None
        """The parts of the style sheet that is being read: only as a whole it tells what it refers to."""
        self.parser = parser = guarded_parser()
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def run(self, data: bytes) -> str:
        """Return the document without prologue, comments and instructions."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BadImageError(f"It is no well-formed XML: {error}.") from None
        return "".join(self.parts)

    def _write(self, part: str) -> None:
        self._count(part)
        self.parts.append(part)

    def _count(self, part: str) -> None:
        self.length += len(part)
        if self.length > MAX_TEXT:
            raise BadImageError(TOO_LONG)

    def _start(self, name: str, attributes: list[str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise BadImageError(f"It has elements nested more than {MAX_DEPTH} deep.")
        if self.skipped_from is not None:
            return
        local = _local(name)
        if local.lower() in _LEFT_OUT or self.style is not None:
            self.skipped_from = self.depth
            return
        pairs = zip(attributes[::2], attributes[1::2], strict=True)
        values = {key: self._value(local, key, value) for key, value in pairs}
        kept = {key: value for key, value in values.items() if value is not None}
        if self.depth == 1 and not self.is_shown_by_another:
            kept |= canvas(kept)
        self.style = [] if local.lower() == "style" else None
        self._write(f"<{name}{_written(kept.items())}>")

    def _end(self, name: str) -> None:
        if self.skipped_from is None:
            style, self.style = self.style, None
            self._write(f"{escape(_styled(''.join(style or ())))}</{name}>")
        elif self.skipped_from == self.depth:
            self.skipped_from = None
        self.depth -= 1

    def _text(self, text: str) -> None:
        if self.skipped_from is not None:
            return
        if self.style is None:
            self._write(escape(text))
        else:
            self._count(text)
            self.style.append(text)

    def _value(self, element: str, key: str, value: str) -> str | None:
        """Return an attribute's value as it is kept, ``None`` for an attribute that is left out."""
        name = _local(key).lower()
        if key.startswith("xmlns"):
            return value
        if name == "href":
            return self._reference(element, value.strip())
        if name.startswith("on") or name in _POINTING:
            return None
        if name == "style":
            return _styled(value)
        return _with_fallback(value) if name == "font-family" else _inward(value)

    def _reference(self, element: str, target: str) -> str | None:
        """Return what an element may refer to: a part of the document, or a picture that is in the address itself.

        Of such a picture nothing counts but its bytes: it is written anew, by what they are.
        """
        if target.startswith("#"):
            return target
        if element not in ("image", "feImage") or not is_data_uri(target):
            return None
        try:
            data = decode_data_uri(target).body
        except BadUriError:
            return None
        media_type = media_type_of(data)
        if media_type == SVG and not self.is_shown_by_another:  # resvg draws no third level either
            data = _Cleaner(is_shown_by_another=True).run(unpacked(data)).encode()
        elif media_type not in _PICTURES:
            return None
        return f"data:{media_type};base64,{b64encode(data).decode()}"


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _styled(css: str) -> str:
    """Return a style sheet, or a list of declarations, that refers to nothing outside and names fonts that are here."""
    css = _inward(_IMPORT.sub("", css.replace("\\", "")))  # an escape could hide what is looked for
    return _FONT.sub(lambda found: found[1] + _with_fallback(found[2]), css)


def _inward(value: str) -> str:
    """Return a value in which each function of CSS that refers to the outside has become ``none``."""
    return _OUTER.sub("none", value.replace("\\", "")) if "(" in value else value


def _with_fallback(families: str) -> str:
    if families.strip().lower() in ("inherit", "initial", "unset"):
        return families
    return f"{families.rstrip()}, {_family_like(families)}"


def _family_like(families: str) -> str:
    """Return the font to fall back to; text whose font is not here would be left out. Browsers take one with serifs for
    what they know nothing of."""
    names = families.lower()
    if _MONO.search(names):
        return f"'{fonts.fallback('mono')}'"
    return f"'{fonts.fallback('sans' if _SANS.search(names) else 'serif')}'"


_MONO = re.compile("mono|courier|consol|menlo")
_SANS = re.compile("sans|arial|helvetica|verdana|tahoma|segoe|roboto|calibri|system-ui|cursive|fantasy")


def _written(attributes: Iterable[tuple[str, str]]) -> str:
    return "".join(f" {key}={quoteattr(value)}" for key, value in attributes)
