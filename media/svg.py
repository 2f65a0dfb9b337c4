"""SVG as a picture: cleaned of all that points out of the document, and drawn as PNG.

Documents come from strangers, so :func:`drawn` belongs into a process that may crash (see ``media.vetting``): resvg
ends its process where it runs out of stack or memory.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import resvg
from resvg import usvg

from media import fonts
from media.decoding import BadImageError
from media.svgsize import canvas

MEDIA_TYPE = "image/svg+xml"

MAX_TEXT = 16 * 2**20
"""Characters of a document, unpacked and with its entities written out."""
MAX_DEPTH = 200
"""Elements within each other; drawing recurses, and 20,000 were seen to overflow the stack."""
MAX_ENTITY = 1000
"""Characters of an entity. Drawing programs declare their namespaces so; none refers to another."""

_NESTED = f"data:{MEDIA_TYPE}"
_LEFT_OUT = {"script", "foreignObject", "iframe", "audio", "video"}
_FONT = re.compile(r"(\bfont(?:-family)?\s*:\s*)([^;{}!]+)", re.IGNORECASE)


def drawn(data: bytes) -> bytes:
    """Return an SVG, compressed or not, as a PNG of 1,024 pixels on the longer side.

    Raises :class:`BadImageError` for what is not well-formed, refers to the outside by an entity, nests too deeply, or
    tells no size that can be drawn. References to other files are left out, scripts too.
    """
    text = cleaned(data)
    try:
        return bytes(resvg.render(usvg.Tree.from_str(text, fonts.options()), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)))
    except BaseException as error:  # resvg's panics are no Exception
        if type(error).__name__ != "PanicException":
            raise
        told = re.sub(r"^called `Result::unwrap\(\)` on an `Err` value: ", "", str(error))
        raise BadImageError(f"It cannot be drawn: {told[:200]}.") from None


def cleaned(data: bytes) -> str:
    """Return an SVG as text that refers to nothing outside of it, sized to be drawn."""
    return _Cleaner().run(_unpacked(data))


def _unpacked(data: bytes) -> bytes:
    if data[:2] == b"\x1f\x8b":
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            data = unpacker.decompress(data, MAX_TEXT + 1)
        except zlib.error as error:
            raise BadImageError(f"It cannot be unpacked: {error}.") from None
    if len(data) > MAX_TEXT:
        raise BadImageError(_TOO_LONG)
    return data


_TOO_LONG = f"As text it has more than {MAX_TEXT // 2**20} MiB."


class _Cleaner:
    """Writes a document again while it is read: what is not written cannot be acted upon."""

    def __init__(self, is_shown_by_another: bool = False) -> None:
        self.is_shown_by_another = is_shown_by_another
        self.parts: list[str] = []
        self.length = 0
        self.depth = 0
        self.skipped_from: int | None = None
        """Depth of the element that is being left out, if one is."""
        self.in_style = False
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity

    def run(self, data: bytes) -> str:
        """Return the document without prologue, comments and instructions."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BadImageError(f"It is no well-formed XML: {error}.") from None
        return "".join(self.parts)

    def _write(self, part: str) -> None:
        self.length += len(part)
        if self.length > MAX_TEXT:
            raise BadImageError(_TOO_LONG)
        self.parts.append(part)

    def _start(self, name: str, attributes: list[str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise BadImageError(f"It has elements nested more than {MAX_DEPTH} deep.")
        if self.skipped_from is not None:
            return
        local = _local(name)
        if local in _LEFT_OUT:
            self.skipped_from = self.depth
            return
        kept = {
            key: self._value(key, value)
            for key, value in zip(attributes[::2], attributes[1::2], strict=True)
            if _is_kept(local, key, value)
        }
        if self.depth == 1 and not self.is_shown_by_another:
            kept |= canvas(kept)
        self.in_style = local == "style"
        self._write(f"<{name}{_written(kept.items())}>")

    def _end(self, name: str) -> None:
        if self.skipped_from is None:
            self._write(f"</{name}>")
        elif self.skipped_from == self.depth:
            self.skipped_from = None
        self.in_style = False
        self.depth -= 1

    def _text(self, text: str) -> None:
        if self.skipped_from is None:
            self._write(escape(_styled(text) if self.in_style else text))

    def _value(self, key: str, value: str) -> str:
        if key == "font-family":
            return _with_fallback(value)
        if _local(key) == "href" and value.strip().startswith(_NESTED):
            if self.is_shown_by_another:
                return "#"  # resvg draws no third level either
            inner = _Cleaner(is_shown_by_another=True).run(_unpacked(_content(value.strip())))
            return f"{_NESTED};base64,{b64encode(inner.encode()).decode()}"
        return _styled(value) if key == "style" else value

    def _entity(
        self,
        name: str,
        is_parameter: bool,
        value: str | None,
        base: str | None,
        system_id: str | None,
        public_id: str | None,
        notation: str | None,
    ) -> None:
        if value is None:
            raise BadImageError(f"It takes the entity {name[:50]} from outside.")
        if is_parameter or "&" in value or "%" in value or len(value) > MAX_ENTITY:
            raise BadImageError(f"It declares the entity {name[:50]} by others, or a long one.")


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _is_kept(element: str, key: str, value: str) -> bool:
    if _local(key) == "href":
        target = value.strip()
        is_picture = element in ("image", "feImage") and target.startswith("data:image/")
        return is_picture or target.startswith("#")
    return not key.lower().startswith("on") and key != "xml:base"


def _content(data_uri: str) -> bytes:
    """Return the bytes within a data: URI (RFC 2397)."""
    head, _, body = data_uri.partition(",")
    try:
        return b64decode(unquote_to_bytes(body)) if head.endswith(";base64") else unquote_to_bytes(body)
    except ValueError:
        raise BadImageError("It shows another SVG by a damaged data: URI.") from None


def _styled(css: str) -> str:
    return _FONT.sub(lambda found: found[1] + _with_fallback(found[2]), css)


def _with_fallback(families: str) -> str:
    if families.strip().lower() in ("inherit", "initial", "unset"):
        return families
    return f"{families.rstrip()}, {_family_like(families)}"


def _family_like(families: str) -> str:
    """Return the font to fall back to; text whose font is not here would be left out."""
    names = families.lower()
    if "mono" in names or "courier" in names or "consol" in names:
        return f"'{fonts.fallback('mono')}'"
    is_serif = "serif" in names.replace("sans-serif", "") or "times" in names or "georgia" in names
    return f"'{fonts.fallback('serif' if is_serif else 'sans')}'"


def _written(attributes: Iterable[tuple[str, str]]) -> str:
    return "".join(f" {key}={quoteattr(value)}" for key, value in attributes)
